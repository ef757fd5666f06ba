/// Which metrics are required, the order of all, and how one is found by its key.
extension DailyMetric {
  /// Whether every document has it, with the reason where it has no number (R9). A document has an
  /// optional metric only with a number (R42).
  public var isRequired: Bool {
    switch self {
    case .steps, .activeEnergy, .exerciseMinutes, .standHours, .restingHeartRate,
      .heartRateVariability, .sleepAsleep, .sleepInBed:
      true
    default: false
    }
  }

  /// The required metrics, in their order.
  public static let required = allCases.filter(\.isRequired)

  /// The optional metrics, in the catalogue's order.
  public static let optional = allCases.filter { !$0.isRequired }

  /// The required metrics, then the optional ones.
  public static let inOrder = required + optional

  /// The optional metrics that any of some days has, in the catalogue's order.
  package static func optional<Value>(
    in days: some Sequence<[DailyMetric: Value]>
  ) -> [DailyMetric] {
    var held: Set<DailyMetric> = []
    for day in days { held.formUnion(day.keys) }
    return optional.filter { held.contains($0) }
  }

  /// Hashes a required metric by its place: every revision looks up all of them.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .steps: hasher.combine(0)
    case .activeEnergy: hasher.combine(1)
    case .exerciseMinutes: hasher.combine(2)
    case .standHours: hasher.combine(3)
    case .restingHeartRate: hasher.combine(4)
    case .heartRateVariability: hasher.combine(5)
    case .sleepAsleep: hasher.combine(6)
    case .sleepInBed: hasher.combine(7)
    default: hasher.combine(rawValue)
    }
  }

  /// The metric with a key of daily documents. `init(rawValue:)` compares the text with each key.
  package static func named(_ key: String) -> DailyMetric? { byKey[key] }

  private static let byKey = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}
