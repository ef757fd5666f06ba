/// A kind of sample that daily metrics are made of: one type of HealthKit. Samples of all other
/// types are left out.
@frozen public enum SampleKind: UInt8, CaseIterable, Hashable, Sendable {
  /// Steps.
  case stepCount
  /// Energy burned by moving.
  case activeEnergyBurned
  /// Time of brisk movement, as Apple counts it.
  case appleExerciseTime
  /// Time of movement, for people who have no energy goal.
  case appleMoveTime
  /// Whether somebody stood in an hour.
  case appleStandHour
  /// Heart rate at rest.
  case restingHeartRate
  /// Standard deviation between heartbeats.
  case heartRateVariabilitySDNN
  /// A stage of sleep, or time in bed.
  case sleepAnalysis
  /// Heart rate at a moment.
  case heartRate
  /// Heart rate while walking.
  case walkingHeartRateAverage
  /// Distance on foot.
  case distanceWalkingRunning
  /// Speed while running.
  case runningSpeed
  /// Body weight.
  case bodyMass
  /// Body weight without fat.
  case leanBodyMass
  /// Fat as a part of body weight.
  case bodyFatPercentage
  /// Body mass index.
  case bodyMassIndex
  /// Waist circumference.
  case waistCircumference
  /// Greatest oxygen uptake.
  case vo2Max
  /// Energy eaten.
  case dietaryEnergyConsumed
  /// Carbohydrates eaten.
  case dietaryCarbohydrates
  /// Protein eaten.
  case dietaryProtein
  /// Fat eaten.
  case dietaryFatTotal
  /// Fibre eaten.
  case dietaryFiber
  /// A mindful session.
  case mindfulSession
}

/// The table of kinds.
extension SampleKind {
  /// The name in HealthKit's identifier, the unit in which samples are counted, and the name in
  /// the payloads of Health Auto Export where those are read.
  private var row: (name: String, unit: SampleUnit, payloadName: String?) {
    switch self {
    case .stepCount: ("StepCount", .count, "step_count")
    case .activeEnergyBurned: ("ActiveEnergyBurned", .kilocalorie, "active_energy")
    case .appleExerciseTime: ("AppleExerciseTime", .minute, "apple_exercise_time")
    case .appleMoveTime: ("AppleMoveTime", .minute, nil)
    case .appleStandHour: ("AppleStandHour", .none, "apple_stand_hour")
    case .restingHeartRate: ("RestingHeartRate", .countPerMinute, "resting_heart_rate")
    case .heartRateVariabilitySDNN:
      ("HeartRateVariabilitySDNN", .millisecond, "heart_rate_variability")
    case .sleepAnalysis: ("SleepAnalysis", .minute, "sleep_analysis")
    case .heartRate: ("HeartRate", .countPerMinute, nil)
    case .walkingHeartRateAverage: ("WalkingHeartRateAverage", .countPerMinute, nil)
    case .distanceWalkingRunning: ("DistanceWalkingRunning", .metre, nil)
    case .runningSpeed: ("RunningSpeed", .milePerHour, nil)
    case .bodyMass: ("BodyMass", .kilogram, nil)
    case .leanBodyMass: ("LeanBodyMass", .kilogram, nil)
    case .bodyFatPercentage: ("BodyFatPercentage", .percent, nil)
    case .bodyMassIndex: ("BodyMassIndex", .count, nil)
    case .waistCircumference: ("WaistCircumference", .centimetre, nil)
    case .vo2Max: ("VO2Max", .oxygenUptake, nil)
    case .dietaryEnergyConsumed: ("DietaryEnergyConsumed", .kilocalorie, nil)
    case .dietaryCarbohydrates: ("DietaryCarbohydrates", .gram, nil)
    case .dietaryProtein: ("DietaryProtein", .gram, nil)
    case .dietaryFatTotal: ("DietaryFatTotal", .gram, nil)
    case .dietaryFiber: ("DietaryFiber", .gram, nil)
    case .mindfulSession: ("MindfulSession", .minute, nil)
    }
  }

  /// Whether a sample says one of several values, and not how much.
  @inlinable public var isCategory: Bool {
    switch self {
    case .appleStandHour, .sleepAnalysis, .mindfulSession: true
    default: false
    }
  }

  /// HealthKit's identifier, such as `HKQuantityTypeIdentifierStepCount`.
  public var identifier: String {
    (isCategory ? "HKCategoryTypeIdentifier" : "HKQuantityTypeIdentifier") + row.name
  }

  /// The unit in which samples are counted; `none` where a sample is counted as it is.
  public var unit: SampleUnit { row.unit }

  /// The name in a payload of Health Auto Export; nil where its rows are not read.
  public var payloadName: String? { row.payloadName }

  /// What a number in `unit` is multiplied by to be in the unit in which the kind is counted; nil
  /// where it can't be converted.
  ///
  /// The samples of a category have no unit: their times say how long they are.
  public func factor(from unit: SampleUnit) -> Double? {
    isCategory && unit == .none ? 1 : unit.factor(to: self.unit)
  }
}
