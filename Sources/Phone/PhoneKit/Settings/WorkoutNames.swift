/// What HealthKit's numbers of activities mean, as its documentation names them.
public enum WorkoutNames {
  /// The name without `HKWorkoutActivityType`, such as `Running`; `Other` for a number of a later iOS.
  public static func name(ofActivity number: UInt) -> String {
    guard number >= 1, number <= UInt(names.count) else { return "Other" }
    return names[Int(number) - 1]
  }

  /// From 1 on.
  private static let names = [
    "AmericanFootball", "Archery", "AustralianFootball", "Badminton", "Baseball", "Basketball",
    "Bowling", "Boxing", "Climbing", "Cricket", "CrossTraining", "Curling", "Cycling", "Dance",
    "DanceInspiredTraining", "Elliptical", "EquestrianSports", "Fencing", "Fishing",
    "FunctionalStrengthTraining", "Golf", "Gymnastics", "Handball", "Hiking", "Hockey", "Hunting",
    "Lacrosse", "MartialArts", "MindAndBody", "MixedMetabolicCardioTraining", "PaddleSports",
    "Play", "PreparationAndRecovery", "Racquetball", "Rowing", "Rugby", "Running", "Sailing",
    "SkatingSports", "SnowSports", "Soccer", "Softball", "Squash", "StairClimbing",
    "SurfingSports", "Swimming", "TableTennis", "Tennis", "TrackAndField",
    "TraditionalStrengthTraining", "Volleyball", "Walking", "WaterFitness", "WaterPolo",
    "WaterSports", "Wrestling", "Yoga", "Barre", "CoreTraining", "CrossCountrySkiing",
    "DownhillSkiing", "Flexibility", "HighIntensityIntervalTraining", "JumpRope", "Kickboxing",
    "Pilates", "Snowboarding", "Stairs", "StepTraining", "WheelchairWalkPace",
    "WheelchairRunPace", "TaiChi", "MixedCardio", "HandCycling", "DiscSports", "FitnessGaming",
    "CardioDance", "SocialDance", "Pickleball", "Cooldown", "Other", "SwimBikeRun", "Transition",
    "UnderwaterDiving",
  ]
}
