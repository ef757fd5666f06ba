import Foundation
import TestSupport
import Testing

/// The streams of `s3health mcp`: what it takes, what it writes, how it ends (R53).
@Suite(.process) struct AgentStreamTests {
  let program: Program

  init() throws { program = try Program() }

  static func request(_ id: Int, _ method: String, _ params: String) -> String {
    AgentLine.request(id, method, params)
  }

  static let meta = """
    "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
    "io.modelcontextprotocol/clientCapabilities":{}}
    """

  @Test func `malformed messages of every kind are answered with their codes`() async throws {
    try await program.publishFebruary()
    let lines = [
      AgentLine.hello, "{", #"{"jsonrpc":"2.0","id":2,"method":"ping""#, "\u{FEFF}{}",
      "\"\\ud800\"", String(repeating: "[", count: 70), String(repeating: "x", count: 1 << 20 + 1),
      "", "   ", "17", "[]", "{}", #"{"jsonrpc":"1.0","id":3,"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
      Self.request(4, "logging/setLevel", "{}"), Self.request(5, "no/such", "{}"),
      Self.request(6, "tools/call", #"{"name":"health.write"}"#),
      Self.request(7, "tools/call", "[]"), Self.request(8, "tools/list", #"{"cursor":"x"}"#),
      Self.request(9, "ping", "{\(Self.meta)}"), Self.request(10, "server/discover", "{}"),
      Self.request(11, "tools/list", "{\(Self.meta.replacing("2026-07-28", with: "2031-01-01"))}"),
      Self.request(12, "server/discover", "{\(Self.meta)}"), AgentLine.daily(13, "2026-02-08"),
      AgentLine.tools,
    ]
    let run = try await program.agent(lines)
    #expect(run.run.exitCode == 0, "\(run.run.errors)")
    let nameless = run.answers.filter { $0["id"] is NSNull }
      .compactMap { ($0["error"] as? [String: Any])?["code"] as? Int }
    #expect(
      nameless == [-32700, -32700, -32700, -32700, -32700, -32700, -32600, -32600, -32600, -32600])
    for (id, code) in [
      3: -32600, 4: -32601, 5: -32601, 6: -32602, 7: -32602, 8: -32602, 9: -32601, 10: -32602,
      11: -32022,
    ] { #expect(try run.code(id) == code, "\(run.run.output)") }
    #expect(try run.answer(12)["result"] != nil)
    #expect((try run.content(13)["metrics"] as? [String: Any])?["steps"] as? Int == 8)
    let shapes = try await run.fitsTheProtocol()
    #expect(shapes["answers"] == run.messages.count)
  }

  @Test func `the end of the input ends the server, once what runs is answered`() async throws {
    try await program.publishFebruary()
    let empty = try await program.agent(bytes: [])
    #expect(empty.run.exitCode == 0)
    #expect(empty.run.output.isEmpty && empty.run.errors.isEmpty)
    let calls = (2..<300).map { AgentLine.daily($0, "2026-02-08") }
    let run = try await program.agent([AgentLine.hello] + calls)
    #expect(run.run.exitCode == 0)
    #expect(Set(run.answers.compactMap { $0["id"] as? Int }) == Set(2..<300).union([0]))
  }

  @Test(arguments: [("SIGTERM", 0), ("SIGINT", 130)])
  func `a signal ends the server at once and cleanly, whatever runs`(signal: String, exitCode: Int)
    async throws
  {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let interrupted = try program.interrupted(by: server, at: "GET", "/health/", with: signal)
    let run = try await interrupted.agent(
      [AgentLine.hello, AgentLine.daily(2, "2026-02-08")],
      ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint("mute"), "--timeout", "3600"])
    #expect(run.run.exitCode == exitCode)
    // What was owed to the call is not written in part.
    #expect(run.answers.compactMap { $0["id"] as? Int } == [0])
  }

  #if os(Linux)
    /// Feeds lines to the program while nothing reads its answers; see mcp_stdio.py.
    private func unread(_ lines: [String], _ program: Program) async throws -> [String: Any] {
      let fed = try program.wrapped(by: "mcp_stdio.py", "unread")
      let input = ([AgentLine.hello] + lines).joined(separator: "\n") + "\n"
      let report = try await fed.run(["mcp"], input: input).json()
      #expect(report["exit"] as? Int == 0)
      #expect(report["lines"] as? Int == lines.count)
      return report
    }

    @Test func `R53: unread answers take little memory, however short the messages`() async throws {
      let program = try Program()
      let report = try await unread(Array(repeating: "x", count: 200_000), program)
      #expect(try #require(report["bytes"] as? Int) > 16 << 20)
      #expect(try #require(report["untaken"] as? Int) > 100_000, "\(report)")
      #expect(try #require(report["grown"] as? Double) < 40, "\(report)")
    }

    @Test func `R53: calls whose answers nobody reads do not run on`() async throws {
      let program = try Program()
      try await program.publishFebruary()
      // 600 answers of 35 kB.
      let calls = (2..<602).map { AgentLine.range($0, "2026-02-01", "2026-02-28") }
      let report = try await unread(calls, program)
      #expect(try #require(report["bytes"] as? Int) > 20 << 20)
      #expect(try #require(report["grown"] as? Double) < 40, "\(report)")
    }
  #endif

  @Test(arguments: [[], ["--output", "json"]])
  func `R53: a command line that is wrong leaves stdout to messages`(more: [String]) async throws {
    let run = try await program.run(["mcp", "--tool-names", "camel"] + more, ends: 64)
    #expect(run.output.isEmpty)
  }
}
