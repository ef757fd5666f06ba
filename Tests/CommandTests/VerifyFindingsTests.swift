import Foundation
import TestSupport
import Testing

/// `verify` on stores that somebody has damaged.
@Suite(.process) struct VerifyFindingsTests {
  @Test func `a sound store has no findings, and verifying writes nothing`() async throws {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    let before = try contents(of: store.program.defaultStore)
    #expect(try await store.findings(exit: 0).isEmpty)
    #expect(try contents(of: store.program.defaultStore) == before)
  }

  @Test(arguments: ["garbage", "", "{}", #"{"date": "2026-02-08"}"#])
  func `a corrupt pointer is found, hides nothing, and is repaired by the next put (R30)`(
    text: String
  ) async throws {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    try store.write(text, to: store.pointer)
    let finding = try #require(try await store.findings(exit: 1)["pointer_corrupt"])
    #expect(finding["severity"] == "error")
    #expect(finding["key"]?.hasSuffix("2026/02/08/latest.json") == true)
    #expect(try await store.steps() == 2)
    try await store.mendsByPut()
  }

  @Test
  func `a changed digit is found, said wherever the day is shown, and replaced by a put (R60)`()
    async throws
  {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    let file = store.revision(store.ids[1])
    let sound = try store.text(file)
    #expect(sound.contains("\"steps\":2}"))
    try store.write(sound.replacing("\"steps\":2}", with: "\"steps\":3}"), to: file)
    let finding = try #require(try await store.findings(exit: 1)["digest_differs"])
    #expect(finding["severity"] == "error" && finding["rule"] == "R60")
    #expect(try await store.steps() == 3)
    for command in [
      ["get", "2026-02-08"], ["get", "--from", "2026-02-08", "--to", "2026-02-08"],
      ["export", "csv", "--from", "2026-02-08", "--to", "2026-02-08"],
      ["export", "openmetrics", "--from", "2026-02-08", "--to", "2026-02-08"],
    ] {
      let run = try await store.program.succeeds(command)
      #expect(run.errors.contains("[R60]"), "\(command) \(run.errors)")
    }
    let diff = try await store.program.succeeds(["diff", "2026-02-08"])
    #expect(!diff.output.contains("digest"))
    let put = try await store.program.succeeds(["put", "--input", "-"], input: payload(steps: 2))
    #expect(put.output.hasPrefix("published"), "\(put.output)")
    #expect(try await store.findings(exit: 0).isEmpty)
    #expect(try await store.steps() == 2)
  }

  @Test
  func `a day of the year 1 needs leave, and hides no other from verify and export (R19, R33)`()
    async throws
  {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    let old = Array(#"{"date": "0001-01-01", "metrics": {"steps": 1}}"#.utf8)
    let refused = try await store.program.run(["put", "--input", "-"], input: old)
    #expect(refused.exitCode == 64 && refused.errors.contains("--allow-past"))
    _ = try await store.program.succeeds(["put", "--input", "-", "--allow-past"], input: old)
    let verify = try await store.program.run(["verify", "--allow-missing"])
    #expect(verify.exitCode == 0, "\(verify.output)\(verify.errors)")
    #expect(verify.errors.contains("0001-01-02 to 2026-02-07"))
    for table in ["csv", "openmetrics"] {
      let export = try await store.program.succeeds(["export", table])
      #expect(export.output.contains(table == "csv" ? "2026-02-08" : "healthkit_steps"))
    }
  }

  @Test func `a dangling pointer is found and hides nothing (R30)`() async throws {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    try FileManager.default.removeItem(at: store.revision(store.ids[1]))
    #expect(try await store.findings(exit: 1)["pointer_dangling"] != nil)
    #expect(try await store.steps() == 1)
  }

  @Test func `a day whose revisions are all gone is nowhere called missing (R30, R34)`()
    async throws
  {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    for id in store.ids { try FileManager.default.removeItem(at: store.revision(id)) }
    let findings = try await store.findings(exit: 1)
    #expect(Set(findings.keys) == ["no_valid_revision", "pointer_dangling"])
    let span = ["--from", "2026-02-07", "--to", "2026-02-08"]
    let get = try await store.program.run(["get", "2026-02-08"])
    #expect(get.errors.contains("no revision of 2026-02-08 is readable"))
    for (arguments, word) in [
      (["get"], "2026-02-08  no readable revision"),
      (["summary"], "not readable, not counted: 2026-02-08"),
      (["ls"], "1 day stored, 1 missing in 1 gap"),
    ] {
      let run = try await store.program.run(arguments + span)
      #expect(run.output.contains(word), "\(arguments): \(run.output)\(run.errors)")
      #expect(!run.output.contains("missing, not counted: 2026-02-07 to 2026-02-08"))
    }
    let page = store.program.home.appending(path: "page.html").path
    let report = try await store.program.run(
      ["report", "--html", page, "--output", "json"] + span)
    #expect(try report.json()["invalid_days"] as? Int == 1)
    #expect(try report.json()["missing_days"] as? Int == 1)
    let table = try await store.program.run(["export", "csv"])
    #expect(table.errors.contains("1 date has no data, and no row"), "\(table.errors)")
  }

  @Test func `a stale pointer is found, hides nothing, and is repaired by the next put (R25)`()
    async throws
  {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    let stale = try store.text(store.pointer).replacing(store.ids[1], with: store.ids[0])
      .replacing(moment(store.ids[1]), with: moment(store.ids[0]))
    try store.write(stale, to: store.pointer)
    #expect(try await store.findings(exit: 1)["pointer_stale"] != nil)
    #expect(try await store.steps() == 2)
    try await store.mendsByPut()
  }

  /// The moment of an id as a document writes it.
  private func moment(_ id: String) -> String {
    let d = Array(id)
    return String(d[0..<4]) + "-" + String(d[4..<6]) + "-" + String(d[6..<11]) + ":"
      + String(d[11..<13]) + ":" + String(d[13..<16])
  }

  @Test func `a missing pointer is a note, since readers list (R35)`() async throws {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    try FileManager.default.removeItem(at: store.pointer)
    let finding = try #require(try await store.findings(exit: 0)["pointer_missing"])
    #expect(finding["severity"] == "note")
    #expect(try await store.steps() == 2)
    try await store.mendsByPut()
  }

  @Test func `a newest revision that breaks a rule is found, and the one before answers (R30)`()
    async throws
  {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    let newest = store.revision(store.ids[1])
    try store.write(
      try store.text(newest).replacing(#""steps":"ok""#, with: #""steps":"no_data""#), to: newest)
    let found = try await store.findings(exit: 1)
    let finding = try #require(found["number_without_ok"])
    #expect(finding["rule"] == "R10")
    #expect(finding["pointer"]?.hasPrefix("/metric") == true)
    #expect(finding["key"]?.hasSuffix("revisions/\(store.ids[1]).json") == true)
    #expect(found["pointer_to_invalid"] != nil)
    #expect(try await store.steps() == 1)
    let get = try await store.program.succeeds(["get", "2026-02-08"])
    #expect(get.errors.contains("skipped revision \(store.ids[1])"))
    let itself = try await store.program.run(
      "get", "2026-02-08", "--revision", store.ids[1])
    #expect(itself.exitCode == 1)
    #expect(itself.errors.contains("R10"))
  }

  @Test func `a day without any valid revision is an error, not a missing date`() async throws {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    for id in store.ids { try store.write("{", to: store.revision(id)) }
    let found = try await store.findings(exit: 1)
    #expect(found["not_json"]?["rule"] == "R13")
    #expect(found["missing_date"] == nil)
    let run = try await store.program.run(
      "verify", "--from", "2026-02-08", "--to", "2026-02-08", "--output", "json")
    #expect(try run.json()["invalid_days"] as? Int == 1)
    #expect(try run.json()["missing_dates"] as? [String] == [])
    try await store.program.fails(
      ["get", "2026-02-08"], as: .dataNotFound,
      saying: "no revision of 2026-02-08 is readable", "--history")
    #expect(
      try await store.program.run(
        "verify", "--from", "2026-02-08", "--to", "2026-02-08", "--allow-missing"
      ).exitCode == 1)
  }

  @Test func `objects that are not ours are notes (R17)`() async throws {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    try store.write("mine", to: store.day.appending(path: "revisions/notes.txt"))
    let finding = try #require(try await store.findings(exit: 0)["foreign_object"])
    #expect(finding["severity"] == "note")
    #expect(finding["key"]?.hasSuffix("notes.txt") == true)
  }

  @Test(arguments: ["08 2", "08 (1)"])
  func `a copy of the day's folder is a conflict copy, and its revisions are to be kept`(
    name: String
  ) async throws {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    let month = store.day.deletingLastPathComponent()
    try FileManager.default.copyItem(at: store.day, to: month.appending(path: name))
    let findings = try await store.document(exit: 0)
    #expect(findings.map { $0["code"] } == Array(repeating: "conflict_copy", count: 3))
    for finding in findings {
      #expect(finding["date"] == "2026-02-08")
      #expect(finding["message"]?.contains("2026/02/\(name), a copy of the folder") == true)
      #expect(
        finding["remedy"]?.contains("move the revisions that are only in health/v0") == true)
      #expect(finding["remedy"]?.hasSuffix("2026/02/08, then remove the copy") == true)
    }
    let day = ["--from", "2026-02-08", "--to", "2026-02-08"]
    let text = try await store.program.succeeds(["verify"] + day)
    #expect(text.output.components(separatedBy: "do: ").count == 2, "\(text.output)")
    // It is the copy of that day, and of no other.
    let before = try await store.program.succeeds(
      ["verify", "--from", "2026-02-07", "--to", "2026-02-07", "--allow-missing"])
    #expect(!before.output.contains("conflict_copy"), "\(before.output)")
  }

  @Test func `copies of different objects are not reported with the remedy of one of them`()
    async throws
  {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    try store.write("1", to: store.day.appending(path: "latest 2.json"))
    for id in store.ids {
      try store.write("1", to: store.day.appending(path: "revisions/\(id) 2.json"))
    }
    let text = try await store.program.succeeds([
      "verify", "--from", "2026-02-08", "--to", "2026-02-08",
    ])
    for original in ["latest.json"] + store.ids.map({ "revisions/\($0).json" }) {
      #expect(text.output.contains("do: compare it with \(original): "), "\(text.output)")
    }
  }

  @Test func `runs of missing dates are reported as runs, and each in JSON`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    for date in ["2026-02-03", "2026-02-08"] {
      try await program.succeeds(["put", "--input", "-"], input: payload(date))
    }
    let command = ["verify", "--from", "2026-02-01", "--to", "2026-02-09"]
    let text = try await program.run(command)
    #expect(text.exitCode == 1)
    #expect(text.output.contains("missing  2026-02-01 to 2026-02-02 (2 days)"))
    #expect(text.output.contains("missing  2026-02-04 to 2026-02-07 (4 days)"))
    #expect(text.output.contains("missing  2026-02-09\n"))
    #expect(text.output.hasSuffix("9 days: 2 complete, 7 missing\n"))
    let lenient = try await program.succeeds(command + ["--allow-missing", "--output", "json"])
    #expect((try lenient.json()["missing_dates"] as? [String])?.count == 7)
    #expect(try lenient.json()["missing_allowed"] as? Bool == true)
  }
}
