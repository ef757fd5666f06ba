import Foundation
import TestSupport
import Testing

/// Control-C.
@Suite(.process) struct InterruptTests {
  @Test
  func `a put interrupted while the server stalls ends at once, and the next one completes it`()
    async throws
  {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    func at(_ mode: String) -> [String] {
      ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint(mode)]
    }
    let put = ["put", "--input", "-", "--timeout", "3600"] + at("stalls")
    let run = try await program.interrupted(by: server, at: "PUT", "/revisions/")
      .run(put, input: payload())
    // The server holds its answer back for an hour.
    #expect(run.exitCode == 130)
    #expect(run.output.isEmpty)

    let next = try await program.succeeds(["put", "--input", "-"] + at("honest"), input: payload())
    #expect(next.output.hasPrefix("unchanged"), "\(next.output)")
    let verify = try await program.succeeds(
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08"] + at("honest"))
    #expect(verify.output.contains("1 day: 1 complete"))
    #expect(!verify.output.contains("pointer"))
  }

  @Test func `a read interrupted while the server is mute ends at once`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    let run = try await program.interrupted(by: server, at: "GET", "/health/").run(
      "get", "2026-02-08", "--store", "s3://bucket", "--endpoint-url",
      server.endpoint("mute"))
    #expect(run.exitCode == 130)
    #expect(run.output.isEmpty)
  }
}
