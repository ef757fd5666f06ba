package import HealthModel

/// Which families are pushed: metrics of the catalogue, the current heart rate, workouts.
package struct PushSelection: Hashable, Sendable {
  package var metrics: Set<DailyMetric>
  package var hasHeartRate: Bool
  package var hasWorkouts: Bool

  /// The words for what is not in the catalogue.
  package static let heartRate = "heart_rate"
  package static let workouts = "workouts"

  package static let all = PushSelection(
    metrics: Set(DailyMetric.allCases.filter { $0.latestOf == nil }), hasHeartRate: true,
    hasWorkouts: true)
  package static let none = PushSelection(metrics: [], hasHeartRate: false, hasWorkouts: false)

  package init(metrics: Set<DailyMetric>, hasHeartRate: Bool, hasWorkouts: Bool) {
    (self.metrics, self.hasHeartRate, self.hasWorkouts) = (metrics, hasHeartRate, hasWorkouts)
  }

  /// Reads `all`, or keys, `v0`, `heart_rate` and `workouts` with commas between them.
  package init(parsing text: String) throws(MetricSelection.Failure) {
    self = .none
    guard text != "all" else {
      self = .all
      return
    }
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let key = String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      switch key {
      case Self.heartRate: hasHeartRate = true
      case Self.workouts: hasWorkouts = true
      case "all": self = .all
      // A latest value stands in the gauge of its metric.
      default:
        metrics.formUnion(try MetricSelection(parsing: key).metrics.map { $0.latestOf ?? $0 })
      }
    }
  }

  /// What is left without those of another.
  package func without(_ other: PushSelection) -> PushSelection {
    PushSelection(
      metrics: metrics.subtracting(other.metrics),
      hasHeartRate: hasHeartRate && !other.hasHeartRate,
      hasWorkouts: hasWorkouts && !other.hasWorkouts)
  }

  package var isEmpty: Bool { metrics.isEmpty && !hasHeartRate && !hasWorkouts }
}
