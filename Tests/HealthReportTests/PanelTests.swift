import Foundation
import HealthLedger
import HealthModel
import ObjectStore
import StoreTesting
import TestSupport
import Testing

@testable import HealthReport

/// Which cards a page has, and how they are drawn.
@Suite(.process) struct PanelTests {
  @Test func `R42 every metric that the range has is drawn, in the groups of the catalogue`()
    async throws
  {
    let sample = SampleRange()
    let all = Dictionary(uniqueKeysWithValues: DailyMetric.optional.map { ($0, 2.0) })
    for day in 1...9 {
      try await sample.publish("2026-02-0\(day)", SampleRange.all(), optional: all)
    }
    let page = try await ReadPage.read(sample.report("2026-02-01", "2026-02-09"))
    #expect(page.bad == [])
    #expect(page.groups.map(\.[0]) == MetricGroup.allCases.map(\.label.capitalisedFirst))
    #expect(page.groups[0].dropFirst().prefix(3) == ["Steps", "Active energy", "Resting energy"])
    // Nine metrics share three cards, and a latest value has none of its own.
    let drawn = DailyMetric.allCases.filter { $0.latestOf == nil }
    #expect(page.groups.map { $0.count - 1 }.reduce(0, +) == drawn.count - 6)
    #expect(Set(page.numbers.keys).count == drawn.count)
    for (_, days) in page.numbers { #expect(days.count == 9) }
  }

  @Test func `groups without data are left out, and a metric that has none is named`() async throws
  {
    let sample = SampleRange()
    for day in 1...9 {
      try await sample.publish(
        "2026-02-0\(day)", [.steps: .value(4000), .heartRateVariability: .unsupported],
        optional: [.weight: 81])
    }
    let page = try await ReadPage.read(
      sample.report("2026-02-01", "2026-02-09"),
      expect: ["heart rate variability (9 not supported)"])
    #expect(page.bad == [])
    #expect(page.groups == [["Activity", "Steps"], ["Body", "Weight"]])
  }

  @Test func `the two of a blood pressure are one card, and so are the stages of sleep`()
    async throws
  {
    let sample = SampleRange()
    for day in 1...9 {
      try await sample.publish(
        "2026-02-0\(day)", [:],
        optional: [
          .bloodPressureSystolic: 120 + Double(day), .bloodPressureDiastolic: 80,
          .sleepDeep: 60, .sleepCore: 240, .sleepREM: 90, .sleepAwake: 20,
        ])
    }
    let page = try await ReadPage.read(sample.report("2026-02-01", "2026-02-09"))
    #expect(page.bad == [])
    #expect(page.groups == [["Heart", "Blood pressure"], ["Sleep and rest", "Sleep stages"]])
    let pressure = try #require(page.sparks["Blood pressure"])
    #expect(pressure.last.hasPrefix("125/80 mmHg"))
    #expect(pressure.charts == 1 && pressure.lines == 2)
    let stages = try #require(page.sparks["Sleep stages"])
    // Time awake is not sleep.
    #expect(stages.last.hasPrefix("6 h 30 min deep, core, REM together"))
    #expect(stages.charts == 1 && stages.lines == 0 && stages.bars == 4)
  }

  @Test func `few numbers are listed with their dates, and have no line`() async throws {
    let sample = SampleRange()
    for (date, number) in [("2026-02-02", 36.6), ("2026-02-08", 38.25)] {
      try await sample.publish(date, [:], optional: [.bodyTemperature: number])
    }
    try await sample.publish(
      "2026-02-09", [:],
      optional: [
        .height: 181, .heartRateMinimum: 50, .heartRateMean: 70, .heartRateMaximum: 120,
      ])
    let page = try await ReadPage.read(sample.report("2026-02-01", "2026-02-10"))
    #expect(page.bad == [])
    let card = try #require(page.sparks["Body temperature"])
    #expect(card.charts == 0)
    #expect(card.few == [["2026-02-08", "38.3 °C"], ["2026-02-02", "36.6 °C"]])
    #expect(card.last.hasPrefix("37.4 °C mean of 2 days"))
    #expect(page.sparks["Height"]?.last == "181 cm on 2026-02-09")
    #expect(page.sparks["Height"]?.charts == 0)
    #expect(
      page.sparks["Heart rate"]?.last
        == "120 · 70 · 50 bpm highest · mean · lowest; on 2026-02-09")
  }

  @Test func `a year up to today is one row of months`() async throws {
    let sample = SampleRange()
    try await sample.publish("2026-02-01", SampleRange.all())
    let rolling = try await ReadPage.read(sample.report("2025-02-12", "2026-02-11"))
    #expect(rolling.years == 1 && rolling.bad == [] && rolling.rows.count == 365)
    let longer = try await ReadPage.read(sample.report("2024-02-12", "2026-02-11"))
    #expect(longer.years == 3 && longer.bad == [])
  }

  @Test func `R35 a fault that is the same on many dates is one entry with its dates in runs`()
    async throws
  {
    let sample = SampleRange()
    for day in [1, 2, 3, 5] {
      try await sample.publish("2026-02-0\(day)", SampleRange.all(except: [.steps: .value(0)]))
    }
    let page = try await ReadPage.read(sample.report("2026-02-01", "2026-02-05"))
    let zeros = try #require(page.findings.first { $0.code == "suspicious_zero" })
    #expect(zeros.count == "4 times" && zeros.items.count == 1)
    #expect(zeros.items[0].hasPrefix("2026-02-01 to 2026-02-03, 3 days; 2026-02-05"))
    #expect(zeros.items[0].contains("first in health/v0/data/2026/02/01/revisions/"))
  }

  @Test func `a year with every metric is a page of bounded size`() async throws {
    let sample = SampleRange()
    let first = try sample.date("2025-02-11")
    var random = SplitMix64(seed: 3)
    var drafts: [DayDraft] = []
    for place in 0..<366 {
      var optional: [DailyMetric: Double] = [:]
      for metric in DailyMetric.optional.prefix(60) {
        let range = metric.plausible
        let high = min(range.upperBound, range.lowerBound + 99)
        optional[metric] =
          (Double.random(in: range.lowerBound...high, using: &random) * 10)
          .rounded() / 10
      }
      drafts.append(
        DayDraft(
          day: try ReportingDay(
            date: try #require(first.adding(days: place)), timeZoneName: "Europe/Berlin"),
          collector: SampleRange.collector,
          readings: SampleRange.all(Double(50 + place % 40)).with(optional),
          capturedAt: SampleRange.published))
    }
    try await sample.ledger.publish(drafts) { _, _ in }
    let page = try await ReadPage.read(sample.report("2025-02-11", "2026-02-11"))
    #expect(page.bad == [])
    #expect(page.bytes < 1_250_000, "\(page.bytes)")
    #expect(page.numbers.values.allSatisfy { $0.count == 366 })
  }

  @Test(arguments: 0..<400)
  func `a scale has round numbers that enclose all that counts`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let metric = try #require(DailyMetric.allCases.randomElement(using: &random))
    let size = [0.01, 1, 30, 500, 20_000][seed % 5]
    let numbers = [
      Double.random(in: 0...size, using: &random), Double.random(in: 0...size, using: &random),
    ].map { ($0 * 1000).rounded() / 1000 }
    let bounds = (numbers.min() ?? 0)...(numbers.max() ?? 0)
    let unit = PersonUnit(metric, greatest: bounds.upperBound)
    let scale = AxisScale(bounds, unit, isFromZero: seed % 2 == 0)
    let slack = scale.bounds.upperBound * 1e-9
    #expect(scale.bounds.lowerBound - slack <= bounds.lowerBound)
    #expect(scale.bounds.upperBound + slack >= bounds.upperBound)
    #expect((2...8).contains(scale.ticks.count), "\(scale.ticks)")
    #expect(Set(scale.ticks.map(\.label)).count == scale.ticks.count, "\(scale.ticks)")
    for tick in scale.ticks { #expect((-1e-9...1 + 1e-9).contains(scale.part(tick.value))) }
  }

  @Test(
    arguments: [
      0...0, 0...(.leastNonzeroMagnitude), 0...(.greatestFiniteMagnitude),
      1e308...1.5e308, 8432...8432, 0.001...0.002,
    ] as [ClosedRange<Double>], [DailyMetric.steps, .sleepAsleep, .distance, .weight])
  func `a scale of extreme or equal numbers has a bottom and a top`(
    bounds: ClosedRange<Double>, metric: DailyMetric
  ) {
    let unit = PersonUnit(metric, greatest: bounds.upperBound)
    let scale = AxisScale(bounds, unit, isFromZero: true)
    #expect(scale.ticks.count >= 1 && scale.bounds.upperBound.isFinite)
    for tick in scale.ticks {
      #expect((0...GapPath.height).contains(GapPath.y(tick.value, scale.bounds)))
    }
  }

  @Test func `dates under a chart are days of a short range and months of a long one`() throws {
    func labels(_ first: String, _ count: Int) throws -> [String] {
      DateTicks(from: try #require(CalendarDate(first)), count: count).ticks.compactMap { tick in
        tick.label.map { $0 + (tick.year.map { " \($0)" } ?? "") }
      }
    }
    #expect(try labels("2026-02-01", 3) == ["1 Feb 2026", "2 Feb", "3 Feb"])
    #expect(
      try labels("2026-02-01", 28) == ["2 Feb 2026", "9 Feb", "16 Feb", "23 Feb"])
    #expect(
      try labels("2025-11-23", 365)
        == ["Dec 2025", "Feb 2026", "Apr", "Jun", "Aug", "Oct"])
    #expect(
      try labels("2024-01-01", 731) == ["Jan 2024", "Jul", "Jan 2025", "Jul"]
        || labels("2024-01-01", 731).count <= 8)
    #expect(try labels("2016-01-01", 3653).allSatisfy { $0.count == 4 })
    for count in stride(from: 1, to: 5000, by: 37) {
      #expect((1...9).contains(try labels("2011-03-05", count).count), "\(count)")
    }
  }
}
