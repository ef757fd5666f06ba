internal import AppleExport

extension SampleKind {
  /// What a number in `unit` is multiplied by to be in the unit in which the kind is counted; nil
  /// where it can't be converted.
  ///
  /// Counted in: count, kilocalories, minutes, beats per minute, milliseconds, kilograms, grams of
  /// food, centimetres of waist, metres of distance, miles per hour, percent.
  func factor(from unit: SampleUnit) -> Double? {
    switch self {
    case .stepCount, .bodyMassIndex: unit == .count ? 1 : nil
    case .activeEnergyBurned, .dietaryEnergyConsumed: Self.kilocalories(unit)
    case .appleExerciseTime, .appleMoveTime: Self.minutes(unit)
    // A duration is told by the sample's times; Health Auto Export gives it a unit too.
    case .sleepAnalysis, .mindfulSession: unit == .none ? 1 : Self.minutes(unit)
    case .appleStandHour: unit == .none ? 1 : nil
    case .restingHeartRate, .heartRate, .walkingHeartRateAverage: Self.beatsPerMinute(unit)
    case .heartRateVariabilitySDNN: Self.milliseconds(unit)
    case .bodyMass, .leanBodyMass: Self.kilograms(unit)
    case .bodyFatPercentage: unit == .percent ? 1 : nil
    case .waistCircumference: Self.metres(unit).map { $0 * 100 }
    case .distanceWalkingRunning: Self.metres(unit)
    case .runningSpeed: Self.milesPerHour(unit)
    case .vo2Max: unit == .oxygenUptake ? 1 : nil
    case .dietaryCarbohydrates, .dietaryProtein, .dietaryFatTotal, .dietaryFiber:
      Self.kilograms(unit).map { $0 * 1000 }
    }
  }

  private static func kilocalories(_ unit: SampleUnit) -> Double? {
    switch unit {
    case .kilocalorie, .largeCalorie: 1
    case .smallCalorie: 1 / 1000
    case .kilojoule: 1 / 4.184
    default: nil
    }
  }

  private static func minutes(_ unit: SampleUnit) -> Double? {
    switch unit {
    case .minute: 1
    case .hour: 60
    case .second: 1 / 60
    case .millisecond: 1 / 60_000
    default: nil
    }
  }

  private static func beatsPerMinute(_ unit: SampleUnit) -> Double? {
    switch unit {
    case .countPerMinute: 1
    case .countPerSecond: 60
    default: nil
    }
  }

  private static func milliseconds(_ unit: SampleUnit) -> Double? {
    switch unit {
    case .millisecond: 1
    case .second: 1000
    default: nil
    }
  }

  private static func kilograms(_ unit: SampleUnit) -> Double? {
    switch unit {
    case .kilogram: 1
    case .gram: 1 / 1000
    case .milligram: 1 / 1_000_000
    case .pound: 0.45359237
    case .stone: 14 * 0.45359237
    case .ounce: 0.45359237 / 16
    default: nil
    }
  }

  private static func metres(_ unit: SampleUnit) -> Double? {
    switch unit {
    case .metre: 1
    case .kilometre: 1000
    case .centimetre: 1 / 100
    case .mile: 1609.344
    case .inch: 0.0254
    case .foot: 0.3048
    case .yard: 0.9144
    default: nil
    }
  }

  private static func milesPerHour(_ unit: SampleUnit) -> Double? {
    switch unit {
    case .milePerHour: 1
    case .kilometrePerHour: 1 / 1.609344
    case .metrePerSecond: 3600 / 1609.344
    default: nil
    }
  }
}
