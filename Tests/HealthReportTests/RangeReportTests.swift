import HealthLedger
import HealthModel
import ObjectStore
import TestSupport
import Testing

@testable import HealthReport

/// What is gathered from a verification, and that the page shows it.
@Suite(.process) struct RangeReportTests {
  private func sample() async throws -> SampleRange {
    let sample = SampleRange()
    try await sample.publish("2026-02-01", SampleRange.all())
    try await sample.publish("2026-02-02", SampleRange.all(except: [.steps: .unauthorized]))
    try await sample.publish(
      "2026-02-03", SampleRange.all(except: [.heartRateVariability: .unsupported]))
    try await sample.publish("2026-02-04", [:])
    try await sample.publish("2026-02-06", SampleRange.all(1))
    try await sample.publish("2026-02-06", SampleRange.all(2))
    let day = sample.ledger.layout.dayPrefix(try sample.date("2026-02-07"))
    try await sample.plant(day + "revisions/20260208T000000Z-ABCDEF.json", Array("{".utf8))
    try await sample.publish("2026-02-08", SampleRange.all())
    let pointer = sample.ledger.layout.pointerKey(try sample.date("2026-02-08"))
    try await sample.store.delete(pointer)
    try await sample.plant(pointer.rawValue, Array("{}".utf8))
    return sample
  }

  @Test func `R10 R35 every date is complete, partial, without data, missing, faulty or invalid`()
    async throws
  {
    let report = try await sample().report("2026-02-01", "2026-02-08")
    #expect(
      report.days.map(\.coverage) == [
        .complete, .partial, .complete, .noData, .missing, .complete, .invalid, .faulty,
      ])
    #expect(report.days.map(\.revisions) == [1, 1, 1, 1, 0, 2, 1, 1])
    #expect(report.daysWithNumbers == 5)
    #expect(report.days[5].numbers.map(\.value) == Array(repeating: 2, count: 8))
    #expect(report.newest?.date.description == "2026-02-08" && report.daysSinceNewest == 3)
    #expect(report.age == 43_200)
  }

  @Test func `R42: a day that has the number of an optional metric alone is not without data`()
    async throws
  {
    let sample = SampleRange()
    try await sample.publish("2026-02-01", [:], optional: [.weight: 80.5])
    let unsupported = DailyMetric.required.map { ($0, MetricReading.unsupported) }
    try await sample.publish(
      "2026-02-02", Dictionary(uniqueKeysWithValues: unsupported), optional: [.weight: 80.25])
    let report = try await sample.report("2026-02-01", "2026-02-02")
    #expect(report.days.map(\.coverage) == [.partial, .complete])
    #expect(report.daysWithNumbers == 2)
  }

  @Test func `a page shows what was gathered, in its calendar, table, tiles and findings`()
    async throws
  {
    let sample = try await sample()
    let page = try await ReadPage.read(sample.report("2026-02-01", "2026-02-08"))
    #expect(page.bad == [])
    #expect(
      page.marks == [
        "complete": 3, "partial": 1, "no_data": 1, "missing": 1, "invalid": 1, "faulty": 1,
      ])
    #expect(page.rows.map { $0[0] } == (1...8).map { "2026-02-0\($0)" })
    #expect(
      page.rows.map { $0[1] } == [
        "complete", "partial", "complete", "no data", "missing", "complete", "no valid revision",
        "faulty",
      ])
    #expect(page.rows[1][3] == "–" && page.rows[4][3] == "–")
    let gaps = page.sparks["Steps"]?.text ?? ""
    #expect(
      gaps.contains("5 of 8 days with data")
        || gaps.contains("Gaps: 1 no data, 1 not authorised, 1 no valid revision, 1 missing"))
    #expect(page.legend["complete"]?.hasPrefix("3 complete") == true)
    #expect(page.tiles[0] == "62 %5 of 8 days with numbers")
    #expect(page.tiles[1] == "3 days ago2026-02-08, read 2026-02-11 00:00 UTC")
    #expect(page.tiles[3] == "81 day published more than once")
    let codes = page.findings.map { "\($0.severity) \($0.code)" }
    #expect(
      codes == [
        "error missing_date", "error no_valid_revision", "error pointer_corrupt", "error not_json",
        "warning implausible_value",
      ])
    #expect(page.findings[0].items == ["2026-02-05 [R35]"])
    let corrupt = page.findings[2].items.joined()
    #expect(corrupt.contains("health/v0/data/2026/02/08/latest.json at /"))
    #expect(corrupt.contains("Do: repair the pointer, or publish the day again"))
    #expect(page.origins.contains(["Europe/Berlin", "6 days"]))
  }

  @Test func `R10 a day without a number is a gap in the line and a dash in the table, never a 0`()
    async throws
  {
    let sample = SampleRange()
    for date in ["2026-02-01", "2026-02-05", "2026-02-06"] {
      // A number that each required metric can have.
      try await sample.publish(date, SampleRange.all(22))
    }
    for date in ["2026-02-02", "2026-02-04"] { try await sample.publish(date, [:]) }
    let page = try await ReadPage.read(sample.report("2026-02-01", "2026-02-06"))
    #expect(page.bad == [])
    for column in 3..<11 {
      #expect(page.rows.map { $0[column] } == ["22", "–", "–", "–", "22", "22"])
    }
    #expect(page.sparks.count == 8)
    for (_, spark) in page.sparks {
      #expect(spark.drawn == [0, 4, 5] && spark.joined == [4])
      #expect(spark.text.contains("Gaps: 2 no data, 1 missing"))
    }
    // Dates without a number have no row in the tables of numbers.
    #expect(page.numbers["Steps"]?.keys.sorted() == ["2026-02-01", "2026-02-05", "2026-02-06"])
  }

  @Test func `the freshness is that of the newest day with data, not of the last write`()
    async throws
  {
    let sample = SampleRange()
    try await sample.publish("2026-02-03", SampleRange.all())
    try await sample.publish("2026-02-05", [:])
    try await sample.publish("2026-02-01", SampleRange.all(1))
    let report = try await sample.report("2026-02-01", "2026-02-10")
    #expect(report.newest?.date.description == "2026-02-03" && report.daysSinceNewest == 8)
    let page = try await ReadPage.read(report)
    #expect(page.tiles[1].hasPrefix("8 days ago2026-02-03"))
  }

  @Test func `a range without any data is a page that says so`() async throws {
    let page = try await ReadPage.read(
      SampleRange().report("2026-02-01", "2026-02-28"), expect: ["No number in this range"])
    #expect(page.bad == [])
    #expect(page.marks == ["missing": 28])
    #expect(page.tiles[1] == "–no number in this range")
    #expect(page.findings.map(\.items) == [["2026-02-01 to 2026-02-28, 28 days [R35]"]])
    #expect(page.rows.allSatisfy { Set($0.dropFirst(3)) == ["–"] })
  }

  @Test func `R33 a report that lacks a date of its range has no page`() async throws {
    let whole = try await sample().report("2026-02-01", "2026-02-08")
    let range = try DateRange(
      from: whole.range.from, to: #require(whole.range.to.adding(days: 1)))
    let part = RangeReport(
      storeName: "x", range: range, madeAt: whole.madeAt, today: whole.today, maker: "m")
    let error = #expect(throws: LedgerError.self) { try ReportPage(part) }
    #expect(error?.code == .internal && error?.rule == "R33")
  }

  @Test(.nightly) func `ten years are a page of bounded size, and more findings make it no larger`()
    async throws
  {
    let sample = SampleRange()
    let first = try sample.date("2016-01-01")
    var drafts: [DayDraft] = []
    for place in 0..<3653 where place % 11 != 3 {
      let numbers = SampleRange.all(
        Double(1000 + place * 7919 % 9000),
        except: [.restingHeartRate: .value(Double(50 + place % 40))])
      drafts.append(
        DayDraft(
          day: try ReportingDay(
            date: try #require(first.adding(days: place)), timeZoneName: "Europe/Berlin"),
          collector: SampleRange.collector, readings: numbers, capturedAt: SampleRange.published))
    }
    try await sample.ledger.publish(drafts) { _, _ in }
    for number in 0..<2000 {
      try await sample.plant("health/v0/data/2016/01/01/notes-\(number).txt", [0x31])
    }
    let page = try await ReadPage.read(sample.report("2016-01-01", "2025-12-31"))
    #expect(page.bad == [])
    #expect(page.bytes < 600_000, "\(page.bytes)")
    #expect(page.elements < 6000, "\(page.elements)")
    #expect(page.marks == ["complete": 3321, "missing": 332])
    #expect(page.rows.count == 120)
    let foreign = try #require(page.findings.first { $0.code == "foreign_object" })
    #expect(foreign.count == "2,000 times" && foreign.items.count == 51)
    #expect(foreign.items.last?.hasPrefix("and 1,950 more") == true)
    let heart = try #require(page.sparks["Resting heart rate"])
    #expect(heart.drawn.count == 3321)
    #expect(heart.week.count == 1 && heart.month == [])
    // 2016-01-04 is the first gap, and every eleventh day from there.
    #expect(!heart.joined.contains(2))
    #expect(page.sparks["Steps"]?.lines == 1 && page.sparks["Steps"]?.week == [], "months as bars")
  }
}
