import Foundation
import TestSupport
import Testing

/// `verify` on stores that somebody has damaged.
@Suite(.process) struct VerifyFindingsTests {
  @Test func `a sound store has no findings, and verifying writes nothing`() async throws {
    let store = try await DamagedDay()
    let before = try contents(of: store.program.defaultStore)
    #expect(try await store.findings(exit: 0).isEmpty)
    #expect(try contents(of: store.program.defaultStore) == before)
  }

  /// What is done to a day, and what is found.
  struct Damage: Sendable, CustomTestStringConvertible {
    /// The code of the finding.
    let testDescription: String
    var severity = "error"
    var key = "2026/02/08/latest.json"
    /// The steps that are shown all the same.
    var steps = 2
    let change: @Sendable (DamagedDay) throws -> Void
  }

  private static let garbage: [Damage] =
    ["garbage", "", "{}", #"{"date": "2026-02-08"}"#].map { text in
      Damage(testDescription: "pointer_corrupt") { try $0.write(text, to: $0.pointer) }
    }

  static let damages: [Damage] =
    garbage + [
      Damage(testDescription: "pointer_dangling", steps: 1) {
        try FileManager.default.removeItem(at: $0.revision($0.ids[1]))
      },
      Damage(testDescription: "pointer_stale") {
        let moments = $0.ids.map(PlantedDocument.moment(of:))
        let stale = try $0.text($0.pointer).replacing($0.ids[1], with: $0.ids[0])
        try $0.write(stale.replacing(moments[1], with: moments[0]), to: $0.pointer)
      },
      Damage(testDescription: "pointer_missing", severity: "note") {
        try FileManager.default.removeItem(at: $0.pointer)
      },
      Damage(testDescription: "foreign_object", severity: "note", key: "revisions/notes.txt") {
        try $0.write("mine", to: $0.day.appending(path: "revisions/notes.txt"))
      },
    ]

  @Test(arguments: damages)
  func `R17, R25, R30, R35: damage is found, and hides nothing`(_ damage: Damage) async throws {
    let store = try await DamagedDay()
    try damage.change(store)
    let found = try await store.findings(exit: damage.severity == "error" ? 1 : 0)
    let finding = try #require(found[damage.testDescription])
    #expect(finding["severity"] == damage.severity)
    #expect(finding["key"]?.hasSuffix(damage.key) == true)
    #expect(try await store.steps() == damage.steps)
    if damage.key.hasSuffix("latest.json"), damage.steps == 2 { try await store.mendsByPut() }
  }

  @Test func `a changed digit is found, shown as damage, and mended by a put (R60)`() async throws {
    let store = try await DamagedDay()
    let file = store.revision(store.ids[1])
    let sound = try store.text(file)
    #expect(sound.contains("\"steps\":2}"))
    try store.write(sound.replacing("\"steps\":2}", with: "\"steps\":3}"), to: file)
    let finding = try #require(try await store.findings(exit: 1)["digest_differs"])
    #expect(finding["severity"] == "error" && finding["rule"] == "R60")
    #expect(try await store.steps() == 3)
    for command in [
      ["get", "2026-02-08"], ["get", "2026-02-08..2026-02-08"],
      ["export", "csv", "2026-02-08"],
      ["export", "openmetrics", "2026-02-08"],
    ] {
      let run = try await store.program.succeeds(command)
      #expect(run.errors.contains("[R60]"), "\(command) \(run.errors)")
    }
    let diff = try await store.program.succeeds(["get", "--diff", "2026-02-08"])
    #expect(!diff.output.contains("digest"))
    let put = try await store.program.put(payload(steps: 2))
    #expect(put.output.hasPrefix("published"))
    #expect(try await store.findings(exit: 0).isEmpty)
    #expect(try await store.steps() == 2)
  }

  @Test func `a day whose revisions are gone is nowhere called missing (R30, R34)`() async throws {
    let store = try await DamagedDay()
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
    let report = try await store.program.run(["report", "--html", page, "--output", "json"] + span)
    #expect(try report.json()["invalid_days"] as? Int == 1)
    #expect(try report.json()["missing_days"] as? Int == 1)
    let table = try await store.program.run(["export", "csv"])
    #expect(table.errors.contains("1 date has no data, and no row"))
  }

  /// The moment of an id as a document writes it.
  func moment(_ id: String) -> String {
    let d = Array(id)
    return String(d[0..<4]) + "-" + String(d[4..<6]) + "-" + String(d[6..<11]) + ":"
      + String(d[11..<13]) + ":" + String(d[13..<16])
  }

  @Test func `a newest revision that breaks a rule is found and passed over (R30)`() async throws {
    let store = try await DamagedDay()
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
    try await store.program.succeeds(
      ["get", "2026-02-08"], saying: "skipped revision \(store.ids[1])")
    try await store.program.run(
      ["get", "2026-02-08", "--revision", store.ids[1]], ends: 1, saying: "R10")
  }

  @Test func `a day without any valid revision is an error, not a missing date`() async throws {
    let store = try await DamagedDay()
    for id in store.ids { try store.write("{", to: store.revision(id)) }
    let found = try await store.findings(exit: 1)
    #expect(found["not_json"]?["rule"] == "R13")
    #expect(found["missing_date"] == nil)
    let run = try await store.program.run("verify", "2026-02-08", "--output", "json")
    #expect(try run.json()["invalid_days"] as? Int == 1)
    #expect(try run.json()["missing_dates"] as? [String] == [])
    try await store.program.fails(
      ["get", "2026-02-08"], as: .dataNotFound,
      saying: "no revision of 2026-02-08 is readable", "--history")
    #expect(try await store.program.run("verify", "2026-02-08", "--allow-missing").exitCode == 1)
  }
}

/// `verify --repair`, `--max-age`, `--strict` and the memory of a long range.
@Suite(.process) struct VerifyOptionTests {
  static let range = ["verify", "2026-02-08..2026-02-09"]

  /// Two revisions of 2026-02-08 with a stale pointer, and 2026-02-09 without one.
  private func stale() async throws -> (program: Program, folder: URL) {
    let program = try Program()
    let day = program.defaultStore.appending(path: "health/v0/data/2026/02/08/latest.json")
    try await program.put(payload(steps: 1))
    let first = try Data(contentsOf: day)
    try await program.put(payload(steps: 2))
    try first.write(to: day)
    try await program.put(payload("2026-02-09"))
    try FileManager.default.removeItem(
      at: program.defaultStore.appending(path: "health/v0/data/2026/02/09/latest.json"))
    return (program, program.defaultStore)
  }

  @Test func `R38 a repair without --yes says what it would do and writes nothing`() async throws {
    let (program, folder) = try await stale()
    let before = try contents(of: folder)
    try await program.run(
      Self.range + ["--repair"], ends: 1,
      printing: "repair   2026-02-08  would move latest.json from 2",
      "repair   2026-02-09  would move latest.json from nothing to 2",
      "nothing was written; add --yes")
    #expect(try contents(of: folder) == before)
  }

  @Test func `R38 a repair with --yes moves pointers alone, and ends the faults`() async throws {
    let (program, folder) = try await stale()
    let before = try contents(of: folder)
    let run = try await program.run(
      Self.range + ["--repair", "--yes"], ends: 0, saying: "moved latest.json of 2026-02-08",
      printing: "moved latest.json from")
    #expect(run.output.hasSuffix("2 days: 2 complete\n"))
    let after = try contents(of: folder)
    let changed = Set(after.keys).union(before.keys).filter { before[$0] != after[$0] }
    #expect(
      changed.sorted() == [
        "health/v0/data/2026/02/08/latest.json", "health/v0/data/2026/02/09/latest.json",
      ])
    let again = try await program.succeeds(Self.range + ["--repair", "--yes"])
    #expect(again.output.hasSuffix("2 days: 2 complete\n") && again.errors.isEmpty)
    try await program.run(Self.range + ["--yes"], ends: 64, saying: "--yes needs --repair")
  }

  @Test func `R38 a pointer that names nothing valid is left alone, and told`() async throws {
    let (program, folder) = try await stale()
    let revisions = folder.appending(path: "health/v0/data/2026/02/08/revisions")
    for name in try FileManager.default.contentsOfDirectory(atPath: revisions.path) {
      try Data("{".utf8).write(to: revisions.appending(path: name))
    }
    let before = try contents(of: folder)["health/v0/data/2026/02/08/latest.json"]
    let run = try await program.run(
      Self.range + ["--repair", "--yes", "--output", "json"], ends: 1)
    let repairs = try #require(try run.json()["repairs"] as? [[String: Any]])
    #expect(repairs.map { $0["date"] as? String } == ["2026-02-09"])
    #expect(try contents(of: folder)["health/v0/data/2026/02/08/latest.json"] == before)
  }
}
