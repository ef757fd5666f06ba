import Foundation
import TestSupport
import Testing

/// Further faults of a store, and what an agent hears of them (R33, R52).
extension AgentFaultTests {
  private static let signing = TestServer.one.filter(\.checksSignatures)

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
