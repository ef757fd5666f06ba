/// Rounds the values of samples before they are queued (ST-9): more digits than a sensor has say
/// nothing and compress badly.
enum ValueNormalisation {
  /// The value as it is queued. Types and units without a rule stay as they are.
  static func normalised(_ value: Double, unit: String, type: String) -> Double {
    guard let digits = fractionDigits(unit: unit, type: type) else { return value }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return (value * scale).rounded(.toNearestOrAwayFromZero) / scale
  }

  /// How many digits the type keeps in this unit; nil for all.
  private static func fractionDigits(unit: String, type: String) -> Int? {
    switch (type, unit) {
    case ("HKQuantityTypeIdentifierHeartRate", "bpm"),
      ("HKQuantityTypeIdentifierHeartRate", "count/min"),
      ("HKQuantityTypeIdentifierRestingHeartRate", "bpm"),
      ("HKQuantityTypeIdentifierRestingHeartRate", "count/min"),
      ("HKQuantityTypeIdentifierStepCount", "count"):
      0
    case ("HKQuantityTypeIdentifierActiveEnergyBurned", "kcal"),
      ("HKQuantityTypeIdentifierActiveEnergyBurned", "Cal"),
      ("HKQuantityTypeIdentifierHeartRateVariabilitySDNN", "ms"):
      1
    case ("HKQuantityTypeIdentifierDistanceWalkingRunning", "m"): 2
    default: nil
    }
  }
}
