import Foundation
import TestSupport
import Testing

/// The five errors of the tools, provoked for real, and never a part for the whole (R33, R52).
@Suite(.server) struct AgentFaultTests {
  private static let signing = TestServer.one.filter(\.checksSignatures)
  private static let calls = [
    AgentLine.hello, AgentLine.tools, AgentLine.daily(2, "2026-02-08"),
    AgentLine.range(3, "2026-02-01", "2026-02-28"),
  ]

  /// Expects that both tools fail alike and show nothing of what was asked for.
  private func expectBoth(
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

  @Test(arguments: signing)
  func `wrong credentials are NOT_AUTHORIZED`(server: TestServer) async throws {
    let owner = try Program().on(server)
    defer { owner.removeHome() }
    let store = server.arguments()
    try await owner.publishFebruary(store)
    var stranger = owner
    stranger.environment["AWS_SECRET_ACCESS_KEY"] = "not-the-secret-key-of-this-test"
    let run = try await stranger.agent(Self.calls, store)
    try await expectBoth(
      run, "NOT_AUTHORIZED", saying: "signature does not match", retryable: false)
    #expect(!run.run.output.contains(server.secretKey))
    let found = try await owner.agent(Self.calls, store)
    #expect((try found.content(3)["data"] as? [Any])?.count == 28)
    #expect(!found.run.output.contains(server.secretKey))
  }

  @Test func `a server that is down is STORAGE_UNAVAILABLE, to be tried again`() async throws {
    let program = try Program().onHostile().sendingOnce()
    defer { program.removeHome() }
    let run = try await program.agent(
      Self.calls,
      ["--store", "s3://b-1", "--endpoint-url", "http://127.0.0.1:1"])
    try await expectBoth(run, "STORAGE_UNAVAILABLE", saying: "can't be reached", retryable: true)
  }

  @Test func `no credentials at all are reported to the agent, not by an end of the server`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let run = try await program.agent(
      Self.calls, ["--store", "s3://bucket", "--endpoint-url", "http://127.0.0.1:1"])
    try await expectBoth(run, "NOT_AUTHORIZED", saying: "AWS_ACCESS_KEY_ID", retryable: false)
  }

  @Test func `a folder that is not there yet is opened once it is`() async throws {
    let program = try Program()
    defer { program.removeHome() }
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

  @Test func `R52: no data and wrong arguments differ, and coverage says what is missing`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
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

  #if os(Linux)
    @Test func `a fault inside the program is INTERNAL, and the next call is served`() async throws
    {
      let server = try HostileStore()
      var program = try Program().onHostile()
      defer { program.removeHome() }
      let store = ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint("honest")]
      try await program.succeeds(["put", "--input", "-"] + store, input: payload())
      program.wrapper = [
        try PeerPython.interpreter(),
        ProjectTree.root.appending(path: "Tests/Peers/mcp_starved.py").path,
      ]
      let run = try await program.run(["mcp"] + store)
      let report = try run.json()
      let starved = try #require(report["starved"] as? [String: Any])
      let error = try #require(starved["error"] as? [String: Any], "\(starved)")
      #expect(error["code"] as? String == "INTERNAL")
      let fed = try #require(report["fed"] as? [String: Any])
      #expect((fed["metrics"] as? [String: Any])?["steps"] as? Int == 8432, "\(fed)")
      #expect(report["exit"] as? Int == 0)
    }
  #endif

  @Test(arguments: [
    ("dies", "STORAGE_UNAVAILABLE"), ("deniessome", "NOT_AUTHORIZED"),
    ("listloop", "STORAGE_UNAVAILABLE"), ("short", "STORAGE_UNAVAILABLE"),
  ])
  func `a server that fails in the middle of a range makes it an error, not a part`(
    mode: String, code: String
  ) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile().sendingOnce()
    defer { program.removeHome() }
    func at(_ mode: String) -> [String] {
      [
        "--store", "s3://bucket/p", "--endpoint-url", server.endpoint(mode),
      ]
    }
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

  @Test func `broken revisions are reported by their code, and an older one that answers too`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    try await program.publishFebruary()
    let days = program.defaultStore.appending(path: "health/v0/data/2026/02")
    // The only revision of one day, and a newer one of another.
    let folder = days.appending(path: "03/revisions")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    try Data("{".utf8).write(to: folder.appending(path: name))
    try Data("{}".utf8).write(
      to: days.appending(path: "04/revisions/20990101T000000Z-ABCDEF.json"))
    let run = try await program.agent([
      AgentLine.hello, AgentLine.tools, AgentLine.range(2, "2026-02-01", "2026-02-28"),
      AgentLine.daily(3, "2026-02-03"), AgentLine.daily(4, "2026-02-04"),
    ])
    let coverage = try #require(try run.content(2)["coverage"] as? [String: Any])
    #expect(coverage["found"] as? Int == 27)
    #expect(coverage["invalid"] as? [String: String] == ["2026-02-03": "not_json"])
    #expect(coverage["fell_back"] as? [String: String] == ["2026-02-04": "missing_member"])
    #expect(try run.toolError(3).code == "DATA_NOT_FOUND")
    #expect((try run.content(4)["metrics"] as? [String: Any])?["steps"] as? Int == 4)
    try await run.fitsTheProtocol()
  }
}
