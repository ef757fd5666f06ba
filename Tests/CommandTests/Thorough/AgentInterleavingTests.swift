import Foundation
import TestSupport
import Testing

/// A thousand calls in flight, some cancelled (R53).
@Suite(.server) struct AgentInterleavingTests {
  private func interleave(_ program: Program, _ store: [String], calls: Int) async throws {
    try await program.publishFebruary(store)
    var driven = program
    driven.wrapper = [
      try PeerPython.interpreter(),
      ProjectTree.root.appending(path: "Tests/Peers/mcp_interleaved.py").path, "\(calls)",
    ]
    let run = try await driven.run(["mcp"] + store)
    try #require(run.exitCode == 0, "\(run.errors)")
    let report = try run.json()
    let cancelled = try #require(report["cancelled"] as? Int)
    let unanswered = try #require(report["unanswered"] as? Int)
    #expect(cancelled >= calls / 4)
    #expect(unanswered >= calls / 100, "\(report)")
    let shapes = try #require(report["shapes"] as? [String: Int])
    #expect(shapes["2025-11-25 tools/call"] == calls - unanswered, "\(shapes)")
    #expect(shapes["nulls explained"] == calls - unanswered)
  }

  @Test func `interleaved calls of a folder are each answered with their own day`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    try await interleave(program, [], calls: 1000)
  }

  @Test(arguments: TestServer.one)
  func `interleaved calls of a bucket are each answered with their own day`(
    server: TestServer
  ) async throws {
    let program = try Program().on(server)
    defer { program.removeHome() }
    // moto is slow and one server of each kind will do for the whole thousand.
    let isThorough = server.checksSignatures && server.endpoint.hasPrefix("http://")
    let calls = isThorough ? 1000 : 200
    try await interleave(program, server.arguments(), calls: calls)
  }

  @Test func `a cancelled call lets go of a mute server, and the server ends with its input`()
    async throws
  {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    let store = [
      "--store", "s3://bucket/p", "--endpoint-url", server.endpoint("mute"), "--timeout", "3600",
    ]
    // More than may run at once, so that some are cancelled while they wait.
    let calls = (10..<40).flatMap { [AgentLine.daily($0, "2026-02-08"), AgentLine.cancel($0)] }
    let run = try await program.agent([AgentLine.hello] + calls + [AgentLine.tools], store)
    #expect(run.run.exitCode == 0)
    #expect(run.answers.compactMap { $0["id"] as? Int } == [0, 1])
    try await run.fitsTheProtocol()
  }
}
