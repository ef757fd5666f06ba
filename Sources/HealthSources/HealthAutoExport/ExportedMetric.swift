internal import HealthSamples

/// A metric of Health Auto Export that is used.
struct ExportedMetric: Hashable, Sendable {
  /// Its name in a payload.
  let name: String
  /// What its rows are samples of.
  let kind: SampleKind
  /// Our metrics that it yields, at least one, all made in the same way.
  let metrics: [DailyMetric]
  /// How the rows of one day become one number.
  let aggregation: DailyAggregation

  /// All, in the order of the kinds.
  static let all = SampleKind.allCases.compactMap { ExportedMetric($0) }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The metric of a name in a payload; nil for one that is not used.
  static func named(_ name: String) -> ExportedMetric? { byName[name] }

  private init?(_ kind: SampleKind) {
    metrics = DailyMetric.ofV0.filter { $0.kind == kind }
    guard let name = kind.payloadNames.first, let first = metrics.first else { return nil }
    (self.name, self.kind, aggregation) = (name, kind, first.aggregation)
  }

  /// What a number in `unit` is multiplied by to be in our metric's unit; nil where nobody can say.
  ///
  /// Case matters: `Cal` is a kilocalorie, `cal` a thousandth of one.
  func factor(from unit: String) -> Double? {
    switch (kind, unit) {
    case (.stepCount, "steps"), (.appleStandHour, "count"), (.appleStandHour, "hr"): 1
    case (.activeEnergyBurned, "J"): 1 / 4184
    case (.restingHeartRate, "bpm"): 1
    default: SampleUnit(rawValue: unit).flatMap { $0.factor(to: kind.unit) }
    }
  }
}
