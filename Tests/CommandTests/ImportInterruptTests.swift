import Foundation
import TestSupport
import Testing

/// Imports that are killed or interrupted at some moment, and run again.
@Suite struct ImportInterruptTests {
  /// Writes of 120 after which the import of 60 days is killed: before the first day is whole,
  /// with some between revision and pointer, and in the middle.
  static let moments = [1, 2, 17, 40, 41, 63]

  /// The stores of one test, each with its arguments.
  private struct Stores {
    let killed: [String]
    let whole: [String]
  }

  @Test(arguments: moments)
  func `an import killed on a folder is completed by the next, and nothing is doubled`(
    moment: Int
  ) async throws {
    let program = try Program().asOneCollector()
    defer { program.removeHome() }
    let killed = try program.folder("killed")
    let stores = Stores(
      killed: ["--store", killed.path], whole: ["--store", try program.folder("whole").path])
    try await check(program, stores, at: moment, of: killed.path)
    let verify = try await program.succeeds(
      ["verify", "--from", "2024-04-16", "--to", "2024-06-14"] + stores.killed)
    #expect(verify.output.contains("60 days: 60 complete"))
  }

  @Test(arguments: TestServer.all.filter { $0.name == "rgw-http" || $0.name == "moto" }, moments)
  func `an import killed on a server is completed by the next, and nothing is doubled`(
    server: TestServer, moment: Int
  ) async throws {
    let program = try Program().asOneCollector().on(server)
    defer { program.removeHome() }
    let stores = Stores(killed: server.arguments(), whole: server.arguments())
    try await check(program, stores, at: moment, of: "requests")
  }

  private func check(
    _ program: Program, _ stores: Stores, at moment: Int, of what: String
  ) async throws {
    let export = try await GeneratedExport(program, ["--days", "60", "--seed", "\(moment)"])
    let verbose = what == "requests" ? ["--verbose"] : []
    let first = try await program.killed(at: moment, of: what).run(
      ["import", export.xml, "--concurrency", "4"] + verbose + stores.killed)
    #expect(first.errors.contains("killed"), "\(first.errors)")
    #expect(first.exitCode == 137, "\(first.errors)")
    #expect(first.output.isEmpty, "a killed run tells no result")

    let second = try await program.succeeds(
      ["import", export.xml, "--output", "json"] + stores.killed
    ).json()
    let counts = try #require(second["counts"] as? [String: Int])
    #expect(counts["published", default: 0] + counts["unchanged", default: 0] == 60)
    // It goes on where the killed run was, and that was not at its end.
    #expect(counts["published", default: 0] > 0)
    if moment > 8 { #expect(counts["unchanged", default: 0] > 0) }

    try await program.succeeds(["import", export.xml] + stores.whole)
    for date in export.dates {
      #expect(
        try await program.payload(date, stores.killed) == program.payload(date, stores.whole))
      #expect(try await program.revisions(date, stores.killed) == 1, "\(date)")
    }
    let third = try await program.succeeds(
      ["import", export.xml, "--output", "json"] + stores.killed
    ).json()
    #expect(third["counts"] as? [String: Int] == ["unchanged": 60])
  }

  @Test func `Control-C ends an import with a sentence that says how to go on`() async throws {
    let program = try Program().asOneCollector()
    defer { program.removeHome() }
    let store = try program.folder("store")
    let export = try await GeneratedExport(program, ["--days", "200"])
    let run = try await program.killed("SIGINT", at: 30, of: store.path).run(
      "import", export.xml, "--concurrency", "1", "--store", store.path)
    #expect(run.exitCode == 130)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("s3health: interrupted after "), "\(run.errors)")
    #expect(run.errors.contains(" of 200 days; run the same command again"), "\(run.errors)")
    let next = try await program.succeeds([
      "import", export.xml, "--store", store.path, "--output", "json",
    ]).json()
    let counts = try #require(next["counts"] as? [String: Int])
    #expect(counts["published", default: 0] > 0 && counts["unchanged", default: 0] >= 10)
    #expect(counts["published", default: 0] + counts["unchanged", default: 0] == 200)
  }

  @Test func `a server that is gone ends an import with 69, and the next one goes on`()
    async throws
  {
    let server = try HostileStore()
    let program = try Program().asOneCollector().onHostile()
    defer { program.removeHome() }
    let export = try await GeneratedExport(program, ["--days", "20"])
    func at(_ mode: String) -> [String] {
      ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint(mode)]
    }
    // Nothing listens on this port.
    let gone = try await program.run(
      ["import", export.xml, "--store", "s3://bucket/p", "--endpoint-url", "http://127.0.0.1:9"]
        + ["--max-attempts", "1"])
    #expect(gone.exitCode == 69)
    #expect(gone.output.contains("20 days: 1 failed, 19 not attempted"), "\(gone.output)")
    #expect(gone.errors.contains("s3health: 19 more days were not published"), "\(gone.errors)")
    let next = try await program.succeeds(
      ["import", export.xml, "--output", "json"] + at("honest")
    ).json()
    #expect(next["counts"] as? [String: Int] == ["published": 20])
  }
}
