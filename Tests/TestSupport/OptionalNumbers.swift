public import HealthModel

extension [DailyMetric: MetricReading] {
  /// The numbers of the optional metrics (R42).
  public var optional: [DailyMetric: Double] {
    get { filter { !$0.key.isRequired }.compactMapValues(\.number) }
    set { self = filter(\.key.isRequired).with(newValue) }
  }

  /// The same readings, and these numbers.
  public func with(_ numbers: [DailyMetric: Double]) -> Self {
    merging(numbers.mapValues(MetricReading.value)) { $1 }
  }
}
