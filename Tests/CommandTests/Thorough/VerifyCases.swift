import Foundation
import TestSupport
import Testing

/// Further damage, and what is said of it.
extension VerifyFindingsTests {
  @Test func `a day of the year 1 needs leave, and hides no other (R19, R33)`() async throws {
    let store = try await DamagedDay()
    let old = Array(#"{"date": "0001-01-01", "metrics": {"steps": 1}}"#.utf8)
    try await store.program.run(
      ["put", "--input", "-"], input: old, ends: 64, saying: "--allow-past")
    _ = try await store.program.succeeds(["put", "--input", "-", "--allow-past"], input: old)
    try await store.program.run(
      ["verify", "--allow-missing"], ends: 0, saying: "0001-01-02 to 2026-02-07")
    for table in ["csv", "openmetrics"] {
      try await store.program.succeeds(
        ["export", table], printing: table == "csv" ? "2026-02-08" : "healthkit_steps")
    }
  }

  @Test(arguments: ["08 2", "08 (1)"])
  func `a copy of the day's folder is a conflict copy, to be kept`(name: String) async throws {
    let store = try await DamagedDay()
    let month = store.day.deletingLastPathComponent()
    try FileManager.default.copyItem(at: store.day, to: month.appending(path: name))
    let findings = try await store.document(exit: 0)
    #expect(findings.map { $0["code"] } == Array(repeating: "conflict_copy", count: 3))
    for finding in findings {
      #expect(finding["date"] == "2026-02-08")
      #expect(finding["message"]?.contains("2026/02/\(name), a copy of the folder") == true)
      #expect(finding["remedy"]?.contains("move the revisions that are only in health/v0") == true)
      #expect(finding["remedy"]?.hasSuffix("2026/02/08, then remove the copy") == true)
    }
    let day = ["--from", "2026-02-08", "--to", "2026-02-08"]
    let text = try await store.program.succeeds(["verify"] + day)
    #expect(text.output.components(separatedBy: "do: ").count == 2)
    // It is the copy of that day, and of no other.
    let before = try await store.program.succeeds(["verify", "2026-02-07", "--allow-missing"])
    #expect(!before.output.contains("conflict_copy"))
  }

  @Test func `copies of other objects do not get the remedy of one of them`() async throws {
    let store = try await DamagedDay()
    try store.write("1", to: store.day.appending(path: "latest 2.json"))
    for id in store.ids {
      try store.write("1", to: store.day.appending(path: "revisions/\(id) 2.json"))
    }
    let text = try await store.program.succeeds(["verify", "2026-02-08"])
    for original in ["latest.json"] + store.ids.map({ "revisions/\($0).json" }) {
      #expect(text.output.contains("do: compare it with \(original): "))
    }
  }

  @Test func `runs of missing dates are reported as runs, and each in JSON`() async throws {
    let program = try Program()
    for date in ["2026-02-03", "2026-02-08"] {
      try await program.put(payload(date))
    }
    let command = ["verify", "2026-02-01..2026-02-09"]
    let text = try await program.run(
      command, ends: 1, printing: "missing  2026-02-01 to 2026-02-02 (2 days)",
      "missing  2026-02-04 to 2026-02-07 (4 days)", "missing  2026-02-09\n")
    #expect(text.output.hasSuffix("9 days: 2 complete, 7 missing\n"))
    let lenient = try await program.succeeds(command + ["--allow-missing", "--output", "json"])
    #expect((try lenient.json()["missing_dates"] as? [String])?.count == 7)
    #expect(try lenient.json()["missing_allowed"] as? Bool == true)
  }
}

/// The memory of a long range, and the gates of a run (R35).
extension VerifyOptionTests {
  @Test func `R35 --max-age is a gate, and --strict counts warnings`() async throws {
    let program = try Program()
    try await program.put(payload(steps: 0))
    let range = ["verify", "2026-02-08"]
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
    #expect(words.output.contains("complete, the newest revision is too old"))
    let gate = try await program.run(range + ["--max-age", "1d12h", "--output", "json"], ends: 1)
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
    let store = PlantedStore(from: PlantedDate(number: 16_000), days: 3660, seed: 3, faulty: false)
    let folder = try program.folder("planted")
    try store.write(to: folder)
    let measured = try program.wrapped(by: "peak_on_stderr.py")
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

/// R35: what `verify` reports where there is far too much to report.
@Suite(.process) struct VerifyVolumeTests {
  @Test func `R35 errors and a kind's only note come before fifty thousand notes`() async throws {
    let program = try Program()
    for day in 1...4 { try await program.put(payload("2026-02-0\(day)")) }
    let data = program.defaultStore.appending(path: "health/v0/data/2026/02")
    for number in 0..<50_005 {
      let path = data.appending(path: "01/stray-\(number)").path
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
    }
    // The last days' revisions break a rule, after more notes than are kept.
    for day in 2...4 { try spoil(data, day) }
    try FileManager.default.removeItem(at: data.appending(path: "04/latest.json"))
    let verify = ["verify", "2026-02-01..2026-02-04"]
    let run = try await program.run(verify + ["--output", "json"], ends: 1)
    let document = try run.json()
    let findings = try #require(document["findings"] as? [[String: Any]])
    #expect(findings.count == 50_000)
    func count(_ code: String) -> Int { findings.count { $0["code"] as? String == code } }
    #expect(count("unit_mismatch") == 3 && count("pointer_missing") == 1)
    // What was spoilt fails its digest, too.
    #expect(count("digest_differs") == 3)
    #expect(document["findings_omitted"] as? Int == 12)
    #expect(
      document["findings_omitted_by_severity"] as? [String: Int]
        == ["error": 0, "warning": 0, "note": 12])
  }

  @Test func `R35 text shows the first findings of a kind, and counts the rest`() async throws {
    let program = try Program()
    for day in 1...4 { try await program.put(payload("2026-02-0\(day)")) }
    let data = program.defaultStore.appending(path: "health/v0/data/2026/02")
    for number in 0..<27 {
      let path = data.appending(path: "01/stray-\(number)").path
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
    }
    for day in 2...4 { try spoil(data, day) }
    let text = try await program.run(["verify", "2026-02-01..2026-02-04"], ends: 1)
    for day in 2...4 {
      let line = "error    2026-02-0\(day)  unit_mismatch [R9]"
      #expect(text.output.contains(line))
    }
    #expect(text.output.components(separatedBy: "  foreign_object [R5]").count == 21)
    #expect(text.output.contains("and 7 more of foreign_object"))
    #expect(text.output.contains("lists every finding"))
    #expect(text.output.contains("use this revision anyway"))
    // And readers are answered with it.
    #expect(try await program.succeeds(["get", "2026-02-03"]).output.contains("8,432"))
  }

  @Test func `text shows no character that a terminal obeys, and bounds each kind`() async throws {
    let program = try Program()
    let folder = try program.folder("store")
    try PlantedStore(from: PlantedDate(number: 20_100), days: 3, seed: 5).write(to: folder)
    let day = PlantedDate(number: 20_101)
    for name in ["bell\u{7}\u{1B}[31m.txt", "line\nbreak"] {
      let file = folder.appending(path: "health/v0/data/\(day.path)/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data([1]).write(to: file)
    }
    let run = try await program.run(
      ["verify", "--from", day.text, "--to", day.text, "--store", folder.path])
    #expect(run.output.contains("bell\\u{7}\\u{1b}[31m.txt"))
    #expect(run.output.contains("line\\u{a}break"))
    #expect(!run.output.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
  }

  /// Gives the unit of the day's steps another name.
  private func spoil(_ data: URL, _ day: Int) throws {
    let folder = data.appending(path: "0\(day)/revisions")
    let name = try #require(try contents(of: folder).keys.first)
    let file = folder.appending(path: name)
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(text.replacing(#""steps":"count""#, with: #""steps":"steps""#).utf8).write(to: file)
  }
}
