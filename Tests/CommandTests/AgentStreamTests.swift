import Foundation
import TestSupport
import Testing

/// The streams of `s3health mcp`: what it takes, what it writes, how it ends (R53).
@Suite(.process) struct AgentStreamTests {
  private static func request(_ id: Int, _ method: String, _ params: String) -> String {
    AgentLine.request(id, method, params)
  }

  private static let meta = """
    "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
    "io.modelcontextprotocol/clientCapabilities":{}}
    """

  @Test func `malformed messages of every kind are answered with their codes, between sound ones`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    try await program.publishFebruary()
    let lines = [
      AgentLine.hello, "{", #"{"jsonrpc":"2.0","id":2,"method":"ping""#, "\u{FEFF}{}",
      "\"\\ud800\"",
      String(repeating: "[", count: 70), String(repeating: "x", count: 1 << 20 + 1),
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
      nameless == [
        -32700, -32700, -32700, -32700, -32700, -32700, -32600, -32600, -32600, -32600,
      ])
    for (id, code) in [
      3: -32600, 4: -32601, 5: -32601, 6: -32602, 7: -32602, 8: -32602, 9: -32601, 10: -32602,
      11: -32022,
    ] { #expect(try run.code(id) == code, "\(run.run.output)") }
    #expect(try run.answer(12)["result"] != nil)
    #expect((try run.content(13)["metrics"] as? [String: Any])?["steps"] as? Int == 8)
    let shapes = try await run.fitsTheProtocol()
    #expect(shapes["answers"] == run.messages.count)
  }

  @Test func `bytes that are not text, and no newline at the end, lose nothing`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    try await program.publishFebruary()
    let bytes: [UInt8] =
      [0xFF, 0x00, 0xFE, 0x0A] + Array((AgentLine.hello + "\r\n").utf8) + [0xC3, 0x28, 0x0A]
      + Array(AgentLine.daily(2, "2026-02-08").utf8)
    let run = try await program.agent(bytes: bytes)
    #expect(run.messages.count == 4)
    #expect((try run.content(2)["metrics"] as? [String: Any])?["steps"] as? Int == 8)
    try await run.fitsTheProtocol()
  }

  @Test(arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
  func `every revision that begins with a handshake is served`(version: String) async throws {
    let program = try Program()
    defer { program.removeHome() }
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

  @Test func `the end of the input is the end of the server, once what runs is answered`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
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
    defer { program.removeHome() }
    let interrupted = try program.interrupted(by: server, at: "GET", "/health/", with: signal)
    let run = try await interrupted.agent(
      [AgentLine.hello, AgentLine.daily(2, "2026-02-08")],
      [
        "--store", "s3://bucket/p", "--endpoint-url", server.endpoint("mute"), "--timeout", "3600",
      ])
    #expect(run.run.exitCode == exitCode)
    // What was owed to the call is not written in part.
    #expect(run.answers.compactMap { $0["id"] as? Int } == [0])
  }

  @Test func `a client that leaves without reading ends the server`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    try await program.publishFebruary()
    let calls = (2..<400).map { AgentLine.range($0, "2026-02-01", "2026-02-28") }
    let script = "{ \"$@\"; echo \"exit $?\" >&2; } | head -c 100 >/dev/null"
    let run = try await program.inShell(script)
      .run(["mcp"], input: Array(([AgentLine.hello] + calls).joined(separator: "\n").utf8))
    #expect(run.errors.contains("exit 141"), "\(run.errors)")
  }

  #if os(Linux)
    @Test func `answers that can't be written end the server with an error`() async throws {
      let program = try Program()
      defer { program.removeHome() }
      let run = try await program.inShell("exec \"$@\" >/dev/full").run(
        ["mcp"], input: Array(AgentLine.hello.utf8))
      #expect(run.exitCode == 69)
      #expect(run.errors.contains("can't be written"), "\(run.errors)")
    }
  #endif

  #if os(Linux)
    /// Feeds lines to the program while nothing reads its answers; see mcp_unread.py.
    private func unread(_ lines: [String], _ program: Program) async throws -> [String: Any] {
      var fed = program
      fed.wrapper = [
        try PeerPython.interpreter(),
        ProjectTree.root.appending(path: "Tests/Peers/mcp_unread.py").path,
      ]
      let input = ([AgentLine.hello] + lines).joined(separator: "\n") + "\n"
      let report = try await fed.run(["mcp"], input: Array(input.utf8)).json()
      #expect(report["exit"] as? Int == 0)
      #expect(report["lines"] as? Int == lines.count)
      return report
    }

    @Test func `R53: answers that nobody reads take little memory, however short the messages`()
      async throws
    {
      let program = try Program()
      defer { program.removeHome() }
      let report = try await unread(Array(repeating: "x", count: 200_000), program)
      #expect(try #require(report["bytes"] as? Int) > 16 << 20)
      #expect(try #require(report["untaken"] as? Int) > 100_000, "\(report)")
      #expect(try #require(report["grown"] as? Double) < 40, "\(report)")
    }

    @Test func `R53: calls whose answers nobody reads do not run on`() async throws {
      let program = try Program()
      defer { program.removeHome() }
      try await program.publishFebruary()
      // 600 answers of 35 kB.
      let calls = (2..<602).map { AgentLine.range($0, "2026-02-01", "2026-02-28") }
      let report = try await unread(calls, program)
      #expect(try #require(report["bytes"] as? Int) > 20 << 20)
      #expect(try #require(report["grown"] as? Double) < 40, "\(report)")
    }
  #endif

  @Test func `a client that sends all before it reads is served all the same`() async throws {
    let program = try Program()
    defer { program.removeHome() }
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
    let program = try Program()
    defer { program.removeHome() }
    let run = try await program.run(["mcp"] + arguments, input: Array(AgentLine.hello.utf8))
    #expect(run.exitCode == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(phrase), "\(run.errors)")
    #expect(run.errors.contains("do:     "))
  }

  @Test(arguments: [[], ["--output", "json"]])
  func `R53: a command line that is wrong leaves stdout to messages`(more: [String]) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let run = try await program.run(["mcp", "--tool-names", "camel"] + more)
    #expect(run.exitCode == 64)
    #expect(run.output.isEmpty)
  }
}
