import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// R35: the findings about ids, bytes, pointers and foreign objects, each by its code and place.
@Suite(.unit) struct VerifyCodesTests {
  let bench = LedgerBench()
  let date: CalendarDate
  let draft: DayDraft

  init() throws {
    date = try Sample.date()
    draft = try Sample.draft(steps: 1)
  }

  private func verify(
    _ options: VerifyOptions = VerifyOptions(), in ledger: HealthLedger? = nil
  ) async throws -> (verdict: DayVerdict, rest: [Finding]) {
    var verdicts: [DayVerdict] = []
    let range = try DateRange(from: date, to: date)
    let rest = try await (ledger ?? bench.ledger).verify(range, options) { verdicts.append($0) }
    return (try #require(verdicts.first), rest)
  }

  private func place(_ id: RevisionID, _ change: (String) -> String) async throws {
    try await bench.place(key(id), Sample.text(Sample.body(draft, id), changed: change))
    try await bench.placePointer(date, to: id)
  }

  private func key(_ id: RevisionID) -> String {
    bench.ledger.layout.revisionKey(date, id).rawValue
  }

  private var pointerKey: String { bench.ledger.layout.pointerKey(date).rawValue }

  @Test func `R10 suspicious_zero is a warning for what a living person has more of`()
    async throws
  {
    var zeros = draft
    for metric in DailyMetric.required { zeros.readings[metric] = .value(0) }
    _ = try await bench.ledger.publish(zeros)
    let verdict = try await verify().verdict
    #expect(verdict.status == .ok)
    #expect(Set(verdict.findings.map(\.code)) == ["suspicious_zero"])
    #expect(Set(verdict.findings.map(\.severity)) == [.warning])
    #expect(
      Set(verdict.findings.map(\.pointer)) == [
        "/metrics/steps", "/metrics/active_energy_kcal", "/metrics/resting_hr_avg",
        "/metrics/hrv_sdnn_avg", "/metrics/sleep_asleep_minutes", "/metrics/sleep_in_bed_minutes",
      ])
  }

  @Test func `R9 implausible_value is a warning for required and optional metrics`() async throws {
    var day = draft
    day.readings = [
      .steps: .value(1e300), .restingHeartRate: .value(5000), .standHours: .value(99),
      .sleepAsleep: .value(99_999), .sleepInBed: .value(0), .exerciseMinutes: .value(1500),
    ]
    day.readings[.weight] = .value(9000)
    _ = try await bench.ledger.publish(day)
    let verdict = try await verify().verdict
    #expect(verdict.status == .ok)
    let found = verdict.findings.map { "\($0.severity) \($0.code) \($0.rule) \($0.pointer)" }
    #expect(
      found.sorted() == [
        "warning implausible_value R42 /metrics/weight",
        "warning implausible_value R9 /metrics/resting_hr_avg",
        "warning implausible_value R9 /metrics/sleep_asleep_minutes",
        "warning implausible_value R9 /metrics/stand_hours",
        "warning implausible_value R9 /metrics/steps",
        "warning suspicious_zero R10 /metrics/sleep_in_bed_minutes",
      ])
  }

  @Test func `R33 partial is a note on a day that was captured before its end, once it is over`()
    async throws
  {
    let past = try Sample.date("2026-03-08")
    // 10:00 of the day in Berlin, and noon of today, which is not over.
    for (date, hours) in [(past, -51), (date, 0)] {
      _ = try await bench.ledger.publish(
        try Sample.draft(steps: 1, on: date, capturedAt: Sample.noon.adding(seconds: hours * 3600)))
    }
    var verdicts: [DayVerdict] = []
    try await bench.ledger.verify(try DateRange(from: past, to: date)) { verdicts.append($0) }
    #expect(verdicts.map(\.status) == [.ok, .missing, .ok])
    let finding = try #require(verdicts.first?.findings.first)
    #expect(finding.code == "partial" && finding.severity == .note && finding.rule == "R33")
    #expect(finding.message.hasPrefix("captured at 10:00, of a part of the day"))
    #expect(verdicts.map(\.findings.count) == [1, 1, 0])
    // Read again after the day, it is whole.
    _ = try await bench.ledger.publish(try Sample.draft(steps: 1, on: past))
    let whole = try await bench.ledger.verify(past, known: nil)
    #expect(whole.findings.isEmpty)
  }

  @Test(arguments: [(300, 0), (301, 1)])
  func `R21 id_from_future is reported beyond five minutes`(seconds: Int, count: Int) async throws {
    try await place(Sample.id(seconds)) { $0 }
    let findings = try await verify().verdict.findings
    #expect(findings.map(\.code) == Array(repeating: "id_from_future", count: count))
    #expect(findings.allSatisfy { $0.severity == .warning && $0.key == key(Sample.id(seconds)) })
  }

  @Test(arguments: [(-3600, 0), (-3601, 1)])
  func `R21 id_far_from_last_modified is reported beyond an hour`(
    seconds: Int, count: Int
  ) async throws {
    try await place(Sample.id(seconds)) { $0 }
    let findings = try await verify().verdict.findings
    #expect(findings.map(\.code) == Array(repeating: "id_far_from_last_modified", count: count))
    #expect(findings.allSatisfy { $0.severity == .warning })
  }

  @Test func `R13 not_canonical is a note on a revision that is not in canonical form`()
    async throws
  {
    try await place(Sample.id(0)) { " " + $0 }
    let verdict = try await verify().verdict
    #expect(verdict.status == .ok)
    #expect(verdict.findings.map(\.code) == ["not_canonical"])
    #expect(verdict.findings.map(\.severity) == [.note])
  }

  @Test func `R16 a pointer in another form and with another member is noted`() async throws {
    try await bench.placeRevision(draft, Sample.id(0))
    let value = LatestPointer(date: date, revisionID: Sample.id(0))
    let text = String(decoding: value.encoded, as: UTF8.self).dropLast() + #","by":"me"}"#
    try await bench.place(pointerKey, Array(text.utf8))
    let verdict = try await verify().verdict
    #expect(verdict.status == .ok)
    #expect(verdict.findings.map(\.code) == ["unknown_member", "not_canonical"])
    #expect(verdict.findings.map(\.rule) == ["R14", "R16"])
    #expect(verdict.findings.map(\.pointer) == ["/by", ""])
    #expect(verdict.findings.allSatisfy { $0.key == pointerKey })
    // A store that can't tell etags beforehand: only a deep look reads the bytes.
    let weak = HealthLedger(
      store: WeakStore(base: bench.memory, verdict: .compareAndSwap),
      environment: .test(now: Sample.noon))
    #expect(try await verify(in: weak).verdict.findings.isEmpty)
    let deep = try await verify(VerifyOptions(isDeep: true), in: weak).verdict
    #expect(deep.findings.map(\.code) == ["unknown_member", "not_canonical"])
  }

  @Test(arguments: [
    (#""date":"2026-03-10""#, #""date":"2026-03-11""#, "/date", "R5"),
    ("T12:00:00Z\",\"revision_id", "T12:00:01Z\",\"revision_id", "/latest_generated_at", "R15"),
    ("ABCDEF.json", "ABCDE0.json", "/revision_relpath", "R15"),
  ])
  func `R15 pointer_inconsistent for members that contradict each other or the key`(
    old: String, new: String, place: String, rule: String
  ) async throws {
    try await bench.placeRevision(draft, Sample.id(0))
    let value = LatestPointer(date: date, revisionID: Sample.id(0))
    let text = String(decoding: value.encoded, as: UTF8.self)
    #expect(text.contains(old))
    try await bench.place(pointerKey, Array(text.replacing(old, with: new).utf8))
    let verdict = try await verify().verdict
    #expect(verdict.status == .faulty)
    #expect(verdict.findings.map(\.code) == ["pointer_inconsistent"])
    #expect(verdict.findings.map(\.pointer) == [place])
    #expect(verdict.findings.map(\.rule) == [rule])
  }

  @Test func `R5 foreign objects below, between, before and after the days are reported once each`()
    async throws
  {
    for index in 0..<3 {
      let next = try #require(date.adding(days: index))
      _ = try await bench.ledger.publish(try Sample.draft(steps: 1, on: next))
    }
    let inside = [
      "health/v0/data/2026/03/10/notes.txt", "health/v0/data/2026/03/10x",
      "health/v0/data/2026/03/11-old/latest.json", "health/v0/data/2026/03/12/zz",
      "health/v0/data/2026/03/12~",
    ]
    let outside = [
      "health/v0/Readme", "health/v0/data/.keep", "health/v0/data/readme", "health/v0/extra/a",
    ]
    let elsewhere = ["health/v1/x", "mine.txt", "health/v0/data/2026/03/09x"]
    for key in inside + outside + elsewhere { try await bench.place(key, [1]) }
    var found: [Finding] = []
    let range = try DateRange(from: date, to: try #require(date.adding(days: 2)))
    found += try await bench.ledger.verify(range) { found += $0.findings }
    // The third date has not begun by the bench's clock.
    found.removeAll { $0.code == "date_in_future" }
    #expect(Set(found.map(\.code)) == ["foreign_object"])
    #expect(found.map(\.key).sorted() == (inside + outside).sorted())
    let dated = found.filter { $0.date != nil }.map(\.key).sorted()
    #expect(dated == [inside[0], inside[3]])
  }

  @Test func `R35 thousands of foreign objects outside the data make few findings`() async throws {
    for index in 0..<1100 { try await bench.place("health/v0/extra/\(index)", [1]) }
    let found = try await verify().rest
    #expect(found.count == HealthLedger.maximumForeignObjects + 1)
    #expect(found.last?.message.contains("more foreign objects") == true)
  }

  @Test(arguments: [(3600, 0), (3599, 1)])
  func `R35 newest_too_old where the range's newest revision is older than asked for`(
    limit: Int, count: Int
  ) async throws {
    try await place(Sample.id(-3600)) { $0 }
    let rest = try await verify(VerifyOptions(maximumAge: limit)).rest
    #expect(rest.map(\.code) == Array(repeating: "newest_too_old", count: count))
    #expect(rest.allSatisfy { $0.severity == .error && $0.date == nil })
  }

  @Test func `R35 newest_too_old where the range has no valid revision, and no age is asked else`()
    async throws
  {
    try await bench.place(key(Sample.id(0)), Array("{}".utf8))
    #expect(try await verify(VerifyOptions(maximumAge: 1 << 40)).rest.count == 1)
    #expect(try await verify().rest.isEmpty)
  }

  @Test func `R35 a deep look finds faults in revisions that are not the answer`()
    async throws
  {
    try await bench.place(key(Sample.id(-9)), Array("[]".utf8))
    try await bench.place(key(Sample.id(-8)), [UInt8](repeating: 0x20, count: 70_000))
    let shifted = Sample.text(Sample.body(draft, Sample.id(-7))) {
      $0.replacing("2026-03-11T00:00:00+01:00", with: "2026-03-11T00:00:00+02:00")
    }
    try await bench.place(key(Sample.id(-7)), shifted)
    try await bench.placeRevision(draft, Sample.id(-5000))
    try await place(Sample.id(0)) { $0 }
    #expect(try await verify().verdict.status == .ok)
    let deep = try await verify(VerifyOptions(isDeep: true)).verdict
    #expect(deep.status == .faulty)
    #expect(
      deep.findings.map { "\($0.code) \($0.key.suffix(28))" } == [
        "end_differs_from_zone \(key(Sample.id(-7)).suffix(28))",
        "too_large \(key(Sample.id(-8)).suffix(28))",
        "wrong_type \(key(Sample.id(-9)).suffix(28))",
        "id_far_from_last_modified \(key(Sample.id(-5000)).suffix(28))",
      ])
    #expect(deep.revisionsRead == 5)
  }
}
