import Foundation
import TestSupport
import Testing

/// The five errors of the tools, provoked for real, and never a part for the whole (R33, R52).
@Suite(.server) struct AgentFaultTests {
  static let calls = [
    AgentLine.hello, AgentLine.tools, AgentLine.daily(2, "2026-02-08"),
    AgentLine.range(3, "2026-02-01", "2026-02-28"),
  ]

  /// Expects that both tools fail alike and show nothing of what was asked for.
  func expectBoth(
    _ run: AgentRun, _ code: String, saying phrase: String, retryable: Bool,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(run.run.exitCode == 0, "\(run.run.errors)", sourceLocation: location)
    for id in [2, 3] {
      let error = try run.toolError(id)
      #expect(error.code == code, "\(error)", sourceLocation: location)
      #expect(error.message.contains(phrase), "\(error)", sourceLocation: location)
      #expect(error.retryable == retryable, "\(error)", sourceLocation: location)
      #expect(Set(try run.content(id).keys) == ["error"], sourceLocation: location)
    }
    try await run.fitsTheProtocol()
  }

  @Test func `a server that is down is STORAGE_UNAVAILABLE, to be tried again`() async throws {
    let program = try Program().onHostile().sendingOnce()
    let run = try await program.agent(
      Self.calls,
      ["--store", "s3://b-1", "--endpoint-url", "http://127.0.0.1:1"])
    try await expectBoth(run, "STORAGE_UNAVAILABLE", saying: "can't be reached", retryable: true)
  }

  @Test func `R52: no data and wrong arguments differ, and coverage names gaps`() async throws {
    let program = try Program()
    try await program.publishFebruary()
    let run = try await program.agent([
      AgentLine.hello, AgentLine.tools, AgentLine.daily(2, "2026-03-01"),
      AgentLine.daily(3, "2026-02-30"), AgentLine.range(4, "2025-02-27", "2026-02-28"),
      AgentLine.range(5, "2025-02-28", "2026-02-28"),
    ])
    #expect(try run.toolError(2).code == "DATA_NOT_FOUND")
    let coverage = try #require(try run.content(2)["coverage"] as? [String: Any])
    #expect(coverage["missing"] as? [String] == ["2026-03-01"])
    #expect(try run.toolError(3).code == "INVALID_ARGUMENTS")
    let long = try run.toolError(4)
    #expect(long.code == "INVALID_ARGUMENTS")
    #expect(long.message.contains("367 days; at most 366 are allowed"), "\(long)")
    let whole = try #require(try run.content(5)["coverage"] as? [String: Any])
    #expect(whole["asked"] as? Int == 366)
    #expect(whole["found"] as? Int == 28)
    try await run.fitsTheProtocol()
  }

  @Test(arguments: [
    ("dies", "STORAGE_UNAVAILABLE"), ("deniessome", "NOT_AUTHORIZED"),
    ("listloop", "STORAGE_UNAVAILABLE"), ("short", "STORAGE_UNAVAILABLE"),
  ])
  func `a server that fails in the middle of a range makes it an error, not a part`(
    mode: String, code: String
  ) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile().sendingOnce()
    let at = server.store
    try await program.publishFebruary(at("honest"))
    let run = try await program.agent(
      [AgentLine.hello, AgentLine.tools, AgentLine.range(3, "2026-02-01", "2026-02-28")],
      at(mode))
    #expect(try run.toolError(3).code == code)
    #expect(Set(try run.content(3).keys) == ["error"])
    try await run.fitsTheProtocol()
    // Most of it could be read.
    let day = try await program.agent(
      [AgentLine.hello, AgentLine.tools, AgentLine.range(3, "2026-02-01", "2026-02-28")],
      at("honest"))
    #expect((try day.content(3)["data"] as? [Any])?.count == 28)
  }
}
