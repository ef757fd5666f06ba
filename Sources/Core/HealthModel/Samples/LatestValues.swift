/// What is measured now and then, and holds until it is measured again, such as a weight: beside the mean,
/// which is a day's number, a day has the latest value and its time (R18).
extension DailyMetric {
  /// The metrics that say the latest value of this one, and when that was; nil for most metrics.
  public var latest: (value: DailyMetric, time: DailyMetric)? {
    switch self {
    case .restingHeartRate: (.restingHeartRateLatest, .restingHeartRateLatestTime)
    case .bloodPressureSystolic: (.bloodPressureSystolicLatest, .bloodPressureLatestTime)
    case .bloodPressureDiastolic: (.bloodPressureDiastolicLatest, .bloodPressureLatestTime)
    case .vo2Max: (.vo2MaxLatest, .vo2MaxLatestTime)
    case .oxygenSaturation: (.oxygenSaturationLatest, .oxygenSaturationLatestTime)
    case .bloodGlucose: (.bloodGlucoseLatest, .bloodGlucoseLatestTime)
    case .bodyTemperature: (.bodyTemperatureLatest, .bodyTemperatureLatestTime)
    case .basalBodyTemperature: (.basalBodyTemperatureLatest, .basalBodyTemperatureLatestTime)
    case .weight: (.weightLatest, .weightLatestTime)
    case .leanMass: (.leanMassLatest, .leanMassLatestTime)
    case .bodyFat: (.bodyFatLatest, .bodyFatLatestTime)
    case .bodyMassIndex: (.bodyMassIndexLatest, .bodyMassIndexLatestTime)
    case .waist: (.waistLatest, .waistLatestTime)
    case .height: (.heightLatest, .heightLatestTime)
    default: nil
    }
  }

  /// The metric whose latest value this is, or the time of it; of a blood pressure's time the systolic one. Nil
  /// for all other metrics.
  public var latestOf: DailyMetric? { definition.latestOf }

  /// Whether it holds until it is measured again: what else the day brings does not complete it (R33).
  package var isLevel: Bool { latest != nil || latestOf != nil }
}

extension Collection<DailyMetric> {
  /// Those of which people are told: what is said of a metric holds for its latest value too.
  package var told: [DailyMetric] {
    filter { metric in metric.latestOf.map { !contains($0) } ?? true }
  }
}

/// The latest value of a day, and when that was measured.
package struct LatestValue: Hashable, Sendable {
  package let value: Double
  /// Nil where the day has the value without its time.
  package let at: Timestamp?

  /// - Parameters:
  ///   - start: when the day begins.
  ///   - number: the day's number of a metric.
  package init?(
    of metric: DailyMetric, from start: Timestamp, _ number: (DailyMetric) -> Double?
  ) {
    guard let latest = metric.latest, let value = number(latest.value) else { return nil }
    self.value = value
    // A number that somebody wrote may be more minutes than a day has: then the moment is unknown.
    at = number(latest.time).flatMap {
      $0 > 1e6 ? nil : start.adding(seconds: Int(($0 * 60).rounded()))
    }
  }
}

extension DailyRevision {
  /// The day's latest value of a metric; nil where it has none.
  package func latest(of metric: DailyMetric) -> LatestValue? {
    LatestValue(of: metric, from: day.start.timestamp) { reading(of: $0).number }
  }
}

extension [QuantitySample] {
  /// The sample that ended last; of those that ended at once that which began last, then that of the best
  /// source, then the greatest: the same whatever the order.
  package func latest(_ order: [SourcePriority]) -> QuantitySample? {
    self.max { a, b in
      if a.end != b.end { return a.end < b.end }
      if a.start != b.start { return a.start < b.start }
      if order[a.source] != order[b.source] { return order[a.source] > order[b.source] }
      return a.quantity < b.quantity
    }
  }
}
