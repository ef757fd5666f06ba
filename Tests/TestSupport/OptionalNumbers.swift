public import HealthModel

extension [DailyMetric: MetricReading] {
  /// The numbers of the optional metrics (R42), but the latest values.
  public var optional: [DailyMetric: Double] {
    get { filter { !$0.key.isRequired && $0.key.latestOf == nil }.compactMapValues(\.number) }
    set { self = filter { $0.key.isRequired || $0.key.latestOf != nil }.with(newValue) }
  }

  /// The latest values, and their times.
  public var latest: [DailyMetric: Double] {
    filter { $0.key.latestOf != nil }.compactMapValues(\.number)
  }

  /// The same readings, and these numbers.
  public func with(_ numbers: [DailyMetric: Double]) -> Self {
    merging(numbers.mapValues(MetricReading.value)) { $1 }
  }
}
