internal import AppleExport
internal import HealthModel

/// The metrics of Health Auto Export that are used; the raw value is its name in a payload.
enum ExportedMetric: String, CaseIterable, Sendable {
  case stepCount = "step_count"
  case activeEnergy = "active_energy"
  case exerciseTime = "apple_exercise_time"
  case standHour = "apple_stand_hour"
  case restingHeartRate = "resting_heart_rate"
  case heartRateVariability = "heart_rate_variability"
  case sleepAnalysis = "sleep_analysis"

  /// How the rows of one day become one number.
  enum Aggregation {
    /// The sum, with what several sources saw counted once.
    case sum
    /// The mean of all samples.
    case mean
    /// Distinct hours.
    case hours
    /// The union of intervals, by night.
    case sleep
  }

  var aggregation: Aggregation {
    switch self {
    case .stepCount, .activeEnergy, .exerciseTime: .sum
    case .restingHeartRate, .heartRateVariability: .mean
    case .standHour: .hours
    case .sleepAnalysis: .sleep
    }
  }

  /// Our metrics that it yields.
  var metrics: [Metric] {
    switch self {
    case .stepCount: [.steps]
    case .activeEnergy: [.activeEnergy]
    case .exerciseTime: [.exerciseMinutes]
    case .standHour: [.standHours]
    case .restingHeartRate: [.restingHeartRate]
    case .heartRateVariability: [.heartRateVariability]
    case .sleepAnalysis: [.sleepAsleep, .sleepInBed]
    }
  }

  /// Our metric of a name in a payload.
  static func metric(named name: String) -> Metric? {
    ExportedMetric(rawValue: name)?.metrics.first
  }

  /// What a number in `unit` is multiplied by to be in our metric's unit; nil where nobody can say.
  ///
  /// Case matters: `Cal` is a kilocalorie, `cal` a thousandth of one.
  func factor(from unit: String) -> Double? {
    switch (self, unit) {
    case (.stepCount, "steps"), (.standHour, "count"), (.standHour, "hr"): 1
    case (.activeEnergy, "J"): 1 / 4184
    case (.restingHeartRate, "bpm"): 1
    default: SampleUnit(rawValue: unit).flatMap { kind.factor(from: $0) }
    }
  }

  private var kind: SampleKind {
    switch self {
    case .stepCount: .stepCount
    case .activeEnergy: .activeEnergyBurned
    case .exerciseTime: .appleExerciseTime
    case .standHour: .appleStandHour
    case .restingHeartRate: .restingHeartRate
    case .heartRateVariability: .heartRateVariabilitySDNN
    case .sleepAnalysis: .sleepAnalysis
    }
  }
}
