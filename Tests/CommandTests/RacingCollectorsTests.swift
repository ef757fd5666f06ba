import Foundation
import TestSupport
import Testing

/// Two collectors, eight processes, one day: one latest revision, and nothing lost.
@Suite(.server) struct RacingCollectorsTests {
  @Test(arguments: TestServer.all)
  func `collectors that race on a server leave one latest, the greatest, and lose nothing (R25)`(
    server: TestServer
  ) async throws {
    let program = try Program().on(server)
    defer { program.removeHome() }
    try await race(program, server.arguments())
  }

  @Test
  func `collectors that race on a folder leave one latest, the greatest, and lose nothing (R25)`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    try await race(program, ["--store", try program.folder("store").path])
  }

  private func race(_ program: Program, _ store: [String]) async throws {
    let phone = "--collector-id=0B7E1D7A-7F8F-4C34-9F5D-2C9C1D6B1A01"
    let importer = "--collector-id=0B7E1D7A-7F8F-4C34-9F5D-2C9C1D6B1A02"
    let runs = try await withThrowingTaskGroup(of: Program.Run.self) { group in
      for number in 1...8 {
        group.addTask {
          try await program.run(
            [
              "put", "--input", "-", "--output", "json", number % 2 == 0 ? phone : importer,
              "--source", "source-\(number)",
            ] + store,
            input: payload(steps: number))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    var published: Set<String> = []
    for run in runs {
      #expect(run.exitCode == 0, "\(run.errors)")
      let results = try #require(try run.json()["results"] as? [[String: Any]])
      let outcome = try #require(results.first?["outcome"] as? String)
      #expect(["published", "superseded"].contains(outcome))
      published.insert(try #require(results.first?["revision_id"] as? String))
    }
    let day = ["2026-02-08", "--output", "json"]
    let history = try await program.succeeds(["get", "--history"] + day + store).json()
    let revisions = try #require(history["revisions"] as? [[String: String]])
    // Who met another one has stored the join of both, and two can have stored the same one (R21).
    let stored = Set(revisions.compactMap { $0["revision_id"] })
    #expect(published.isSubset(of: stored))
    #expect(history["latest"] as? String == stored.max())
    // The latest has what each of them said.
    let explained = try await program.succeeds(["get", "--explain"] + day + store).json()
    let metrics = try #require(explained["metrics"] as? [[String: Any]])
    let steps = try #require(metrics.first { $0["metric"] as? String == "steps" })
    let words = ["shown", "others"].flatMap { steps[$0] as? [[String: Any]] ?? [] }
    #expect(Set(words.compactMap { $0["value"] as? Int }) == Set(1...8))
    #expect(Set(words.compactMap { $0["source"] as? String }).count == 8)
    // A stale, dangling or corrupt pointer would be a finding; a missing one a note.
    let verify = try await program.succeeds(
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08", "--output", "json"] + store)
    #expect((try verify.json()["findings"] as? [Any])?.isEmpty == true, "\(verify.output)")
  }
}
