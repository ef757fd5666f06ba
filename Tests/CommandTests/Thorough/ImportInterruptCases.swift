import Foundation
import TestSupport
import Testing

/// Imports that are killed on a server or while they read.
extension ImportInterruptTests {
  @Test(arguments: TestServer.one, [2, 41])
  func `an import killed on a server is completed by the next, and nothing is doubled`(
    server: TestServer, moment: Int
  ) async throws {
    let program = try Program().asOneCollector().on(server)
    defer { program.removeHome() }
    let stores = Stores(killed: server.arguments(), whole: server.arguments())
    let export = try await importTwice(program, stores, at: moment, of: "requests")
    for date in export.dates {
      #expect(
        try await program.payload(date, stores.killed) == program.payload(date, stores.whole))
      #expect(try await program.revisions(date, stores.killed) == 1, "\(date)")
    }
  }

  @Test(arguments: [1, 3])
  func `Control-C while the source is read is answered once, however busy the machine is`(
    presses: Int
  ) async throws {
    var program = try Program().asOneCollector()
    defer { program.removeHome() }
    let python = try #require(ProcessInfo.processInfo.environment["S3HEALTH_PEER_PYTHON"])
    program.wrapper = [
      python, ProjectTree.root.appending(path: "Tests/Peers/interrupted_reading.py").path, "6",
      "\(presses)",
    ]
    let run = try await program.run("import", "-")
    let ends = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[Any]], "\(run.errors)")
    #expect(ends.count == 6)
    for end in ends {
      #expect(end.first as? Int == 130)
      #expect(
        end.last as? String == "s3health: interrupted while reading; nothing was published\n")
    }
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `Control-C ends a put of many days with that sentence, too`() async throws {
    let program = try Program().asOneCollector()
    defer { program.removeHome() }
    let store = try program.folder("store")
    let export = try await GeneratedExport(program, ["--days", "200"])
    let run = try await program.killed("SIGINT", at: 30, of: store.path).run(
      "put", "--date", "all", "--input", export.xml, "--concurrency", "1", "--store",
      store.path)
    #expect(run.exitCode == 130)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("s3health: interrupted after "), "\(run.errors)")
    #expect(run.errors.contains(" of 200 days; run the same command again"), "\(run.errors)")
  }

  @Test func `a server that is gone ends an import with 69, and the next one goes on`()
    async throws
  {
    let server = try HostileStore()
    let program = try Program().asOneCollector().onHostile().sendingOnce()
    defer { program.removeHome() }
    let export = try await GeneratedExport(program, ["--days", "20"])
    func at(_ mode: String) -> [String] {
      ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint(mode)]
    }
    // Nothing listens on this port.
    let gone = try await program.run(
      ["import", export.xml, "--store", "s3://bucket/p", "--endpoint-url", "http://127.0.0.1:9"])
    #expect(gone.exitCode == 69)
    #expect(gone.output.contains("20 days: 1 failed, 19 not attempted"), "\(gone.output)")
    #expect(gone.errors.contains("s3health: 19 more days were not published"), "\(gone.errors)")
    let next = try await program.succeeds(
      ["import", export.xml, "--output", "json"] + at("honest")
    ).json()
    #expect(next["counts"] as? [String: Int] == ["published": 20])
  }
}
