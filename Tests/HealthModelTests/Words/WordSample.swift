import StoreTesting

@testable import HealthModel

/// Words of 2026-03-10 in UTC, with hours for moments.
enum WordSample {
  static let zone = "UTC"
  static let midnight = 1_773_100_800
  static let span = midnight..<midnight + 86_400

  static func moment(_ hour: Double) -> Timestamp {
    Timestamp(secondsSince1970: midnight + Int(hour * 3600))
  }

  /// What a source says at an hour of the part between two hours.
  static func steps(
    _ number: Double?, _ source: DataSource = .healthAutoExport, at hour: Double,
    _ from: Double = 0, _ to: Double = 24, authority: Bool = false, loose: Bool = false,
    zone: String = zone, isZoneSet: Bool = false
  ) -> Word {
    word(
      .steps, [number.map(MetricReading.value) ?? .noData], source, at: hour, from, to,
      authority: authority, loose: loose, zone: zone, isZoneSet: isZoneSet)
  }

  /// - Parameter readings: of the first of the group's metrics; the others have no data.
  static func word(
    _ metric: DailyMetric, _ readings: [MetricReading], _ source: DataSource, at hour: Double,
    _ from: Double = 0, _ to: Double = 24, authority: Bool = false, loose: Bool = false,
    zone: String = zone, isZoneSet: Bool = false
  ) -> Word {
    let (first, last) = (moment(from).secondsSince1970, moment(to).secondsSince1970)
    let span =
      CalendarDate("2026-03-10").flatMap { DaySpans($0, in: zone) }?.span(of: WordGroup(of: metric))
      ?? span
    let others = WordGroup(of: metric).metrics.dropFirst(readings.count)
    return Word(
      source, WordGroup(of: metric), readings + others.map { _ in .noData }, zone: zone,
      isZoneSet: isZoneSet,
      extent: WordExtent(of: first..<max(first, last), in: span, capturedAt: moment(hour)),
      capturedAt: moment(hour), isAuthority: authority, readsAll: !loose)
  }

  /// The number of steps that some words give.
  static func steps(of words: [Word]) -> Double? {
    Fold(DayWords(words)).reading(of: .steps).number
  }

  /// Any word, of few enough values that they meet.
  static func random(_ random: inout SplitMix64, group: DailyMetric? = nil) -> Word {
    let metric =
      group ?? [.steps, .weight, .sleepAsleep, .heartRateMean].randomElement(using: &random)
      ?? .steps
    let ends = [Int.random(in: 0...6, using: &random), Int.random(in: 0...6, using: &random)]
      .sorted()
    let sources: [DataSource] = [
      .healthAutoExport, .appleHealthExport, .streams, .metricsJSON, .unknown,
    ]
    let readings = WordGroup(of: metric).metrics.map { _ in
      Int.random(in: 0...4, using: &random) == 0
        ? [MetricReading.noData, .unsupported, .unauthorized].randomElement(using: &random)
          ?? .noData
        : .value(Double(Int.random(in: 0...4, using: &random)))
    }
    return word(
      metric, readings, sources.randomElement(using: &random) ?? .streams,
      at: Double(Int.random(in: 0...5, using: &random)) * 8, Double(ends[0] * 4),
      Double(ends[1] * 4),
      authority: Int.random(in: 0...4, using: &random) == 0, loose: Bool.random(using: &random),
      zone: Int.random(in: 0...3, using: &random) == 0 ? "Asia/Tokyo" : zone,
      isZoneSet: Bool.random(using: &random))
  }
}
