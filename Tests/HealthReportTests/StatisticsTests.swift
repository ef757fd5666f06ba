import Foundation
import HealthModel
import StoreTesting
import TestSupport
import Testing

@testable import HealthReport

/// Means, medians and changes, held against Python's statistics (Tests/Peers/report_statistics.py).
@Suite(.process) struct StatisticsTests {
  /// What Python makes of a range and the days before it.
  private struct Peer: Decodable {
    let mean: Double?
    let median: Double?
    let least: Double?
    let greatest: Double?
    let before: Double?
    let last: [Double?]
    let counts: [Int]
    let rolling: [[Double?]]
  }

  private func peers(_ cases: [(values: [Double?], before: [Double?])]) async throws -> [Peer] {
    let question = cases.map { ["values": $0.values, "before": $0.before] }
    let output = try await PeerPython.run(
      "report_statistics.py", input: Array(try JSONEncoder().encode(question)))
    return try JSONDecoder().decode([Peer].self, from: Data(output))
  }

  private func isNear(_ ours: Double?, _ theirs: Double?) -> Bool {
    guard let ours, let theirs else { return ours == nil && theirs == nil }
    return abs(ours - theirs) <= 1e-9 * max(1, abs(theirs))
  }

  @Test func `means, medians and means of 7 and 30 days are those of an independent computation`()
    async throws
  {
    var random = SplitMix64(seed: 1122)
    let cases: [(values: [Double?], before: [Double?])] = (0..<120).map { number in
      let absent = [0, 2, 5, 9][number % 4]
      func draw(_ count: Int) -> [Double?] {
        (0..<count).map { _ in
          Int.random(in: 0..<10, using: &random) < absent
            ? nil : (Double.random(in: 0...20_000, using: &random) * 100).rounded() / 100
        }
      }
      let days = Int.random(in: 1...120, using: &random)
      return (draw(days), draw([0, 3, max(days, 29)][number % 3]))
    }
    let first = try #require(CalendarDate("2026-01-01"))
    for (known, peer) in zip(cases, try await peers(cases)) {
      let series = MetricSeries(.steps, first: first, values: known.values, before: known.before)
      #expect(isNear(series.mean?.value, peer.mean))
      #expect(isNear(series.median, peer.median))
      #expect(series.bounds?.lowerBound == peer.least)
      #expect(series.bounds?.upperBound == peer.greatest)
      #expect(isNear(series.meanBefore?.value, peer.before))
      for (place, days) in [7, 30].enumerated() {
        #expect(isNear(series.mean(ofLast: days)?.value, peer.last[place]))
        #expect((series.mean(ofLast: days)?.count ?? 0) == peer.counts[place])
        let rolling = series.rollingMeans(of: days)
        #expect(rolling.count == peer.rolling[place].count)
        #expect(zip(rolling, peer.rolling[place]).allSatisfy { isNear($0, $1) })
      }
    }
  }

  @Test func `the mean of equal numbers is that number, and so is rounded as it is`() throws {
    for number in [450.5, 0.5, 71.25, 8432] {
      for days in 1...400 {
        #expect(Mean(Array(repeating: number, count: days))?.value == number)
      }
    }
    // A sum beyond what a number can hold still has a mean.
    let huge = try #require(Mean([1e308, 1.5e308]))
    #expect(abs(huge.value - 1.25e308) < 1e294)
  }

  /// A year and the year before it, with gaps, doubted zeros and a metric that is rare.
  private func sample() async throws -> (report: RangeReport, weights: [Double?], steps: [Double?])
  {
    let sample = SampleRange()
    var random = SplitMix64(seed: 7)
    let first = try sample.date("2025-12-03")
    var (weights, steps): ([Double?], [Double?]) = ([], [])
    for place in 0..<70 {
      guard place % 9 != 4 else {
        weights.append(nil)
        steps.append(nil)
        continue
      }
      let number = place % 13 == 6 ? 0 : Double(Int.random(in: 2000...15_000, using: &random))
      let weight =
        place % 3 == 0
        ? nil : (Double.random(in: 79...83, using: &random) * 100).rounded() / 100
      try await sample.publish(
        try #require(first.adding(days: place)).description, [.steps: .value(number)],
        optional: weight.map { [.weight: $0] } ?? [:])
      weights.append(weight)
      steps.append(number == 0 ? nil : number)
    }
    // 35 days, and the 35 before them.
    return (try await sample.report("2026-01-07", "2026-02-10"), weights, steps)
  }

  @Test func `a day that is not over is shown so far, and counts in no mean, low, trend or change`()
    async throws
  {
    let sample = SampleRange()
    for (date, steps) in [
      ("2026-02-05", 8000.0), ("2026-02-08", 9000), ("2026-02-09", 10_000), ("2026-02-10", 11_000),
      ("2026-02-11", 120),
    ] { try await sample.publish(date, [.steps: .value(steps)]) }
    let report = try await sample.report("2026-02-08", "2026-02-11")
    let series = try #require(MetricSeries.all(of: report)[.steps])
    #expect(series.mean?.value == 10_000 && series.mean(ofLast: 7)?.value == 9500)
    #expect(series.bounds == 9000...11_000 && series.last?.value == 11_000)
    #expect(series.partial.map(\.value) == [120])
    let page = String(decoding: try ReportPage(report).bytes, as: UTF8.self)
    #expect(page.contains("So far on 2026-02-11, which is not over and not counted: 120 steps"))
    #expect(page.contains("<td>120 so far</td>"))
    #expect(report.days.map(\.isSoFar) == [false, false, false, true])
  }

  @Test func `R33: what was captured before its day's end has its moment, and counts nowhere`()
    async throws
  {
    let sample = SampleRange()
    // At 18:00 and 08:00 in Berlin; the weight of the ninth was captured after it.
    try await sample.publish(
      "2026-02-07", SampleRange.all(90), capturedAt: sample.moment("2026-02-07T17:00:00Z"))
    try await sample.publish("2026-02-08", [.steps: .value(9000)])
    try await sample.publish(
      "2026-02-09", [.steps: .value(120)], capturedAt: sample.moment("2026-02-09T07:00:00Z"))
    try await sample.publish("2026-02-09", [.weight: .value(70)])
    try await sample.publish("2026-02-10", [.steps: .value(11_000)], optional: [.weight: 72])
    let report = try await sample.report("2026-02-08", "2026-02-10")
    let all = MetricSeries.all(of: report)
    let series = try #require(all[.steps])
    #expect(series.mean?.value == 10_000 && series.bounds == 9000...11_000)
    #expect(series.before.allSatisfy { $0 == nil } && series.meanBefore == nil)
    #expect(series.partial.map(\.value) == [120])
    #expect(series.partial.map(\.words) == ["captured at 08:00"])
    #expect(all[.weight]?.mean?.value == 71)
    // It has every metric, and is not whole all the same.
    #expect(report.before.last?.coverage == .partial)
    let page = String(decoding: try ReportPage(report).bytes, as: UTF8.self)
    let words = "Captured at 08:00 on 2026-02-09, of a part of it, and not counted: 120 steps"
    #expect(page.contains(words))
    #expect(page.contains("<td>120 captured at 08:00</td>"))
    #expect(page.contains("Monday 9 February 2026: partial, steps captured at 08:00, 2 metrics"))
  }

  @Test func `R33: a pressure that was taken in the morning counts, and is not a part of a day`()
    async throws
  {
    let sample = SampleRange()
    let pressure: [DailyMetric: Double] = [
      .bloodPressureSystolic: 124, .bloodPressureDiastolic: 81,
    ]
    try await sample.publish(
      "2026-02-09", [:], optional: pressure.merging([.weight: 71]) { $1 },
      capturedAt: sample.moment("2026-02-09T07:00:00Z"))
    let report = try await sample.report("2026-02-08", "2026-02-10")
    #expect(MetricSeries.all(of: report)[.weight]?.mean?.value == 71)
    #expect(report.days[1].partial.isEmpty)
    let page = String(
      decoding: try ReportPage(report, for: ReportReader(.doctor)).bytes, as: UTF8.self)
    #expect(page.contains("<td>124/81</td>"), "\(page)")
  }

  @Test func `two days that are not over, as after a move to the east, show their own numbers`()
    async throws
  {
    let sample = SampleRange()
    for (date, steps) in [("2026-02-10", 8000.0), ("2026-02-11", 120), ("2026-02-12", 7)] {
      try await sample.publish(date, [.steps: .value(steps)])
    }
    let page = String(
      decoding: try ReportPage(await sample.report("2026-02-10", "2026-02-12")).bytes,
      as: UTF8.self)
    for (date, steps) in [("2026-02-11", 120), ("2026-02-12", 7)] {
      #expect(
        page.contains("So far on \(date), which is not over and not counted: \(steps) steps"))
    }
  }

  @Test func `before today's first data a report has no error, and before yesterday's it has`()
    async throws
  {
    let sample = SampleRange()
    try await sample.publish("2026-02-09", SampleRange.all())
    #expect(try await sample.report("2026-02-09", "2026-02-11").findings.count(.error) == 1)
    try await sample.publish("2026-02-10", SampleRange.all())
    #expect(try await sample.report("2026-02-09", "2026-02-11").findings.count(.error) == 0)
  }

  @Test func `the numbers on the cards are the independent ones, rounded alike`() async throws {
    let (report, weights, steps) = try await sample()
    let page = try await ReadPage.read(report)
    #expect(page.bad == [])
    let cases = [weights, steps].map { (Array($0.suffix(35)), Array($0.prefix(35))) }
    let peers = try await peers(cases)
    for (place, name) in ["Weight", "Steps"].enumerated() {
      let (peer, spark) = (peers[place], try #require(page.sparks[name]))
      func shown(_ number: Double?) -> String {
        number.map { $0.fixed(place == 0 ? 1 : 0) } ?? "–"
      }
      let unit = place == 0 ? "kg" : "steps"
      let count = cases[place].0.count { $0 != nil }
      #expect(spark.last.hasPrefix("\(shown(peer.mean)) \(unit) "), "\(spark.last)")
      #expect(spark.last.contains("mean of \(count) days"), "\(spark.last)")
      #expect(spark.facts["Median"] == shown(peer.median))
      #expect(spark.facts["Lowest"]?.hasPrefix(shown(peer.least)) == true)
      #expect(spark.facts["Highest"]?.hasPrefix(shown(peer.greatest)) == true)
      #expect(
        spark.facts["7-day mean"] == "\(shown(peer.last[0])) \(peer.counts[0]) days")
      #expect(
        spark.facts["30-day mean"] == "\(shown(peer.last[1])) \(peer.counts[1]) days")
      #expect(spark.facts["35 days before"]?.hasPrefix(shown(peer.before)) == true)
      let change = try #require(peer.mean) - (try #require(peer.before))
      let sign = change < 0 ? "−" : "+"
      #expect(spark.facts["Change"]?.hasPrefix(sign + shown(abs(change))) == true)
      // The lines of the means have a point wherever the independent mean has one.
      for (window, line) in [spark.week, spark.month].enumerated() {
        let drawn = Set(line[0].keys.compactMap { Int($0) })
        let known = peer.rolling[window].indices.filter { peer.rolling[window][$0] != nil }
        #expect(drawn == Set(known))
      }
    }
  }

  @Test func `R10 a doubted 0 is marked, and is in no mean, no median and not in the scale`()
    async throws
  {
    let sample = SampleRange()
    for day in 1...8 {
      try await sample.publish(
        "2026-02-0\(day)",
        SampleRange.all(except: [
          .restingHeartRate: .value(day == 3 ? 0 : 60), .steps: .value(9000),
        ]))
    }
    let page = try await ReadPage.read(sample.report("2026-02-01", "2026-02-08"))
    let card = try #require(page.sparks["Resting heart rate"])
    #expect(card.doubted == [2] && card.drawn == [0, 1, 3, 4, 5, 6, 7])
    #expect(card.last.hasPrefix("60 bpm") && card.last.contains("mean of 7 days"))
    #expect(card.facts["Median"] == "60" && card.facts["Lowest"]?.hasPrefix("60") == true)
    #expect(card.levels.first == "59")
    #expect(card.text.contains("Not counted, because it is doubtful: 0 bpm on 2026-02-03"))
    #expect(page.numbers["Resting heart rate (bpm)"]?["2026-02-03"] == "0*")
    #expect(page.sparks["Steps"]?.doubted == [])
  }

  @Test func `R9 a number below 0 is marked, and is in no mean and not in the scale`()
    async throws
  {
    let sample = SampleRange()
    for day in 1...8 {
      try await sample.publish("2026-02-0\(day)", SampleRange.all(9000))
    }
    let date = try sample.date("2026-02-03")
    let resolved = try #require(try await sample.ledger.resolve(date).latest)
    let text = String(decoding: resolved.body, as: UTF8.self)
      .replacing(#""steps":9000"#, with: #""steps":-500"#)
    let key = sample.ledger.layout.revisionKey(date, resolved.id)
    try await sample.store.delete(key)
    try await sample.plant(key.rawValue, Array(text.utf8))
    let page = try await ReadPage.read(sample.report("2026-02-01", "2026-02-08"))
    let card = try #require(page.sparks["Steps"])
    #expect(card.doubted == [2] && card.drawn == [0, 1, 3, 4, 5, 6, 7])
    #expect(card.facts["Lowest"]?.hasPrefix("9,000") == true)
    #expect(card.levels.first == "0", "\(card.levels)")
    #expect(page.numbers["Steps"]?["2026-02-03"]?.hasSuffix("500*") == true)
  }

  @Test func `a period before without data is said to have none, and no change is shown`()
    async throws
  {
    let sample = SampleRange()
    for day in 1...9 { try await sample.publish("2026-02-0\(day)", SampleRange.all()) }
    let page = try await ReadPage.read(
      sample.report("2026-02-01", "2026-02-09"),
      expect: [
        "Nothing is stored for the 9 days before, 2026-01-23 to 2026-01-31, so no change is "
          + "shown."
      ])
    #expect(page.bad == [])
    #expect(page.sparks["Steps"]?.facts["9 days before"] == "– no data")
    #expect(page.sparks["Steps"]?.facts["Change"] == "–")
  }

  @Test(
    arguments: [
      (.sleepAsleep, 431.6, 500, "7 h 12 min", "−7 h 12 min"),
      (.sleepAsleep, 59.6, 90, "1 h", "−1 h"),
      (.exerciseMinutes, 38.4, 90, "38 min", "−38 min"),
      (.steps, 8432.4, 12_000, "8,432 steps", "−8,432"),
      (.flightsClimbed, 1, 9, "1 floor", "−1"), (.flightsClimbed, 8.25, 9, "8.3 floors", "−8.3"),
      (.distance, 5432.1, 9000, "5.43 km", "−5.43"),
      (.distance, 31_234, 31_234, "31.2 km", "−31.2"),
      (.sixMinuteWalk, 503.4, 520, "503 m", "−503"), (.restingHeartRate, 58.4, 70, "58 bpm", "−58"),
      (.weight, 82, 83, "82.0 kg", "−82.0"), (.bodyTemperature, 36.66, 38, "36.7 °C", "−36.7"),
      (.respiratoryRate, 14.21, 18, "14.2 breaths/min", "−14.2"),
      (.standHours, 11, 16, "11 h", "−11"),
      (.environmentalSound, 66.4, 80, "66 dB", "−66"), (.vitaminB12, 2.41, 4, "2.41 µg", "−2.41"),
      (.bodyMassIndex, 25.02, 25, "25.0 kg/m²", "−25.0"), (.uvIndex, 6, 9, "6", "−6"),
      (.steps, 0.2, 9000, "0 steps", "±0"), (.activeEnergy, 1e20, 1e20, "1e+20 kcal", "−1e+20"),
    ] as [(DailyMetric, Double, Double, String, String)])
  func `numbers are written as a person says them`(
    metric: DailyMetric, number: Double, greatest: Double, text: String, change: String
  ) {
    let unit = PersonUnit(metric, greatest: greatest)
    #expect(unit.text(number) == text)
    #expect(unit.change(-number) == change)
  }

  @Test func `every metric of the catalogue has a meaningful unit`() {
    for metric in DailyMetric.allCases {
      let text = PersonUnit(metric, greatest: 250).text(250)
      #expect(
        text != "250" || [.uvIndex, .breathingDisturbances, .nikeFuel].contains(metric), "\(metric)"
      )
      #expect(!text.contains("count") && !text.contains("deg"), "\(metric)")
    }
  }
}
