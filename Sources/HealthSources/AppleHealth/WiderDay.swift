package import AppleExport
package import HealthModel

/// One row of the wider daily table.
package enum WiderMetric: String, CaseIterable, Hashable, Sendable {
  case exerciseTime = "exercise_time"
  case moveTime = "move_time"
  case bodyFat = "body_fat"
  case bodyMassIndex = "body_mass_index"
  case carbohydrates
  case protein
  case fat
  case fiber
  case dietaryEnergy = "dietary_energy"
  case heartRateMinimum = "heart_rate_min"
  case heartRateMaximum = "heart_rate_max"
  case heartRateMean = "heart_rate_avg"
  case heartRateVariability = "hrv_sdnn_avg"
  case restingHeartRate = "resting_hr_avg"
  case walkingHeartRate = "walking_hr_avg"
  case leanMass = "lean_mass"
  case weight
  case mindfulMinutes = "mindful_minutes"
  case runningSpeed = "running_speed"
  case sleepAsleep = "sleep_asleep"
  case sleepInBed = "sleep_in_bed"
  case sleepCore = "sleep_core"
  case sleepDeep = "sleep_deep"
  case sleepREM = "sleep_rem"
  case sleepAwake = "sleep_awake"
  case vo2Max = "vo2_max"
  case waist
  case distance = "walking_running_distance"

  /// The unit of its number.
  package var unit: String {
    switch self {
    case .exerciseTime, .moveTime, .mindfulMinutes: "min"
    case .bodyFat: "%"
    case .bodyMassIndex: "count"
    case .carbohydrates, .protein, .fat, .fiber: "g"
    case .dietaryEnergy: "kcal"
    case .heartRateMinimum, .heartRateMaximum, .heartRateMean, .restingHeartRate,
      .walkingHeartRate:
      "bpm"
    case .heartRateVariability: "ms"
    case .leanMass, .weight: "kg"
    case .runningSpeed: "mi/hr"
    case .sleepAsleep, .sleepInBed, .sleepCore, .sleepDeep, .sleepREM, .sleepAwake: "hr"
    case .vo2Max: "mL/min·kg"
    case .waist: "cm"
    case .distance: "m"
    }
  }
}

/// All that an export tells of one day beyond the eight metrics.
package struct WiderDay: Hashable, Sendable {
  package let date: CalendarDate
  /// Rows left out have no data.
  package let numbers: [WiderMetric: Double]
  /// Rows without a number whose samples have a unit that can't be converted.
  package let unsupported: Set<WiderMetric>
  /// Those that begin on the day, the oldest first.
  package let workouts: [DayWorkout]
  /// The samples of the night that ends on the day, as they are, in the order of their starts.
  package let sleep: [SleepStretch]

  var isEmpty: Bool {
    numbers.isEmpty && unsupported.isEmpty && workouts.isEmpty && sleep.isEmpty
  }
}

/// One workout with its source.
package struct DayWorkout: Hashable, Sendable {
  package let workout: ExportWorkout
  package let source: ExportSource

  package init(workout: ExportWorkout, source: ExportSource) {
    (self.workout, self.source) = (workout, source)
  }
}

/// One sleep sample with its source.
package struct SleepStretch: Hashable, Sendable {
  package let value: SleepValue
  package let start: Timestamp
  package let end: Timestamp
  package let source: ExportSource
}
