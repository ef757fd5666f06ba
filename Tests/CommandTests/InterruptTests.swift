import Foundation
import TestSupport
import Testing

/// Control-C.
@Suite(.process) struct InterruptTests {
  @Test func `an interrupted put ends at once, and the next one completes it`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let at = server.store
    let put = ["put", "--input", "-", "--timeout", "3600"] + at("stalls")
    let run = try await program.interrupted(by: server, at: "PUT", "/revisions/")
      .run(put, input: payload())
    // The server holds its answer back for an hour.
    #expect(run.exitCode == 130)
    #expect(run.output.isEmpty)

    let next = try await program.put(payload(), at("honest"))
    #expect(next.output.hasPrefix("unchanged"))
    let verify = try await program.succeeds(
      ["verify", "2026-02-08"] + at("honest"), printing: "1 day: 1 complete")
    #expect(!verify.output.contains("pointer"))
  }

  @Test func `a read interrupted while the server is mute ends at once`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let run = try await program.interrupted(by: server, at: "GET", "/health/").run(
      "get", "2026-02-08", "--store", "s3://bucket", "--endpoint-url", server.endpoint("mute"))
    #expect(run.exitCode == 130)
    #expect(run.output.isEmpty)
  }
}

/// Imports that are killed or interrupted at some moment, and run again.
@Suite(.server) struct ImportInterruptTests {
  /// Writes of 120 after which the import of 60 days is killed: before the first day is whole,
  /// with some between revision and pointer, and in the middle.
  static let moments = [1, 2, 17, 40, 41, 63]

  @Test(arguments: TestDepth.one(of: 3, moments))
  func `an import killed on a folder is completed by the next, once`(moment: Int) async throws {
    let program = try Program().asOneCollector()
    let (killed, whole) = (try program.folder("killed"), try program.folder("whole"))
    let stores = Stores(killed: ["--store", killed.path], whole: ["--store", whole.path])
    _ = try await importTwice(program, stores, at: moment, of: killed.path)
    // One revision a day, the pointers at them, and the payloads of an import that ran through.
    #expect(try payloads(in: killed) == payloads(in: whole))
    let files = try contents(of: killed).keys
    #expect(files.count { $0.contains("/revisions/") } == 60)
    #expect(files.count { $0.hasSuffix("/latest.json") } == 60)
    let verify = try await program.succeeds(
      ["verify", "2024-04-16..2024-06-14"] + stores.killed, printing: "60 days: 60 complete")
    #expect(!verify.output.contains("pointer"))
  }

  /// The stores of one test, each with its arguments.
  struct Stores {
    let killed: [String]
    let whole: [String]
  }

  /// Imports to one store with a kill and a second run, and to another without.
  func importTwice(
    _ program: Program, _ stores: Stores, at moment: Int, of what: String
  ) async throws -> GeneratedExport {
    let export = try await GeneratedExport(program, ["--days", "60", "--seed", "\(moment)"])
    let verbose = what == "requests" ? ["--verbose"] : []
    let first = try await program.killed(at: moment, of: what).run(
      ["import", export.xml, "--concurrency", "4"] + verbose + stores.killed, ends: 137,
      saying: "killed")
    #expect(first.output.isEmpty, "a killed run prints no result")
    if what == "requests" { try await settle(program, stores.killed) }

    let second = try await counts(program, export, stores.killed)
    #expect(second["published", default: 0] + second["unchanged", default: 0] == 60)
    // It goes on where the killed run was, and that was not at its end.
    #expect(second["published", default: 0] > 0)
    if moment > 8 { #expect(second["unchanged", default: 0] > 0) }
    try await program.succeeds(["import", export.xml] + stores.whole)
    #expect(try await counts(program, export, stores.killed) == ["unchanged": 60])
    return export
  }

  /// Waits until a server holds still: what a killed program had sent may be applied after its end,
  /// and a revision that arrives only after the next run has looked is one that nobody could know.
  private func settle(_ program: Program, _ store: [String]) async throws {
    let verify = ["verify", "2024-04-16..2024-06-14", "--output", "json"]
    var (last, times) = ("", 0)
    while times < 4 {
      try await Task.sleep(for: .milliseconds(500))
      let seen = try await program.run(verify + store).output
      times = seen == last ? times + 1 : 0
      last = seen
    }
  }

  /// The outcomes of an import's days.
  func counts(
    _ program: Program, _ export: GeneratedExport, _ store: [String]
  ) async throws -> [String: Int] {
    let run = try await program.succeeds(["import", export.xml, "--output", "json"] + store)
    return try #require(try run.json()["counts"] as? [String: Int])
  }

  /// What each pointer of a folder leads to, without what differs between two publishes.
  private func payloads(in folder: URL) throws -> [String: String] {
    var payloads: [String: String] = [:]
    for (name, bytes) in try contents(of: folder) where name.hasSuffix("/latest.json") {
      let pointer = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
      let path = try #require(pointer?["revision_relpath"] as? String)
      let file = folder.appending(path: name.replacing("latest.json", with: path))
      let value = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
      payloads[name] = try Program.payload(of: try #require(value as? [String: Any]))
    }
    return payloads
  }

  @Test(
    arguments: TestDepth.full(
      [["import"], ["put", "--date", "all", "--input"]], usual: [["import"]]))
  func `Control-C ends an import with how to go on`(command: [String]) async throws {
    let program = try Program().asOneCollector()
    let store = try program.folder("store")
    let export = try await GeneratedExport(program, ["--days", "200"])
    let run = try await program.killed("SIGINT", at: 30, of: store.path).run(
      command + [export.xml, "--concurrency", "1", "--store", store.path], ends: 130,
      saying: "s3health: interrupted after ", " of 200 days; run the same command again")
    #expect(run.output.isEmpty)
    let next = try await program.succeeds([
      "import", export.xml, "--store", store.path, "--output", "json",
    ]).json()
    let counts = try #require(next["counts"] as? [String: Int])
    #expect(counts["published", default: 0] > 0 && counts["unchanged", default: 0] >= 10)
    #expect(counts["published", default: 0] + counts["unchanged", default: 0] == 200)
  }
}
