/// What the samples of one day say beyond its numbers: what each source has by itself, and who has the latest
/// samples. Sources are named as the label `source` names them (R57).
package struct DayDetail: Hashable, Sendable {
  /// The newest sample of a metric.
  package struct Newest: Hashable, Sendable {
    package let source: String
    package let value: Double
    /// Seconds since 1970.
    package let end: Int
  }

  /// The numbers that the samples give, of whatever source.
  package private(set) var numbers: [DailyMetric: Double] = [:]
  /// Of the metrics that add up in a day: by source, the number if it were the only one.
  package private(set) var totals: [DailyMetric: [String: Double]] = [:]
  /// Of the metrics that have a latest value.
  package private(set) var latest: [DailyMetric: Newest] = [:]
  /// Who has samples of a kind within the day.
  package private(set) var sources: [SampleKind: Set<String>] = [:]
  /// By the hour of the clock on the wall, 0 to 23, the newest heart rate that ends in it.
  package private(set) var heartRates: [Int: Newest] = [:]
}

extension DayDetail {
  /// - Parameters:
  ///   - figures: those that are made of the samples.
  ///   - order: by source number.
  ///   - label: the label of a source number.
  package init(
    _ figures: DayFigures, of samples: DaySamples, in window: DayWindow, order: [SourcePriority],
    label: (Int) -> String
  ) throws(ReportingDay.Failure) {
    for (daily, reading) in figures.readings {
      guard let number = reading.number else { continue }
      numbers[daily] = number
      let metric = CountedMetric(daily)
      let span = metric.span(of: window)
      let own = samples[metric.kind].filter { metric.takes($0, in: span) }
      if daily.prometheusType == .counter {
        for (source, own) in Dictionary(grouping: own, by: { label($0.source) }) {
          totals[daily, default: [:]][source] = try metric.number(
            of: own, in: window, order: order
          ).map(metric.rounded)
        }
      } else if daily.latest != nil, let newest = own.latest(order) {
        latest[daily] = Newest(
          source: label(newest.source), value: metric.rounded(newest.quantity), end: newest.end)
      }
    }
    for kind in SampleKind.allCases {
      let own = Set(samples[kind].filter { $0.extent.overlaps(window.range) }.map(\.source))
      if !own.isEmpty { sources[kind] = Set(own.map(label)) }
    }
    for sample in samples[.heartRate] where window.range.contains(sample.end) {
      let hour = try LocalHour(at: sample.end, timeZoneName: window.day.timeZoneName)
        .ofDay
      if let known = heartRates[hour], known.end >= sample.end { continue }
      heartRates[hour] = Newest(
        source: label(sample.source), value: sample.quantity, end: sample.end)
    }
  }
}
