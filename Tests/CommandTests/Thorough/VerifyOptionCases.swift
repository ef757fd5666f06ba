import Foundation
import TestSupport
import Testing

/// The memory of a long range, and the gates of a run (R35).
extension VerifyOptionTests {
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

  @Test func `R35 ten years take hardly more memory than one`() async throws {
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
