internal import HealthModel

/// A metric of Health Auto Export whose rows are read.
struct ExportedMetric: Hashable, Sendable {
  /// Its usual name in a payload.
  let name: String
  /// What its rows are samples of; of blood pressure, the systolic one.
  let kind: SampleKind
  /// The metrics that it yields, in the catalogue's order.
  let metrics: [DailyMetric]
  /// The parts of an aggregate that these are made of; none for sums, of which an average says nothing.
  let parts: [RowPart]

  /// All, in the order of the kinds.
  static let all = SampleKind.allCases.compactMap { ExportedMetric($0) }

  private static let byKind = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })

  private static let bloodPressure = PayloadName("blood_pressure")

  /// The metric of a name in a payload, also as the app shows it, such as `Dietary Water`, or as
  /// HealthKit names it; nil for one that is not read.
  static func named(_ name: String) -> ExportedMetric? {
    let name = PayloadName(name)
    // Both numbers stand in the rows of one name.
    if name == bloodPressure { return byKind[.bloodPressureSystolic] }
    return PayloadName.kinds[name].flatMap { byKind[$0] }
  }

  private init?(_ kind: SampleKind) {
    switch kind {
    case .bloodPressureSystolic:
      name = "blood_pressure"
      metrics = DailyMetric.allCases.filter {
        [.bloodPressureSystolic, .bloodPressureDiastolic].contains($0.kind)
      }
    default:
      guard let first = kind.payloadNames.first else { return nil }
      name = first
      metrics = DailyMetric.allCases.filter { $0.kind == kind }
    }
    guard !metrics.isEmpty else { return nil }
    let own = metrics
    parts = RowPart.extremes.filter { own.contains(where: $0.isAbout) }
    self.kind = kind
  }

  /// Those that are required.
  var required: [DailyMetric] { metrics.filter(\.isRequired) }

  /// Whether a row is something that a person enters: several of a day are not sums, but entries.
  var areEntries: Bool { metrics.allSatisfy { $0.aggregation == .entries } }

  /// Whether a row is the sum of what happened in its time.
  var areSums: Bool {
    metrics.allSatisfy { [.sum, .hours, .duration].contains($0.aggregation) }
  }

  /// The metric that people mean by the name.
  var chief: DailyMetric? { metrics.first { $0.aggregation == .mean } ?? metrics.first }

  /// What the rows hold.
  var shape: Shape {
    switch kind {
    case .bloodPressureSystolic: .pair
    case .mindfulSession: .duration
    default: parts.isEmpty ? .plain : .extremes
    }
  }

  /// What stands in a row.
  enum Shape {
    /// `qty`.
    case plain
    /// Some of `Min`, `Avg` and `Max`, or `qty`.
    case extremes
    /// `systolic` and `diastolic`.
    case pair
    /// `qty`, or the time from start to end.
    case duration
  }
}

/// Which of a metric's numbers a row holds.
enum RowPart: UInt8, Hashable, CaseIterable {
  /// The one that all of its metrics are made of.
  case whole
  case least
  case mean
  case greatest

  /// The member of a row.
  var member: String {
    switch self {
    case .whole: "qty"
    case .least: "Min"
    case .mean: "Avg"
    case .greatest: "Max"
    }
  }

  /// Those of an aggregate.
  static let extremes: [RowPart] = [.least, .mean, .greatest]

  /// Whether a metric is made of rows of this part.
  func isAbout(_ metric: DailyMetric) -> Bool {
    switch self {
    case .whole: true
    case .least: metric.aggregation == .least
    case .mean: [.mean, .level].contains(metric.aggregation)
    case .greatest: metric.aggregation == .greatest
    }
  }
}
