/// One of the eight daily metrics of health.v0; the raw value is its key in a revision (R9).
public enum Metric: String, CaseIterable, Sendable {
  /// Steps taken.
  case steps
  /// Active energy burned, in kilocalories.
  case activeEnergy = "active_energy_kcal"
  /// Exercise time, in minutes.
  case exerciseMinutes = "exercise_minutes"
  /// Hours with at least a minute of standing.
  case standHours = "stand_hours"
  /// Mean resting heart rate, in beats per minute.
  case restingHeartRate = "resting_hr_avg"
  /// Mean heart rate variability (SDNN), in milliseconds.
  case heartRateVariability = "hrv_sdnn_avg"
  /// Time asleep, in minutes.
  case sleepAsleep = "sleep_asleep_minutes"
  /// Time in bed, in minutes.
  case sleepInBed = "sleep_in_bed_minutes"

  /// The metric in the catalogue, which has the same key: its unit, its names, how it is made.
  public var daily: DailyMetric {
    switch self {
    case .steps: .steps
    case .activeEnergy: .activeEnergy
    case .exerciseMinutes: .exerciseMinutes
    case .standHours: .standHours
    case .restingHeartRate: .restingHeartRate
    case .heartRateVariability: .heartRateVariability
    case .sleepAsleep: .sleepAsleep
    case .sleepInBed: .sleepInBed
    }
  }

  /// Hashes the place among the eight and not the key: every revision looks up all of them.
  public func hash(into hasher: inout Hasher) {
    let place =
      switch self {
      case .steps: 0
      case .activeEnergy: 1
      case .exerciseMinutes: 2
      case .standHours: 3
      case .restingHeartRate: 4
      case .heartRateVariability: 5
      case .sleepAsleep: 6
      case .sleepInBed: 7
      }
    hasher.combine(place)
  }

  /// The unit that `metric_units` must give.
  public var unit: String { daily.unitLabel }
}

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

extension DailyMetric {
  /// What is wrong with a number that no day of a living person has (docs/METRICS.md); nil for any
  /// other.
  package func implausibility(of number: Double) -> String? {
    if plausible.contains(number) { return nil }
    let (least, most) = (plausible.lowerBound, plausible.upperBound)
    let unit = plainUnit.isEmpty ? "" : " \(plainUnit)"
    return "\(number.grouped)\(unit) is not between \(least.grouped) and \(most.grouped)"
  }
}
