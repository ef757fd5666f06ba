internal import Foundation

/// A metric with its catalogue row's rules for counting, looked up once and not for every
/// day and sample; and how a day's number is made of its samples (R18, docs/DAYS.md).
package struct CountedMetric {
  package let metric: DailyMetric
  package let kind: SampleKind
  package let aggregation: DailyAggregation
  package let unit: SampleUnit

  package init(_ metric: DailyMetric) {
    self.metric = metric
    (kind, aggregation, unit) = (metric.kind, metric.aggregation, metric.unit)
  }

  /// The stretch of time whose samples count.
  package func span(of window: DayWindow) -> Range<Int> {
    if case .night = aggregation { window.night } else { window.range }
  }

  /// Whether a sample of its kind counts in a day or night: in a sum wherever it touches it, in a
  /// mean where it has its middle.
  package func takes(_ sample: QuantitySample, in span: Range<Int>) -> Bool {
    guard aggregation.reaches(sample, span) else { return false }
    return switch aggregation {
    case .night(.asleep): sample.sleep?.value != .inBed
    case .night(.value(let value)): sample.sleep?.value == value
    default: true
    }
  }

  /// The number of samples of its kind; nil where none counts.
  ///
  /// The same whatever the order of the samples.
  package func number(
    of samples: [QuantitySample], in window: DayWindow, order: [SourcePriority]
  ) throws(ReportingDay.Failure) -> Double? {
    let span = window.range
    switch aggregation {
    case .sum: return AdditiveTotals.shares(of: samples, in: span, order: order).total
    case .entries: return samples.quantities(centredIn: span).sum
    case .mean: return samples.quantities(centredIn: span).mean
    case .least: return samples.quantities(centredIn: span).min()
    case .greatest: return samples.quantities(centredIn: span).max()
    case .latest: return samples.filter { span.contains($0.middle) }.latest(order)?.quantity
    case .latestTime:
      let latest = samples.filter { span.contains($0.middle) }.latest(order)
      let (start, end) = (window.day.start.timestamp, window.day.end.timestamp)
      // What ended beside the day, such as between the days of two zones, has no time of this one.
      return latest.flatMap { latest in
        guard (start.secondsSince1970...end.secondsSince1970).contains(latest.end) else {
          return nil
        }
        return inUnit(minutes: Double(latest.end - start.secondsSince1970) / 60)
      }
    case .level: return samples.filter { span.contains($0.middle) }.level
    case .hours:
      let hours = samples.filter { span.contains($0.start) }
      return try StandHours.found(hours, in: window.day.timeZoneName)
    case .duration:
      let union = IntervalSet(samples.lazy.map { ($0.start..<$0.end).clamped(to: span) })
      return union.isEmpty ? nil : inUnit(minutes: Double(union.count) / 60)
    case .night:
      return number(of: SleepStages(samples.compactMap(\.sleep), in: window.night, order: order))
    }
  }

  /// The number of a night; nil for a metric that is not made of nights.
  package func number(of sleep: SleepStages) -> Double? {
    guard case .night(let part) = aggregation else { return nil }
    return sleep.minutes(of: part).flatMap(inUnit(minutes:))
  }

  private func inUnit(minutes: Double) -> Double? { SampleUnit.minute.convert(minutes, to: unit) }

  /// The number as it is published: whole steps, six decimals of everything else, so that the order
  /// of samples or the last bit of a division never makes a new revision.
  package func rounded(_ number: Double) -> Double {
    kind == .stepCount ? number.rounded() : number.roundedToMillionths
  }
}

extension DailyAggregation {
  /// Whether the times of a sample let it count in a day, or in a night for metrics of sleep.
  package func reaches(_ sample: QuantitySample, _ span: Range<Int>) -> Bool {
    switch self {
    case .sum: sample.extent.overlaps(span)
    case .entries, .mean, .least, .greatest, .level, .latest, .latestTime:
      span.contains(sample.middle)
    case .hours: span.contains(sample.start)
    case .duration, .night: (sample.start..<sample.end).overlaps(span)
    }
  }
}

extension [QuantitySample] {
  /// The quantities of the samples whose middle lies in a stretch.
  fileprivate func quantities(centredIn span: Range<Int>) -> [Double] {
    compactMap { span.contains($0.middle) ? $0.quantity : nil }
  }
}

extension [QuantitySample] {
  /// The level of the samples' mean energy, each weighted by its time; nil where there is none.
  ///
  /// Two decibels of sound are not added or averaged as numbers: 90 for an hour and silence for
  /// another are 87, not 45.
  fileprivate var level: Double? {
    let parts = map { (energy: pow(10, $0.quantity / 10), seconds: Double($0.extent.count)) }
    let seconds = parts.reduce(0) { $0 + $1.seconds }
    guard seconds > 0 else { return nil }
    return 10 * log10(parts.map { $0.energy * $0.seconds }.sorted().reduce(0, +) / seconds)
  }
}

extension [Double] {
  /// The mean, the same whatever the order; nil where there is no number.
  package var mean: Double? {
    let sorted = self.sorted()
    guard let least = sorted.first, let greatest = sorted.last else { return nil }
    return Swift.min(Swift.max(sorted.reduce(0, +) / Double(count), least), greatest)
  }

  /// The sum, the same whatever the order; nil where there is no number.
  fileprivate var sum: Double? { isEmpty ? nil : sorted().reduce(0, +) }
}

/// How a day's number is made of its samples; whoever asks often keeps a `CountedMetric`.
extension DailyMetric {
  /// The number of samples of its kind; nil where none counts.
  package func number(
    of samples: [QuantitySample], in window: DayWindow, order: [SourcePriority]
  ) throws(ReportingDay.Failure) -> Double? {
    try CountedMetric(self).number(of: samples, in: window, order: order)
  }

  /// The number of a night; nil for a metric that is not made of nights.
  package func number(of sleep: SleepStages) -> Double? { CountedMetric(self).number(of: sleep) }

  /// The number as it is published.
  package func rounded(_ number: Double) -> Double { CountedMetric(self).rounded(number) }
}

/// The distinct hours of a day, by the clock on the wall, in which somebody stood.
package enum StandHours {
  /// Samples of 1 are one stood hour, samples of 0 an idle one; a larger number is a sum of hours.
  ///
  /// Nil where there is no sample.
  package static func found(
    _ samples: [QuantitySample], in timeZoneName: String
  ) throws(ReportingDay.Failure) -> Double? {
    guard !samples.isEmpty else { return nil }
    var stood: Set<LocalHour> = []
    var sums = 0.0
    for sample in samples {
      if sample.quantity > 1 {
        sums += sample.quantity
      } else if sample.quantity > 0 {
        stood.insert(
          try LocalHour(at: sample.start, timeZoneName: timeZoneName))
      }
    }
    return Double(stood.count) + sums
  }

  /// No day has more than its hours: 24, or 25 in autumn.
  package static func most(of day: Range<Int>) -> Double { Double((day.count + 3599) / 3600) }
}

/// An hour as clocks show it; the hour that comes twice in autumn is two.
package struct LocalHour: Hashable {
  private let hour: Int
  private let offset: Int

  /// The hour that holds a moment.
  package init(at seconds: Int, timeZoneName: String) throws(ReportingDay.Failure) {
    let moment = Timestamp(secondsSince1970: seconds)
    offset = try ReportingDay.offsetSeconds(at: moment, timeZoneName: timeZoneName)
    hour = (seconds + offset).dividedDown(by: 3600)
  }

  /// What the clock on the wall shows: 0 to 23.
  package var ofDay: Int { hour - hour.dividedDown(by: 24) * 24 }
}

extension Int {
  /// The quotient rounded towards minus infinity.
  package func dividedDown(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}
