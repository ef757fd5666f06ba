/// Rounds the values of samples before they are queued (R44): more digits than a sensor has say
/// nothing and compress badly.
enum ValueNormalisation {
  /// The value as it is queued. Types and units without a rule stay as they are.
  static func normalised(_ value: Double, unit: String, type: String) -> Double {
    guard let digits = fractionDigits(unit: unit, type: type) else { return value }
    return rounded(value, to: digits)
  }

  /// The value rounded to decimal places, halves away from zero.
  ///
  /// A number that would become 0 keeps its digits, because a sample of 0 gives its time to other
  /// sources (R18).
  ///
  /// What is rounded is the shortest decimal text that reads back as the value, because that is what
  /// a person sees: 2.675 gives 2.68, though the double nearest to it is a little less.
  static func rounded(_ value: Double, to digits: Int) -> Double {
    // From 2^53 on a double has no fraction; and below 0.001, its text has an exponent.
    guard value.magnitude >= 0.001, value.magnitude < 9_007_199_254_740_992 else { return value }
    let parts = value.magnitude.description.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let whole = Int(parts[0]) else { return value }
    let fraction = parts[1].utf8.map { Int($0) - 0x30 }
    guard fraction.count > digits else { return value }
    var (scaled, scale) = (whole, 1)
    for digit in fraction.prefix(digits) {
      scaled = scaled * 10 + digit
      scale *= 10
    }
    if fraction[digits] >= 5 { scaled += 1 }
    guard scaled != 0 else { return value }
    let result = Double(scaled) / Double(scale)
    return value < 0 ? -result : result
  }

  /// How many digits the type keeps in this unit; nil for all.
  static func fractionDigits(unit: String, type: String) -> Int? {
    switch (type, unit) {
    case (HealthKitSampling.heartRate, "bpm"), (HealthKitSampling.heartRate, "count/min"),
      (HealthKitSampling.restingHeartRate, "bpm"),
      (HealthKitSampling.restingHeartRate, "count/min"), (HealthKitSampling.stepCount, "count"):
      0
    case (HealthKitSampling.activeEnergy, "kcal"), (HealthKitSampling.activeEnergy, "Cal"),
      (HealthKitSampling.heartRateVariability, "ms"):
      1
    case (HealthKitSampling.distance, "m"): 2
    default: nil
    }
  }
}
