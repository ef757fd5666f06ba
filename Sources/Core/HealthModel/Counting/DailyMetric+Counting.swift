/// The catalogue's metrics and the eight of health.v0: only here is one parted from the other.
extension DailyMetric {
  /// The metric of health.v0 with this key; nil for a further one.
  package var metric: Metric? { Self.v0Metrics.first { $0.daily == self }?.metric }

  private static let v0Metrics = Metric.allCases.map { (daily: $0.daily, metric: $0) }
}

extension [DailyMetric: MetricReading] {
  /// Those of the eight metrics of health.v0.
  package var ofV0: [Metric: MetricReading] {
    var readings: [Metric: MetricReading] = [:]
    readings.reserveCapacity(Metric.allCases.count)
    for (daily, reading) in self { if let metric = daily.metric { readings[metric] = reading } }
    return readings
  }

  /// The numbers of the further metrics.
  package var further: [DailyMetric: Double] {
    var numbers: [DailyMetric: Double] = [:]
    for (daily, reading) in self where daily.metric == nil {
      if let number = reading.number { numbers[daily] = number }
    }
    return numbers
  }
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
