/// What a phone collects of HealthKit.
public enum HealthKitSampling {
  /// Seconds between two collections, and between two uploads.
  public static let interval = 300

  /// The seven types that are collected.
  public static let types = [
    heartRate, stepCount, activeEnergy, heartRateVariability, distance, restingHeartRate,
    sleepAnalysis,
  ]

  static let heartRate = "HKQuantityTypeIdentifierHeartRate"
  static let stepCount = "HKQuantityTypeIdentifierStepCount"
  static let activeEnergy = "HKQuantityTypeIdentifierActiveEnergyBurned"
  static let heartRateVariability = "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"
  static let distance = "HKQuantityTypeIdentifierDistanceWalkingRunning"
  static let restingHeartRate = "HKQuantityTypeIdentifierRestingHeartRate"
  static let sleepAnalysis = "HKCategoryTypeIdentifierSleepAnalysis"

  /// Whether the values of a type say what its samples are, and have no unit.
  static func isCategory(_ type: String) -> Bool { type.hasPrefix("HKCategoryType") }
}
