import Foundation
import TestSupport
import Testing

/// `verify --repair`, `--max-age`, `--strict` and the memory of a long range.
@Suite(.process) struct VerifyOptionTests {
  private static let range = ["verify", "--from", "2026-02-08", "--to", "2026-02-09"]

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

  @Test func `R35 --max-age is a gate, and --strict counts warnings`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    try await program.succeeds(["put", "--input", "-"], input: payload(steps: 0))
    let range = ["verify", "--from", "2026-02-08", "--to", "2026-02-08"]
    try await program.succeeds(range + ["--max-age", "36h"])
    // The day's only revision is made older, in all that shows its moment.
    let folder = program.defaultStore.appending(path: "health/v0/data/2026/02/08")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: "revisions").path)
    let id = try #require(names.first).replacing(".json", with: "")
    let old = "20260209T060000Z-ABCDEF"
    for path in ["revisions/\(id).json", "latest.json"] {
      let file = folder.appending(path: path)
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        .replacing(id, with: old)
        .replacing(PlantedDocument.moment(of: id), with: PlantedDocument.moment(of: old))
        .replacing(/"digest":"[^"]*",/, with: "")
      try FileManager.default.removeItem(at: file)
      try Data(text.utf8).write(to: folder.appending(path: path.replacing(id, with: old)))
    }
    let words = try await program.run(range + ["--max-age", "1d12h"])
    #expect(words.output.contains("complete, the newest revision is too old"), "\(words.output)")
    let gate = try await program.run(range + ["--max-age", "1d12h", "--output", "json"])
    #expect(gate.exitCode == 1)
    let findings = try #require(try gate.json()["findings"] as? [[String: Any]])
    #expect(
      findings.compactMap { $0["code"] as? String }.sorted() == [
        "id_far_from_last_modified", "newest_too_old", "suspicious_zero",
      ])
    #expect(try gate.json()["max_age_seconds"] as? Int == 129_600)
    let lenient = try await program.succeeds(range)
    #expect(lenient.output.hasSuffix("1 day: 1 complete, 2 warnings\n"))
    #expect(try await program.run(range + ["--strict"]).exitCode == 1)
    for wrong in ["36", "h", "-1h", "0h", "1y", "1h1", "", "99999999999999999999h", "١h"] {
      let run = try await program.run(range + ["--max-age=\(wrong)"])
      #expect(run.exitCode == 64, "\(wrong)")
    }
  }

  @Test(.nightly) func `R35 ten years take hardly more memory than one`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let store = PlantedStore(from: PlantedDate(number: 16_000), days: 3660, seed: 3, faulty: false)
    let folder = try program.folder("planted")
    try store.write(to: folder)
    var measured = program
    let python = try #require(ProcessInfo.processInfo.environment["S3HEALTH_PEER_PYTHON"])
    measured.wrapper = [
      python, ProjectTree.root.appending(path: "Tests/Peers/peak_on_stderr.py").path,
    ]
    var peaks: [Int] = []
    for days in [366, 3660] {
      let run = try await measured.run([
        "verify", "--from", store.days[0].date.text, "--to", store.days[days - 1].date.text,
        "--max-days", "3660", "--deep", "--output", "json", "--store", folder.path,
      ])
      #expect(try run.json()["ok_days"] as? Int == days, "\(run.errors)")
      let line = try #require(run.errors.split(separator: "\n").last { $0.hasPrefix("peak ") })
      peaks.append(try #require(Int(line.dropFirst(5))))
    }
    print("verify --deep: peak memory of 366 days \(peaks[0]) KB, of 3660 days \(peaks[1]) KB")
    #expect(peaks[1] - peaks[0] < 24_000, "\(peaks) KB")
  }
}
