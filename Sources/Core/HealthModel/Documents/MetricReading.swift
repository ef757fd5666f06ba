/// Why a metric has, or has no, number (R10).
public enum MetricStatus: String, CaseIterable, Sendable {
  /// Computed and present.
  case ok
  /// The collector could read, and there was nothing.
  case noData = "no_data"
  /// The collector had no permission to read.
  case unauthorized
  /// This device or input cannot deliver the metric.
  case unsupported
}

/// A number, or the reason that there is none: a status that contradicts its value can't be built (R10).
public enum MetricReading: Hashable, Sendable {
  /// A finite number in the metric's unit; status `ok`.
  case value(Double)
  /// No number because there was no data.
  case noData
  /// No number because the collector may not read.
  case unauthorized
  /// No number because the metric is not supported here.
  case unsupported

  /// The reading's status word.
  public var status: MetricStatus {
    switch self {
    case .value: .ok
    case .noData: .noData
    case .unauthorized: .unauthorized
    case .unsupported: .unsupported
    }
  }

  /// The number, or nil where there is none.
  public var number: Double? {
    if case .value(let number) = self { number } else { nil }
  }

  /// The reading of a status other than `ok`; nil for `ok`.
  public init?(reason status: MetricStatus) {
    switch status {
    case .ok: return nil
    case .noData: self = .noData
    case .unauthorized: self = .unauthorized
    case .unsupported: self = .unsupported
    }
  }
}

extension [DailyMetric: MetricReading] {
  /// Those that a day can say: an optional metric without a number is left out (R42).
  package var sayable: Self {
    contains { !$0.isRequired && $1.number == nil }
      ? filter { $0.isRequired || $1.number != nil } : self
  }

  /// Those of a document: the same, and `noData` for each required metric that is left out (R9).
  package var documented: Self {
    var readings = sayable
    for metric in DailyMetric.required where readings[metric] == nil { readings[metric] = .noData }
    return readings
  }

  /// The numbers of those that have one.
  package var numbers: [DailyMetric: Double] { compactMapValues(\.number) }

  /// Whether any metric has a number.
  package var hasNumber: Bool { values.contains { $0.number != nil } }
}

extension DailyMetric {
  /// What is wrong with a number that no day of a living person has (docs/METRICS.md); nil for any
  /// other.
  package func implausibility(of number: Double) -> String? {
    if plausible.contains(number) { return nil }
    let (least, most) = (plausible.lowerBound, plausible.upperBound)
    let unit = plainUnit.isEmpty ? "" : " \(plainUnit)"
    return "\(number.grouped)\(unit) is not between \(least.grouped) and \(most.grouped)"
  }

  /// Metrics for which a living person with a device has more than 0. A 0 is most often "no data"
  /// written as a number, which R10 forbids but no reader can prove.
  package static let neverZero: Set<DailyMetric> = [
    .steps, .activeEnergy, .restingHeartRate, .heartRateVariability, .sleepAsleep, .sleepInBed,
  ]

  /// Whether a verification doubts a number: a mean of such numbers says nothing.
  package func isDoubtful(_ number: Double) -> Bool {
    number == 0 && Self.neverZero.contains(self) || !plausible.contains(number)
  }
}
