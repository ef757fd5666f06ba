import Foundation
import TestSupport
import Testing

/// `verify --repair`, `--max-age`, `--strict` and the memory of a long range.
@Suite(.process) struct VerifyOptionTests {
  static let range = ["verify", "--from", "2026-02-08", "--to", "2026-02-09"]

  /// Two revisions of 2026-02-08 with a stale pointer, and 2026-02-09 without one.
  private func stale() async throws -> (program: Program, folder: URL) {
    let program = try Program()
    let day = program.defaultStore.appending(path: "health/v0/data/2026/02/08/latest.json")
    try await program.succeeds(["put", "--input", "-"], input: payload(steps: 1))
    let first = try Data(contentsOf: day)
    try await program.succeeds(["put", "--input", "-"], input: payload(steps: 2))
    try first.write(to: day)
    try await program.succeeds(["put", "--input", "-"], input: payload("2026-02-09"))
    try FileManager.default.removeItem(
      at: program.defaultStore.appending(path: "health/v0/data/2026/02/09/latest.json"))
    return (program, program.defaultStore)
  }

  @Test func `R38 a repair without --yes says what it would do and writes nothing`() async throws {
    let (program, folder) = try await stale()
    defer { program.removeHome() }
    let before = try contents(of: folder)
    let run = try await program.run(Self.range + ["--repair"])
    #expect(run.exitCode == 1)
    #expect(run.output.contains("repair   2026-02-08  would move latest.json from 2"))
    #expect(run.output.contains("repair   2026-02-09  would move latest.json from nothing to 2"))
    #expect(run.output.contains("nothing was written; add --yes"))
    #expect(try contents(of: folder) == before)
  }

  @Test func `R38 a repair with --yes moves pointers, writes nothing else and ends the faults`()
    async throws
  {
    let (program, folder) = try await stale()
    defer { program.removeHome() }
    let before = try contents(of: folder)
    let run = try await program.run(Self.range + ["--repair", "--yes"])
    #expect(run.exitCode == 0, "\(run.output)")
    #expect(run.output.contains("moved latest.json from"))
    #expect(run.errors.contains("moved latest.json of 2026-02-08"))
    #expect(run.output.hasSuffix("2 days: 2 complete\n"))
    let after = try contents(of: folder)
    let changed = Set(after.keys).union(before.keys).filter { before[$0] != after[$0] }
    #expect(
      changed.sorted() == [
        "health/v0/data/2026/02/08/latest.json", "health/v0/data/2026/02/09/latest.json",
      ])
    let again = try await program.succeeds(Self.range + ["--repair", "--yes"])
    #expect(again.output.hasSuffix("2 days: 2 complete\n") && again.errors.isEmpty)
    let unasked = try await program.run(Self.range + ["--yes"])
    #expect(unasked.exitCode == 64 && unasked.errors.contains("--yes needs --repair"))
  }

  @Test func `R38 a pointer that names nothing valid is left alone, and it is said why`()
    async throws
  {
    let (program, folder) = try await stale()
    defer { program.removeHome() }
    let revisions = folder.appending(path: "health/v0/data/2026/02/08/revisions")
    for name in try FileManager.default.contentsOfDirectory(atPath: revisions.path) {
      try Data("{".utf8).write(to: revisions.appending(path: name))
    }
    let before = try contents(of: folder)["health/v0/data/2026/02/08/latest.json"]
    let run = try await program.run(
      Self.range + ["--repair", "--yes", "--output", "json"])
    #expect(run.exitCode == 1)
    let repairs = try #require(try run.json()["repairs"] as? [[String: Any]])
    #expect(repairs.map { $0["date"] as? String } == ["2026-02-09"])
    #expect(try contents(of: folder)["health/v0/data/2026/02/08/latest.json"] == before)
  }
}
