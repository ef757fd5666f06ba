import Foundation
import TestSupport
import Testing

/// R20: older data never replaces newer in silence, and dates that are still to come are refused.
@Suite(.process) struct OlderDataTests {
  func export(exported: String, steps: [String: Int]) -> [UInt8] {
    SmallExport.bytes(
      made: "\(exported) +0100",
      steps.sorted { $0.key < $1.key }.map { date, count in
        SmallExport.record(
          "StepCount", count, from: "\(date) 10:00:00 +0100", to: "\(date) 10:00:30 +0100")
      })
  }

  @Test func `R20 an older export leaves today's figures, and says so`() async throws {
    let program = try Program().asOneCollector()
    let old = try program.file(
      "old.xml",
      export(
        exported: "2026-02-09 20:00:00",
        steps: ["2026-02-06": 60, "2026-02-07": 70, "2026-02-08": 80]))
    let new = try program.file(
      "new.xml",
      export(
        exported: "2026-02-10 20:00:00",
        steps: ["2026-02-07": 70, "2026-02-08": 88, "2026-02-09": 90]))
    try await program.succeeds(
      ["import", new], printing: "3 days: 3 published new in ")

    let preview = try await program.succeeds(["import", old, "--dry-run"])
    let hidden =
      "1 number of this source not shown, because newer or more complete data comes first"
    #expect(preview.output.contains(hidden))
    let expected =
      "3 days: 1 published new, 2 unchanged in \(program.defaultStore.path); \(hidden); --force shows it"
    try await program.succeeds(["import", old], printing: expected)
    #expect(try await program.steps("2026-02-08") == 88)
    #expect(try await program.revisions("2026-02-08") == 1)

    // put reads the same export by the same rule.
    let put = ["put", "--date", "2026-02-08", "--input", old]
    let skipped = try await program.succeeds(put + ["--output", "json"]).json()
    let result = try #require((skipped["results"] as? [[String: Any]])?.first)
    #expect(result["outcome"] as? String == "unchanged")
    #expect(result["not_shown"] as? [String] == ["steps"])
    try await program.succeeds(put, printing: hidden)

    try await program.succeeds(
      ["import", old, "--force"], printing: "3 days: 1 changed, 2 unchanged in ")
    #expect(try await program.steps("2026-02-08") == 80)
    // Data that is read now is never older.
    try await program.put(payload(steps: 99))
    #expect(try await program.steps("2026-02-08") == 99)
    // The weight is new; the steps are older than those that `put` published.
    let weighed = try program.export(
      made: "2026-02-10 21:00:00 +0100",
      [
        SmallExport.record(
          "StepCount", 70, from: "2026-02-08 10:00:00 +0100", to: "2026-02-08 10:00:30 +0100"),
        SmallExport.record(
          "BodyMass", 80, unit: "kg", from: "2026-02-08 10:00:00 +0100",
          to: "2026-02-08 10:00:00 +0100"),
      ])
    let partly = ["put", "--date", "2026-02-08", "--input", weighed, "--dry-run", "-o", "json"]
    let day = try #require(
      (try await program.succeeds(partly).json()["results"] as? [[String: Any]])?.first)
    #expect(day["outcome"] as? String == "would_publish")
    #expect(day["not_shown"] as? [String] == ["steps"], "\(day)")
    try await program.succeeds(["import", weighed], printing: hidden)
    #expect(try await program.steps("2026-02-08") == 99)
  }

  @Test func `R19, R33 an export that ends within a day stays one of a part, also by force`()
    async throws
  {
    let program = try Program().asOneCollector()
    func made(_ hour: Int, _ steps: Int) throws -> [String] {
      let file = try program.file(
        "\(hour).xml", export(exported: "2026-02-08 \(hour):00:00", steps: ["2026-02-08": steps]))
      return ["import", file, "--to", "2026-02-08"]
    }
    let part = "  captured at 12:00, of a part of the day\n"
    try await program.succeeds(try made(12, 60) + ["--force"])
    try await program.succeeds(["get", "2026-02-08"], printing: part)
    try await program.succeeds(
      ["verify", "2026-02-08"], printing: "partial [R33]", "1 day: 0 complete, 1 partial, 1 note")
    let table = try await program.succeeds(["export", "csv", "--metrics", "steps"]).output
    #expect(table.hasSuffix(",60,true,steps\n"), "\(table)")
    try await program.succeeds(
      ["get", "2026-02-08", "--explain"], printing: "the day until 12:00, read ")
    // A later export of the same day reaches further; forced, the shorter one counts again.
    try await program.succeeds(try made(18, 90) + ["--force"])
    #expect(try await program.steps() == 90)
    try await program.succeeds(try made(12, 60) + ["--force"])
    #expect(try await program.steps() == 60)
    try await program.succeeds(["verify", "2026-02-08"], printing: "1 partial, 1 note")
    // An export of the whole day, made and read after it, ends that.
    let whole = try program.file(
      "whole.xml", export(exported: "2026-02-09 20:00:00", steps: ["2026-02-08": 120]))
    try await program.succeeds(["import", whole, "--force"])
    #expect(try await program.steps() == 120)
    try await program.succeeds(["verify", "2026-02-08"], printing: "1 day: 1 complete")
  }

  @Test func `R20 an export between two equal ones counts, and says what becomes of the newer one`()
    async throws
  {
    let program = try Program().asOneCollector()
    func made(_ date: String, _ steps: [String: Int]) throws -> [String] {
      let bytes = export(exported: "\(date) 20:00:00", steps: steps)
      return ["import", try program.file("\(date).xml", bytes)]
    }
    let first = try made("2026-02-09", ["2026-02-07": 70, "2026-02-08": 80])
    let between = try made("2026-02-10", ["2026-02-07": 70, "2026-02-08": 66])
    let newest = try made("2026-02-12", ["2026-02-07": 70, "2026-02-08": 80, "2026-02-11": 11])
    let advice =
      "although a newer export of this source was imported before (made 2026-02-12T19:00:00Z)"
    for export in [first, newest] {
      #expect(!(try await program.succeeds(export)).errors.contains("newer export"))
    }
    try await program.succeeds(
      between + ["--dry-run"], saying: "1 day changed, \(advice)", "import that one again")
    try await program.succeeds(between, saying: "1 day changed, \(advice)")
    #expect(try await program.steps() == 66)
    #expect(!(try await program.succeeds(newest)).errors.contains("newer export"))
    #expect(try await program.steps() == 80)
  }

  @Test func `R60 an import over damage names what was lost with it`() async throws {
    let program = try Program().asOneCollector()
    let file = try program.file(
      "export.xml", export(exported: "2026-02-09 20:00:00", steps: ["2026-02-08": 80]))
    try await program.succeeds(["import", file])
    try await program.put(#"{"date": "2026-02-08", "metrics": {"steps": 5000}}"#)
    let folder = program.defaultStore.appending(path: "health/v0/data/2026/02/08/revisions")
    let newest = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).max())
    let revision = folder.appending(path: newest)
    let text = try String(contentsOf: revision, encoding: .utf8)
    try FileManager.default.removeItem(at: revision)
    try Data(text.replacing("5000", with: "5001").utf8).write(to: revision)
    try await program.run(
      ["verify", "2026-02-08"], ends: 1, printing: "put again what was put by hand")
    let named = "2026-02-08: steps: only in the damaged revision \(newest.prefix(24))"
    let run = try await program.succeeds(["import", file], saying: named, printing: "1 changed")
    #expect(!run.output.contains("the same figures") && !run.output.contains("unchanged"))
    #expect(run.errors.contains("put again what was put by hand"))
    #expect(try await program.steps() == 80)
  }

  @Test func `R35 a future date needs --allow-future, and verify warns of it`() async throws {
    let program = try Program()
    let undated = Array(#"{"metrics": {"steps": 1}}"#.utf8)
    let put = ["put", "--input", "-", "--date", "2999-01-01"]
    try await program.refuses(
      put, input: undated, saying: "2999-01-01 is in the future", "--allow-future")
    #expect(try contents(of: program.defaultStore).isEmpty)

    let days = Array(
      """
      {"days": [{"date": "2026-02-08", "metrics": {"steps": 8}},
                {"date": "2999-01-01", "metrics": {"steps": 9}}]}
      """.utf8)
    try await program.succeeds(
      ["put", "--input", "-", "--date", "all"], input: days,
      saying: "2999-01-01 is in the future and was left out")
    #expect(try contents(of: program.defaultStore).allSatisfy { !$0.key.contains("2999") })

    try await program.succeeds(put + ["--allow-future"], input: undated)
    let verify = ["verify", "2999-01-01", "--output", "json"]
    let found = try await program.succeeds(verify).json()
    let codes = (found["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
    #expect(codes == ["date_in_future"])
    #expect(try await program.run(verify + ["--strict"]).exitCode == 1)
  }

  @Test func `R19: what an export lacks at its ends stays, unless it was deleted`() async throws {
    let program = try Program().asOneCollector()
    let first = try program.file(
      "first.xml",
      export(
        exported: "2026-02-20 20:00:00",
        steps: [
          "2026-02-01": 99_999, "2026-02-05": 5, "2026-02-07": 7, "2026-02-09": 9, "2026-02-12": 12,
        ]))
    _ = try await program.succeeds(["import", first])
    let second = try program.file(
      "second.xml",
      export(exported: "2026-02-21 20:00:00", steps: ["2026-02-05": 5, "2026-02-09": 9]))
    let run = try await program.succeeds(["import", second])
    #expect(
      run.errors.contains(
        "the store has 2 days with data that this export does not have (from 2026-02-01 to "
          + "2026-02-12; the export has data from 2026-02-05 to 2026-02-09). They stay as they "
          + "are."), "\(run.errors)")
    #expect(run.errors.contains("--confirm-deletions"))
    #expect(try await program.steps("2026-02-01") == 99_999)
    // A date between two with samples has none any more.
    #expect(try await program.steps("2026-02-07") == nil)
    #expect(try await program.revisions("2026-02-07") == 2)

    // An older export does not cover newer data.
    let old = try program.file(
      "old.xml", export(exported: "2026-02-19 20:00:00", steps: ["2026-02-05": 5]))
    let older = try await program.succeeds(["import", old, "--confirm-deletions"])
    #expect(!older.errors.contains("the store has"))

    try await program.succeeds(
      ["import", second, "--confirm-deletions", "--dry-run"],
      saying: "they are published as days without data")
    #expect(try await program.steps("2026-02-01") == 99_999)
    _ = try await program.succeeds(
      ["import", second, "--confirm-deletions", "--from", "2026-02-02"])
    #expect(try await program.steps("2026-02-01") == 99_999)
    #expect(try await program.steps("2026-02-12") == nil)
    _ = try await program.succeeds(["import", second, "--confirm-deletions"])
    #expect(try await program.steps("2026-02-01") == nil)
    #expect(try await program.revisions("2026-02-01") == 2)
    let again = try await program.succeeds(["import", second, "--confirm-deletions"])
    #expect(!again.errors.contains("the store has"))
  }

  @Test func `R19: an import, and its dry run, say which numbers it takes away`() async throws {
    let program = try Program().asOneCollector()
    let given = try program.file(
      "given.json",
      """
      {"date":"2026-02-05","captured_at":"2026-02-06T08:00:00Z","timezone":"Europe/Berlin",
       "metrics":{"steps":4,"stand_hours":3,"weight":81}}
      """)
    _ = try await program.succeeds(["put", "--input", given])
    let file = try program.file(
      "export.xml",
      export(exported: "2026-02-20 20:00:00", steps: ["2026-02-05": 5, "2026-02-07": 7]))
    let command = ["import", file, "--timezone", "Europe/Berlin"]
    let preview = try await program.succeeds(command + ["--dry-run"])
    let named =
      "because this source has none: stand_hours, weight of 2026-02-05; what was there: s3health "
      + "get 2026-02-05 --history"
    #expect(preview.errors.contains("would be taken away, \(named)"))
    try await program.succeeds(
      command, saying: "taken away, \(named)",
      printing: "; 2 numbers taken away that this source does not have")
    #expect(!(try await program.succeeds(command)).output.contains("taken away"))
  }
}

/// R41: what can be read is served with its findings, not hidden.
@Suite(.process) struct ReadableRevisionTests {
  @Test func `R41 another collector's day is read, reported, and repaired by a put`() async throws {
    let program = try Program()
    let folder = try program.folder("store/health/v0/data/2026/02/08/revisions")
    // As the Health Module Spec allows: made a second before its id, by a phone with a name.
    let name = "20260208T100001Z-7f3a2c.json"
    let text = """
      {"schema_version":"health.v0","date":"2026-02-08","day":{"timezone":"America/Los_Angeles",
      "start":"2026-02-08T00:00:00.000-0800","end":"2026-02-09T00:00:00-08:00"},
      "generated_at":"2026-02-08T10:00:00Z","collector":{"device_id":"phone"},
      "metrics":{"steps":1250},"metric_status":{"steps":"ok"},"metric_units":{"steps":"count"}}
      """
    try Data(text.utf8).write(to: folder.appending(path: name))
    let store = ["--store", program.home.appending(path: "store").path]
    try await program.succeeds(
      ["get", "2026-02-08"] + store, saying: "is not the moment of the revision id",
      printing: "1,250", "7f3a2c")
    let verify = ["verify", "2026-02-08", "-o", "json"] + store
    let found = try await program.run(verify, ends: 1)
    let document = try found.json()
    #expect(document["missing_dates"] as? [String] == [])
    #expect(document["faulty_days"] as? Int == 1)
    let codes = (document["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
    #expect(
      Set(codes ?? []).isSuperset(of: [
        "generated_at_differs_from_id", "bad_uuid", "bad_local_moment", "missing_member",
      ]))
    try await program.put(payload(steps: 1250), store)
    let after = try await program.succeeds(verify).json()
    #expect(after["ok_days"] as? Int == 1 && after["errors"] as? Int == 0)
  }
}
