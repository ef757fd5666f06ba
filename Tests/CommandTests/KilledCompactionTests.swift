import Foundation
import TestSupport
import Testing

/// `streams compact` killed with SIGKILL, alone and by twos, and every batch compared after each kill by
/// Python alone (R66). `scripts/nightly outbox` has the same with hundreds of kills.
@Suite(.process, .slow) struct KilledCompactionTests {
  private func trial(_ arguments: [String], keys: [String: String]? = nil) async throws -> String {
    let work = FileManager.default.temporaryDirectory.appending(
      path: "packs-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: work) }
    let part = keys == nil ? ["--parts", "packs-folder"] : ["--parts", "packs-server", "--keys"]
    let output = try await PeerPython.run(
      "trials",
      arguments: ["outbox", "--seed", "1", "--binary", Program.path, "--work", work.path] + part
        + arguments,
      input: Array(try JSONEncoder().encode(keys ?? [:])))
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `R66: kills of who packs a folder lose no batch and no receipt`() async throws {
    let kills = TestDepth.kills(12, usual: 4)
    let words = try await trial(["--kills", "\(kills)", "--batches", "3"])
    #expect(words.contains(" 0 missing"), "\(words)")
  }

  @Test(.server, .nightly, arguments: TestServer.all.filter { $0.name == "rgw-http" })
  func `R66: kills of who packs on a server lose no batch and no receipt`(
    server: TestServer
  ) async throws {
    let words = try await trial(
      [
        "--kills", "\(TestDepth.kills(6, usual: 2))", "--batches", "2", "--endpoint",
        server.endpoint, "--bucket", server.bucket,
      ],
      keys: [
        "AWS_ACCESS_KEY_ID": server.accessKey, "AWS_SECRET_ACCESS_KEY": server.secretKey,
        "AWS_REGION": "us-east-1",
      ])
    #expect(words.contains(" 0 missing"), "\(words)")
  }
}
