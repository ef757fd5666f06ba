/// A number that a day has: the one catalogue of metrics. Whatever lists metrics elsewhere is
/// derived from it.
///
/// The raw value is the metric's key. To add a metric, add its case and its row in `definition`;
/// its samples are read once `SampleKind` has their kind.
///
/// ```swift
/// for metric in DailyMetric.allCases {
///   print(metric.rawValue, metric.unitLabel, metric.kind, metric.aggregation)
/// }
/// ```
public enum DailyMetric: String, CaseIterable, Hashable, Sendable {
  // Activity.

  /// Steps taken.
  case steps
  /// Active energy burned.
  case activeEnergy = "active_energy_kcal"
  /// Exercise time.
  case exerciseMinutes = "exercise_minutes"
  /// Move time.
  case moveTime = "move_time"
  /// Hours with at least a minute of standing.
  case standHours = "stand_hours"
  /// Distance on foot.
  case distance = "walking_running_distance"
  /// Mean speed while running.
  case runningSpeed = "running_speed"

  // Heart.

  /// Mean resting heart rate.
  case restingHeartRate = "resting_hr_avg"
  /// Mean heart rate while walking.
  case walkingHeartRate = "walking_hr_avg"
  /// Least heart rate.
  case heartRateMinimum = "heart_rate_min"
  /// Greatest heart rate.
  case heartRateMaximum = "heart_rate_max"
  /// Mean heart rate.
  case heartRateMean = "heart_rate_avg"
  /// Mean heart rate variability (SDNN).
  case heartRateVariability = "hrv_sdnn_avg"
  /// Mean greatest oxygen uptake.
  case vo2Max = "vo2_max"

  // Sleep and rest.

  /// Time asleep.
  case sleepAsleep = "sleep_asleep_minutes"
  /// Time in bed.
  case sleepInBed = "sleep_in_bed_minutes"
  /// Time in core sleep.
  case sleepCore = "sleep_core"
  /// Time in deep sleep.
  case sleepDeep = "sleep_deep"
  /// Time in REM sleep.
  case sleepREM = "sleep_rem"
  /// Time awake in the night.
  case sleepAwake = "sleep_awake"
  /// Time in mindful sessions.
  case mindfulMinutes = "mindful_minutes"

  // Body.

  /// Mean body weight.
  case weight
  /// Mean body weight without fat.
  case leanMass = "lean_mass"
  /// Mean body fat.
  case bodyFat = "body_fat"
  /// Mean body mass index.
  case bodyMassIndex = "body_mass_index"
  /// Mean waist circumference.
  case waist

  // Nutrition.

  /// Energy eaten.
  case dietaryEnergy = "dietary_energy"
  /// Carbohydrates eaten.
  case carbohydrates
  /// Protein eaten.
  case protein
  /// Fat eaten.
  case fat
  /// Fibre eaten.
  case fiber
}

/// How the samples of a day become one number.
public enum DailyAggregation: Hashable, Sendable {
  /// Their sum; what several devices saw at once counts once.
  case sum
  /// Their plain sum: people enter one meal after another.
  case entries
  /// Their mean.
  case mean
  /// The least of them.
  case least
  /// The greatest of them.
  case greatest
  /// The distinct hours of the clock.
  case hours
  /// The length of the union of their times.
  case duration
  /// The same of a part of the night that ends on the day.
  case night(NightPart)
}

/// What of a night counts.
public enum NightPart: Hashable, Sendable {
  /// Asleep, in whatever stage.
  case asleep
  /// What samples of one value say.
  case value(SleepValue)
}

/// The table of metrics.
extension DailyMetric {
  /// One row of the table.
  private struct Definition {
    let kind: SampleKind
    let aggregation: DailyAggregation
    let unit: SampleUnit
    let isOfV0: Bool

    /// The unit is the one in which samples of the kind are counted, if no other is given.
    init(
      _ kind: SampleKind, _ aggregation: DailyAggregation, in unit: SampleUnit? = nil,
      isOfV0: Bool = false
    ) {
      (self.kind, self.aggregation, self.isOfV0) = (kind, aggregation, isOfV0)
      self.unit = unit ?? kind.unit
    }
  }

  private var definition: Definition {
    switch self {
    case .steps: Definition(.stepCount, .sum, isOfV0: true)
    case .activeEnergy: Definition(.activeEnergyBurned, .sum, isOfV0: true)
    case .exerciseMinutes: Definition(.appleExerciseTime, .sum, isOfV0: true)
    case .moveTime: Definition(.appleMoveTime, .sum)
    case .standHours: Definition(.appleStandHour, .hours, in: .hour, isOfV0: true)
    case .distance: Definition(.distanceWalkingRunning, .sum)
    case .runningSpeed: Definition(.runningSpeed, .mean)
    case .restingHeartRate: Definition(.restingHeartRate, .mean, isOfV0: true)
    case .walkingHeartRate: Definition(.walkingHeartRateAverage, .mean)
    case .heartRateMinimum: Definition(.heartRate, .least)
    case .heartRateMaximum: Definition(.heartRate, .greatest)
    case .heartRateMean: Definition(.heartRate, .mean)
    case .heartRateVariability: Definition(.heartRateVariabilitySDNN, .mean, isOfV0: true)
    case .vo2Max: Definition(.vo2Max, .mean)
    case .sleepAsleep: Definition(.sleepAnalysis, .night(.asleep), isOfV0: true)
    case .sleepInBed: Definition(.sleepAnalysis, .night(.value(.inBed)), isOfV0: true)
    case .sleepCore: Definition(.sleepAnalysis, .night(.value(.asleepCore)), in: .hour)
    case .sleepDeep: Definition(.sleepAnalysis, .night(.value(.asleepDeep)), in: .hour)
    case .sleepREM: Definition(.sleepAnalysis, .night(.value(.asleepREM)), in: .hour)
    case .sleepAwake: Definition(.sleepAnalysis, .night(.value(.awake)), in: .hour)
    case .mindfulMinutes: Definition(.mindfulSession, .duration)
    case .weight: Definition(.bodyMass, .mean)
    case .leanMass: Definition(.leanBodyMass, .mean)
    case .bodyFat: Definition(.bodyFatPercentage, .mean)
    case .bodyMassIndex: Definition(.bodyMassIndex, .mean)
    case .waist: Definition(.waistCircumference, .mean)
    case .dietaryEnergy: Definition(.dietaryEnergyConsumed, .entries)
    case .carbohydrates: Definition(.dietaryCarbohydrates, .entries)
    case .protein: Definition(.dietaryProtein, .entries)
    case .fat: Definition(.dietaryFatTotal, .entries)
    case .fiber: Definition(.dietaryFiber, .entries)
    }
  }

  /// The samples that it is made of.
  public var kind: SampleKind { definition.kind }

  /// How it is made of a day's samples.
  public var aggregation: DailyAggregation { definition.aggregation }

  /// The unit of its number. Samples in any unit that converts into it are counted.
  public var unit: SampleUnit { definition.unit }

  /// The unit as people and documents write it.
  public var unitLabel: String { unit == .countPerMinute ? "bpm" : unit.rawValue }

  /// The key in a health.v0 revision; nil for a metric that is not one of its eight.
  public var v0Key: String? { definition.isOfV0 ? rawValue : nil }
}
