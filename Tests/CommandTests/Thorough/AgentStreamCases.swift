import Foundation
import TestSupport
import Testing

/// What else a client may do with the streams (R53).
extension AgentStreamTests {
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
}
