internal import AppleExport
internal import HealthModel
package import HealthSamples

/// What the samples of one day say beyond its numbers: what each source adds to the sums, which
/// sources have samples of a kind, and the newest heart rates.
package struct DayDetail: Hashable, Sendable {
  /// What one source adds to a sum.
  package struct Share: Hashable, Sendable {
    package let source: DetailSource
    /// Not rounded. The shares of a metric add up to its number before that is rounded.
    package let counted: Double
  }

  /// One heart rate.
  package struct HeartRate: Hashable, Sendable {
    package let source: DetailSource
    package let value: Double
    /// Seconds since 1970.
    package let end: Int
  }

  /// Of the metrics that are sums, the best source first.
  package private(set) var shares: [DailyMetric: [Share]] = [:]
  /// Who has samples of a kind within the day.
  package private(set) var sources: [SampleKind: Set<DetailSource>] = [:]
  /// By the hour of the clock on the wall, 0 to 23, the newest heart rate that ends in it.
  package private(set) var heartRates: [Int: HeartRate] = [:]
}

/// Who recorded a sample.
package struct DetailSource: Hashable, Sendable {
  /// As it names itself; empty where unknown.
  package let name: String
  /// Such as `Watch6,2`; empty where unknown.
  package let hardware: String
  /// Whether the person typed it in.
  package let isUserEntered: Bool

  package init(name: String, hardware: String = "", isUserEntered: Bool = false) {
    (self.name, self.hardware, self.isUserEntered) = (name, hardware, isUserEntered)
  }
}

extension ExplainedDay {
  var detail: DayDetail {
    get throws(ReportingDay.Failure) {
      try DayDetail(figures, of: samples, in: window, sources)
    }
  }
}

extension DayDetail {
  init(
    _ figures: DayFigures, of samples: DaySamples, in window: DayWindow, _ table: SourceTable
  ) throws(ReportingDay.Failure) {
    func source(_ number: Int) -> DetailSource {
      let source = table.source(number)
      return DetailSource(
        name: source.name, hardware: source.hardware, isUserEntered: table.isUserEntered(number))
    }
    shares = figures.shares.mapValues { shares in
      shares.map { Share(source: source($0.source), counted: $0.counted) }
    }
    for kind in SampleKind.allCases {
      let own = Set(samples[kind].filter { $0.extent.overlaps(window.range) }.map(\.source))
      if !own.isEmpty { sources[kind] = Set(own.map(source)) }
    }
    for sample in samples[.heartRate] where window.range.contains(sample.end) {
      let hour = try ZoneCalendar.LocalHour(at: sample.end, timeZoneName: window.day.timeZoneName)
        .ofDay
      if let known = heartRates[hour], known.end >= sample.end { continue }
      heartRates[hour] = HeartRate(
        source: source(sample.source), value: sample.quantity, end: sample.end)
    }
  }
}
