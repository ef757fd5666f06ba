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
