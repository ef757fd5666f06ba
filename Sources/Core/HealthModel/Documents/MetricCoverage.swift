/// Which metrics a source covers (R19). What it does not cover, it does not take away (R20).
public enum MetricCoverage: Hashable, Sendable {
  /// All of them: a metric without a reading has no data.
  case everything
  /// These; of the others the source knows nothing.
  case metrics(Set<DailyMetric>)

  /// Whether the source covers a metric.
  public func contains(_ metric: DailyMetric) -> Bool {
    switch self {
    case .everything: true
    case .metrics(let metrics): metrics.contains(metric)
    }
  }

  /// The metrics that are covered.
  package var metrics: Set<DailyMetric> {
    switch self {
    case .everything: Self.all
    case .metrics(let metrics): metrics
    }
  }

  /// The same coverage without some metrics.
  package func subtracting(_ others: Set<DailyMetric>) -> MetricCoverage {
    others.isEmpty ? self : .metrics(metrics.subtracting(others))
  }

  /// The keys of the metrics as a document lists them; nil for everything.
  var keys: [String]? {
    guard case .metrics(let metrics) = self else { return nil }
    return metrics.map(\.rawValue).sorted()
  }

  private static let all = Set(DailyMetric.allCases)
}
