import StoreTesting
import TestSupport
import Testing

@testable import HealthModel

/// The latest value of a day, and its time: which metrics have it, how it is counted, and how it is
/// joined (R18, R20).
@Suite(.unit) struct LatestValuesTests {
  private let date: CalendarDate
  private let order = [
    SourcePriority("Scale"), SourcePriority("Ann's Apple Watch"), SourcePriority("Ann's iPhone"),
  ]

  init() throws { date = try #require(CalendarDate("2026-03-10")) }

  @Test
  func `a latest value has the unit, kind and group of its metric, and so has its time`() {
    let means = DailyMetric.allCases.filter { $0.latest != nil }
    let named: [DailyMetric] = [
      .weight, .height, .bodyFat, .bodyTemperature, .bloodGlucose, .bloodPressureSystolic,
      .bloodPressureDiastolic, .restingHeartRate, .vo2Max,
    ]
    #expect(Set(means).isSuperset(of: named))
    for mean in means {
      guard let (value, time) = mean.latest else { continue }
      let stem = mean.rawValue.replacing("_avg", with: "")
      #expect(value.rawValue == stem + "_latest")
      #expect(value.unit == mean.unit && value.kind == mean.kind && value.latestOf == mean)
      #expect(value.aggregation == .latest && time.aggregation == .latestTime)
      #expect(time.unit == .minute && mean.aggregation == .mean && !value.isRequired)
      #expect(WordGroup(of: value) == WordGroup(of: mean))
      #expect(WordGroup(of: mean).metrics.contains(time))
    }
    let others = DailyMetric.allCases.filter { $0.latestOf != nil }
    #expect(Set(others) == Set(means.compactMap(\.latest).flatMap { [$0.value, $0.time] }))
    #expect(others.count == 27)
  }

  @Test
  func `R18 the latest is the sample of the day that ended last, whatever the order of reading`()
    throws
  {
    var random = SplitMix64(seed: 61)
    let window = try DayWindow(date, in: "Europe/Berlin")
    let start = window.range.lowerBound
    for round in 0..<TestDepth.full(2000, usual: 300) {
      var samples = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        // Often at once, and often around an end of the day.
        let begin = start + Int.random(in: -4...28, using: &random) * 3600
        return QuantitySample(
          start: begin, end: begin + Int.random(in: 0...4, using: &random) * 1800,
          quantity: Double(Int.random(in: 60...64, using: &random)),
          source: Int.random(in: 0...2, using: &random))
      }
      var (value, time): (Double?, Double?) = (nil, nil)
      var best: (Int, Int, Int, Double)?
      for sample in samples where window.range.contains((sample.start + sample.end) / 2) {
        // The scale is an app, which comes after the watch and the phone.
        let place = [0, 2, 1][sample.source]
        let key = (sample.end, sample.start, place, sample.quantity)
        if let best, key < best { continue }
        (best, value) = (key, sample.quantity)
        time = sample.end > start + 86_400 ? nil : Double(sample.end - start) / 60
      }
      samples.shuffle(using: &random)
      let said = try [DailyMetric.weightLatest, .weightLatestTime].map {
        try $0.number(of: samples, in: window, order: order)
      }
      #expect(said == [value, time], "round \(round): \(samples)")
    }
  }

  @Test func `R18 the time is minutes of the day, also where clocks change`() throws {
    func minutes(_ date: String, _ zone: String, _ moment: String) throws -> Double? {
      let window = try DayWindow(try #require(CalendarDate(date)), in: zone)
      let at = try #require(Timestamp(moment)).secondsSince1970
      let sample = QuantitySample(start: at, end: at, quantity: 70, source: 0)
      return try DailyMetric.weightLatestTime.number(of: [sample], in: window, order: order)
    }
    #expect(try minutes("2026-02-08", "Europe/Berlin", "2026-02-08T18:05:30Z") == 1145.5)
    // 19:00 of a day of 23 hours, and the second 02:30 of one of 25.
    #expect(try minutes("2025-03-30", "Europe/Berlin", "2025-03-30T17:00:00Z") == 1080)
    #expect(try minutes("2025-10-26", "Europe/Berlin", "2025-10-26T01:30:00Z") == 210)
    #expect(try minutes("2026-02-08", "Europe/Berlin", "2026-02-07T22:59:59Z") == nil)
  }

  @Test func `R18 a sample that ends after the day, as another zone's day does, has no time`()
    throws
  {
    let window = try DayWindow(date, in: "Asia/Tokyo")
    let (start, end) = (window.range.lowerBound, window.range.upperBound)
    func said(_ from: Int, _ to: Int) throws -> [Double?] {
      let sample = QuantitySample(start: from, end: to, quantity: 70, source: 0)
      return try [DailyMetric.weight, .weightLatest, .weightLatestTime].map {
        try $0.number(of: [sample], in: window, order: order)
      }
    }
    // The day of UTC, of which Tokyo's has the middle, ends nine hours after it.
    #expect(try said(start + 9 * 3600 - 1, end + 9 * 3600 - 1) == [70, 70, nil])
    #expect(try said(end - 60, end) == [70, 70, 1440])
  }

  @Test func `R18 what was measured between the days of two zones has no time of the later one`()
    throws
  {
    let day = try ReportingDay(date: date, timeZoneName: "America/New_York")
    let start = day.start.timestamp.secondsSince1970
    let window = DayWindow(
      day: day, range: (start - 5 * 3600)..<(start + 86_400), night: start..<(start + 64_800))
    let sample = QuantitySample(start: start - 60, end: start - 60, quantity: 70, source: 0)
    let said = try [DailyMetric.weight, .weightLatest, .weightLatestTime].map {
      try $0.number(of: [sample], in: window, order: order)
    }
    #expect(said == [70, 70, nil])
  }

  @Test func `R18 a part of the samples gives no latest value, and one remark says so`() throws {
    let window = try DayWindow(date, in: "UTC")
    let kind = Int(SampleKind.bodyMass.rawValue)
    var samples = DaySamples()
    let at = window.range.lowerBound + 3600
    let sample = QuantitySample(start: at, end: at, quantity: 70, source: 0)
    samples.add(sample, kind: kind, isConvertible: true)
    samples.add(sample, kind: kind, isConvertible: false)
    let metrics = WordGroup(of: .weight).metrics
    let figures = try DayFigures(
      metrics.map(CountedMetric.init), of: samples, in: window, order: order)
    #expect(metrics.allSatisfy { figures.readings[$0] == .unsupported })
    #expect(figures.notes == ["weight: the unit of 1 sample can't be converted"])
  }

  @Test
  func `R20 the latest value is of the source whose mean is shown, in whatever order they speak`()
    throws
  {
    var random = SplitMix64(seed: 20)
    let metrics = WordGroup(of: .bloodPressureSystolic).metrics
    for _ in 0..<TestDepth.full(3000, usual: 500) {
      let words = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        WordSample.random(&random, group: .bloodPressureSystolic)
      }
      let figures = Fold(DayWords(words))
      #expect(Fold(DayWords(words.shuffled(using: &random))).readings == figures.readings)
      let shown = metrics.map(figures.reading(of:))
      #expect(words.contains { $0.readings == shown }, "\(DayWords(words))")
    }
    // An export of the whole day comes before what another scale has sent of its evening.
    let morning = WordSample.word(
      .weight, [.value(70.2), .value(70.2), .value(420)], .appleHealthExport, at: 30)
    let evening = WordSample.word(
      .weight, [.value(69), .value(69), .value(1140)], .healthAutoExport, at: 20, 0, 20,
      loose: true)
    let both = Fold(DayWords([evening, morning]))
    #expect(both.reading(of: .weightLatest) == .value(70.2))
    #expect(both.reading(of: .weightLatestTime) == .value(420))
    #expect(Fold(DayWords([evening])).reading(of: .weightLatest) == .value(69))
  }

  @Test func `R42 a document without a latest value has the bytes that it had`() throws {
    let day = try ReportingDay(date: date, timeZoneName: "UTC")
    let words = DayWords([WordSample.word(.weight, [.value(70)], .metricsJSON, at: 30)])
    var revision = DailyRevision(
      day: day, generatedAt: WordSample.moment(30), capturedAt: nil, collector: nil,
      readings: Fold(words).readings.documented, words: words, parent: nil)
    let text = String(decoding: revision.encoded, as: UTF8.self)
    #expect(!text.contains("latest"))
    #expect(text.contains(#""words":[{"source":"metrics_json"}]"#))
    #expect(DailyRevision.decode(revision.encoded, date: date).revision?.allWords == words)
    revision.readings[.weightLatest] = .value(69)
    let untimed = try #require(revision.latest(of: .weight))
    #expect(untimed.value == 69 && untimed.at == nil)
    revision.readings[.weightLatestTime] = .value(61.5)
    let moment = Timestamp(secondsSince1970: WordSample.midnight + 3690)
    #expect(revision.latest(of: .weight)?.at == moment)
    #expect(revision.day.clock(moment) == "01:01")
  }
}
