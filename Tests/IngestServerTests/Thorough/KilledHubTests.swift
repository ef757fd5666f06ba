import Foundation
import HealthModel
import Subprocess
import TestSupport
import Testing

/// Two instances on one bucket and one PostgreSQL, all of them killed at random (R54, R56): a short part
/// of what scripts/nightly hub does at length.
@Suite(.server) struct KilledHubTests {
  @Test(arguments: TestServer.all.filter { $0.name == "rgw-http" })
  func `R54: what two killed instances acknowledged counts once`(server: TestServer) async throws {
    let work = FileManager.default.temporaryDirectory.appending(path: "killed-\(UUID())")
    defer { try? FileManager.default.removeItem(at: work) }
    let script = ProjectTree.root.appending(path: "Tests/Peers/trials").path
    // The store is shared with other tests, so the way to it is cut instead.
    let result = try await Subprocess.run(
      .path(.init(PeerPython.interpreter(of: .peers))),
      arguments: .init([
        script, "hub", "--binary", HubProgram.path, "--work", work.path, "--endpoint",
        server.endpoint, "--bucket", server.bucket, "--seconds", "15", "--rest", "120",
        "--senders", "8", "--pause", "4", "--seed", "1",
      ]),
      environment: .inherit.updating([
        "AWS_ACCESS_KEY_ID": server.accessKey, "AWS_SECRET_ACCESS_KEY": server.secretKey,
        "AWS_REGION": server.region,
      ]),
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    let output = result.standardOutput
    let line = output.prefix { $0 != "\n" }
    let report = (try? JSONValue(parsing: Array(line.utf8))) ?? .null
    #expect(report["problems"] == .array([]), "\(output) \(result.standardError)")
    #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
    #expect((report["batches"]?.numberValue ?? 0) > 10)
  }
}
