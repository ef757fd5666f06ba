/// What was done in a workout, by the name that the app gives it.
struct WorkoutName {
  /// As HealthKit names it without `HKWorkoutActivityType`; else as the payload has it.
  let name: String
  let isOfHealthKit: Bool

  init(_ given: String) {
    let given = given.prefix(100).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var key = given.lowercased().filter { $0.isLetter || $0.isNumber }
    if key.hasPrefix("hkworkoutactivitytype") { key.removeFirst("hkworkoutactivitytype".count) }
    if let known = Self.byKey[key] {
      (name, isOfHealthKit) = (known, true)
    } else {
      (name, isOfHealthKit) = (given.isEmpty ? "Other" : given, false)
    }
  }

  private static let byKey: [String: String] = {
    var names: [String: String] = [:]
    for name in ofHealthKit { names[name.lowercased()] = name }
    return names.merging(others) { own, _ in own }
  }()

  /// How the app and the Fitness app call activities otherwise.
  private static let others = [
    "outdoorrun": "Running", "indoorrun": "Running", "outdoorrunning": "Running",
    "indoorrunning": "Running", "treadmill": "Running",
    "outdoorwalk": "Walking", "indoorwalk": "Walking", "outdoorwalking": "Walking",
    "indoorwalking": "Walking",
    "outdoorcycle": "Cycling", "indoorcycle": "Cycling", "outdoorcycling": "Cycling",
    "indoorcycling": "Cycling", "outdoorbike": "Cycling", "indoorbike": "Cycling",
    "poolswim": "Swimming", "openwaterswim": "Swimming", "poolswimming": "Swimming",
    "openwaterswimming": "Swimming",
    "hiit": "HighIntensityIntervalTraining", "rower": "Rowing", "indoorrow": "Rowing",
    "outdoorrow": "Rowing", "stairstepper": "StairClimbing", "stepper": "StairClimbing",
    "mindbody": "MindAndBody", "multisport": "SwimBikeRun",
  ]

  /// The cases of `HKWorkoutActivityType`.
  private static let ofHealthKit = [
    "AmericanFootball", "Archery", "AustralianFootball", "Badminton", "Barre", "Baseball",
    "Basketball", "Bowling", "Boxing", "CardioDance", "Climbing", "Cooldown", "CoreTraining",
    "Cricket", "CrossCountrySkiing", "CrossTraining", "Curling", "Cycling", "Dance",
    "DanceInspiredTraining", "DiscSports", "DownhillSkiing", "Elliptical", "EquestrianSports",
    "Fencing", "Fishing", "FitnessGaming", "Flexibility", "FunctionalStrengthTraining", "Golf",
    "Gymnastics", "HandCycling", "Handball", "HighIntensityIntervalTraining", "Hiking", "Hockey",
    "Hunting", "JumpRope", "Kickboxing", "Lacrosse", "MartialArts", "MindAndBody", "MixedCardio",
    "MixedMetabolicCardioTraining", "Other", "PaddleSports", "Pickleball", "Pilates", "Play",
    "PreparationAndRecovery", "Racquetball", "Rowing", "Rugby", "Running", "Sailing",
    "SkatingSports", "SnowSports", "Snowboarding", "Soccer", "SocialDance", "Softball", "Squash",
    "StairClimbing", "Stairs", "StepTraining", "SurfingSports", "SwimBikeRun", "Swimming",
    "TableTennis", "TaiChi", "Tennis", "TrackAndField", "TraditionalStrengthTraining",
    "Transition", "UnderwaterDiving", "Volleyball", "Walking", "WaterFitness", "WaterPolo",
    "WaterSports", "WheelchairRunPace", "WheelchairWalkPace", "Wrestling", "Yoga",
  ]
}
