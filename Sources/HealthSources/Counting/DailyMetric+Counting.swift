package import HealthModel
package import HealthSamples

/// The catalogue's metrics and the eight of health.v0: only here is one parted from the other.
extension DailyMetric {
  /// The metric of health.v0 with this key; nil for a further one.
  package var metric: Metric? { v0Key.flatMap(Metric.init(rawValue:)) }
}

extension [DailyMetric: MetricReading] {
  /// Those of the eight metrics of health.v0.
  var ofV0: [Metric: MetricReading] {
    var readings: [Metric: MetricReading] = [:]
    for (daily, reading) in self { if let metric = daily.metric { readings[metric] = reading } }
    return readings
  }

  /// The numbers of the further metrics.
  var further: [DailyMetric: Double] {
    filter { $0.key.metric == nil }.compactMapValues(\.number)
  }
}

/// How a day's number is made of its samples; whoever asks often keeps a `CountedMetric`.
extension DailyMetric {
  /// The number of samples of its kind; nil where none counts.
  func number(
    of samples: [QuantitySample], in window: DayWindow, order: [SourcePriority]
  ) throws(ReportingDay.Failure) -> Double? {
    try CountedMetric(self).number(of: samples, in: window, order: order)
  }

  /// The number of a night; nil for a metric that is not made of nights.
  func number(of sleep: SleepStages) -> Double? { CountedMetric(self).number(of: sleep) }

  /// The number as it is published.
  func rounded(_ number: Double) -> Double { CountedMetric(self).rounded(number) }
}
