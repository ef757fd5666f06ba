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

  @Test(arguments: TestDepth.one(of: 3, ["garbage", "", "{}", #"{"date": "2026-02-08"}"#]))
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
    let diff = try await store.program.succeeds(["get", "--diff", "2026-02-08"])
    #expect(!diff.output.contains("digest"))
    let put = try await store.program.succeeds(["put", "--input", "-"], input: payload(steps: 2))
    #expect(put.output.hasPrefix("published"), "\(put.output)")
    #expect(try await store.findings(exit: 0).isEmpty)
    #expect(try await store.steps() == 2)
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
      (["get", "--summary"], "not readable, not counted: 2026-02-08"),
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
}
