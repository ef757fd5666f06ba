import Foundation
import TestSupport
import Testing

/// Further faults of a store, and what an agent hears of them (R33, R52).
extension AgentFaultTests {
  @Test func `missing credentials are told to the agent, and the server goes on`() async throws {
    let program = try Program()
    let run = try await program.agent(
      Self.calls, ["--store", "s3://bucket", "--endpoint-url", "http://127.0.0.1:1"])
    try await expectBoth(run, "NOT_AUTHORIZED", saying: "AWS_ACCESS_KEY_ID", retryable: false)
  }

  @Test func `a folder that is not there yet is opened once it is`() async throws {
    let program = try Program()
    let disk = program.home.appending(path: "disk")
    let run = try await program.agent(Self.calls, ["--store", disk.path])
    try await expectBoth(run, "STORAGE_UNAVAILABLE", saying: "does not exist", retryable: false)
    #expect(run.run.errors.contains("does not exist"))

    // It is mounted while the server runs: the lines after it come later.
    let script = """
      { cat; mkdir "$DISK"; printf '%s\\n' "$LATER"; } | "$@"
      """
    var later = program.inShell(script)
    later.environment["DISK"] = disk.path
    later.environment["LATER"] = AgentLine.daily(9, "2026-02-08")
    let mounted = try await later.agent([AgentLine.hello], ["--store", disk.path])
    #expect(try mounted.toolError(9).code == "DATA_NOT_FOUND")
  }

  #if os(Linux)
    @Test func `a fault inside is INTERNAL, and the next call is served`() async throws {
      let server = try HostileStore()
      let program = try Program().onHostile()
      let store = server.store("honest")
      try await program.put(payload(), store)
      let starved = try program.wrapped(by: "mcp_stdio.py", "starved")
      let run = try await starved.run(["mcp"] + store)
      let report = try run.json()
      let hungry = try #require(report["starved"] as? [String: Any])
      let error = try #require(hungry["error"] as? [String: Any], "\(hungry)")
      #expect(error["code"] as? String == "INTERNAL")
      let fed = try #require(report["fed"] as? [String: Any])
      #expect((fed["metrics"] as? [String: Any])?["steps"] as? Int == 8432, "\(fed)")
      #expect(report["exit"] as? Int == 0)
    }
  #endif
}

/// What else a client may do with the streams (R53).
extension AgentStreamTests {
  @Test(arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
  func `every revision that begins with a handshake is served`(version: String) async throws {
    try await program.publishFebruary()
    let batch = "[\(Self.request(3, "ping", "{}")),\(AgentLine.daily(4, "2026-02-09"))]"
    let run = try await program.agent([
      AgentLine.hello.replacing("2025-11-25", with: version), AgentLine.tools,
      AgentLine.daily(2, "2026-02-08"), AgentLine.range(5, "2026-02-01", "2026-03-01"), batch,
      Self.request(6, "tools/list", "{\(Self.meta)}"),
    ])
    let shapes = try await run.fitsTheProtocol()
    #expect(shapes["\(version) initialize"] == 1)
    #expect(shapes["\(version) tools/list"] == 1)
    #expect(shapes["2026-07-28 tools/list"] == 1)
    #expect(shapes["nulls explained"] == 2)
    #expect(shapes["-32600"] == 1)
  }

  @Test func `a client that leaves without reading ends the server`() async throws {
    try await program.publishFebruary()
    let calls = (2..<400).map { AgentLine.range($0, "2026-02-01", "2026-02-28") }
    let script = "{ \"$@\"; echo \"exit $?\" >&2; } | head -c 100 >/dev/null"
    let run = try await program.inShell(script)
      .run(["mcp"], input: Array(([AgentLine.hello] + calls).joined(separator: "\n").utf8))
    #expect(run.errors.contains("exit 141"))
  }

  #if os(Linux)
    @Test func `answers that can't be written end the server with an error`() async throws {
      let program = try Program()
      try await program.inShell("exec \"$@\" >/dev/full").run(
        ["mcp"], input: AgentLine.hello, ends: 69, saying: "can't be written")
    }
  #endif

  @Test func `a client that sends all before it reads is served all the same`() async throws {
    try await program.publishFebruary()
    // Both directions are larger than what a pipe holds.
    let calls = (2..<702).map { AgentLine.daily($0, "2026-02-08") }
    let script = "\"$@\" | { sleep 2; cat; }"
    let run = try await program.inShell(script).agent([AgentLine.hello] + calls)
    #expect(run.input.count > 1 << 16)
    #expect(run.messages.count == 701)
    #expect(run.run.output.utf8.count > 1 << 20)
  }

  @Test(arguments: [
    (["--store", "ftp://x"], "no kind of store"), (["--timezone", "PST"], "no \"PST\""),
    (["--store", "s3://bucket", "--profile", "nobody"], "nobody"),
    (["--store", "s3://bucket", "--endpoint-url", "http://10.0.0.1"], "plain"),
  ])
  func `settings that can never work end it at the start, with a word on stderr alone`(
    arguments: [String], phrase: String
  ) async throws {
    let run = try await program.run(["mcp"] + arguments, input: AgentLine.hello, ends: 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(phrase))
    #expect(run.errors.contains("do:     "))
  }
}

/// A thousand calls in flight, some cancelled (R53).
@Suite(.server) struct AgentInterleavingTests {
  private func interleave(_ program: Program, _ store: [String], calls: Int) async throws {
    try await program.publishFebruary(store)
    let driven = try program.wrapped(by: "mcp_stdio.py", "interleaved", "\(calls)")
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

  @Test func `interleaved calls of a folder are each answered with their own day`() async throws {
    let program = try Program()
    try await interleave(program, [], calls: 1000)
  }

  @Test(arguments: TestServer.one)
  func `interleaved calls of a bucket get each its own day`(server: TestServer) async throws {
    let program = try Program().on(server)
    // moto is slow and one server of each kind will do for the whole thousand.
    let isThorough = server.checksSignatures && server.endpoint.hasPrefix("http://")
    let calls = isThorough ? 1000 : 200
    try await interleave(program, server.arguments(), calls: calls)
  }

  @Test func `a cancelled call, and the end, let go of a mute server`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
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
