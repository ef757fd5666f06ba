/// A kind of sample that daily metrics are made of: one type of HealthKit. Samples of all other
/// types are left out.
///
/// The raw value is the kind's number in packed samples; it is stored nowhere.
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
  /// Energy burned at rest.
  case basalEnergyBurned
  /// Time of standing.
  case appleStandTime
  /// Flights of stairs climbed.
  case flightsClimbed
  /// Distance by bicycle.
  case distanceCycling
  /// Distance swum.
  case distanceSwimming
  /// Distance by wheelchair.
  case distanceWheelchair
  /// Distance downhill on snow.
  case distanceDownhillSnowSports
  /// Pushes of a wheelchair.
  case pushCount
  /// Strokes swum.
  case swimmingStrokeCount
  /// Time in daylight.
  case timeInDaylight
  /// Effort of a moment.
  case physicalEffort
  /// Power while running.
  case runningPower
  /// Length of a stride while running.
  case runningStrideLength
  /// How far a runner moves up and down.
  case runningVerticalOscillation
  /// How long a runner's foot is on the ground.
  case runningGroundContactTime
  /// Speed while cycling.
  case cyclingSpeed
  /// Power while cycling.
  case cyclingPower
  /// Turns of the pedals.
  case cyclingCadence
  /// Speed while walking.
  case walkingSpeed
  /// Length of a step.
  case walkingStepLength
  /// Steps in which one foot moves at another speed.
  case walkingAsymmetryPercentage
  /// Part of a walk with both feet on the ground.
  case walkingDoubleSupportPercentage
  /// Steadiness of the gait.
  case appleWalkingSteadiness
  /// Speed up stairs.
  case stairAscentSpeed
  /// Speed down stairs.
  case stairDescentSpeed
  /// Estimated distance of a six-minute walk.
  case sixMinuteWalkTestDistance
  /// Falls.
  case numberOfTimesFallen
  /// How far heart rate falls in the minute after exercise.
  case heartRateRecoveryOneMinute
  /// Part of the time in atrial fibrillation.
  case atrialFibrillationBurden
  /// Blood pressure at the beat.
  case bloodPressureSystolic
  /// Blood pressure between beats.
  case bloodPressureDiastolic
  /// Strength of the pulse in a finger.
  case peripheralPerfusionIndex
  /// Breaths.
  case respiratoryRate
  /// Oxygen saturation of the blood.
  case oxygenSaturation
  /// Glucose in the blood.
  case bloodGlucose
  /// Insulin given.
  case insulinDelivery
  /// Body temperature.
  case bodyTemperature
  /// Body temperature at rest.
  case basalBodyTemperature
  /// Temperature of the wrist in sleep.
  case appleSleepingWristTemperature
  /// Disturbances of breathing in sleep.
  case appleSleepingBreathingDisturbances
  /// Air breathed out after a deep breath.
  case forcedVitalCapacity
  /// Air breathed out in the first second.
  case forcedExpiratoryVolume1
  /// Greatest flow of breath.
  case peakExpiratoryFlowRate
  /// Uses of an inhaler.
  case inhalerUsage
  /// Alcohol in the blood.
  case bloodAlcoholContent
  /// Sound around a person.
  case environmentalAudioExposure
  /// Sound of headphones.
  case headphoneAudioExposure
  /// Ultraviolet index.
  case uvExposure
  /// Body height.
  case height
  /// Water drunk.
  case dietaryWater
  /// Sugar eaten.
  case dietarySugar
  /// Saturated fat eaten.
  case dietaryFatSaturated
  /// Monounsaturated fat eaten.
  case dietaryFatMonounsaturated
  /// Polyunsaturated fat eaten.
  case dietaryFatPolyunsaturated
  /// Cholesterol eaten.
  case dietaryCholesterol
  /// Sodium eaten.
  case dietarySodium
  /// Potassium eaten.
  case dietaryPotassium
  /// Calcium eaten.
  case dietaryCalcium
  /// Iron eaten.
  case dietaryIron
  /// Magnesium eaten.
  case dietaryMagnesium
  /// Zinc eaten.
  case dietaryZinc
  /// Phosphorus eaten.
  case dietaryPhosphorus
  /// Chloride eaten.
  case dietaryChloride
  /// Copper eaten.
  case dietaryCopper
  /// Manganese eaten.
  case dietaryManganese
  /// Iodine eaten.
  case dietaryIodine
  /// Selenium eaten.
  case dietarySelenium
  /// Chromium eaten.
  case dietaryChromium
  /// Molybdenum eaten.
  case dietaryMolybdenum
  /// Vitamin A eaten.
  case dietaryVitaminA
  /// Vitamin B6 eaten.
  case dietaryVitaminB6
  /// Vitamin B12 eaten.
  case dietaryVitaminB12
  /// Vitamin C eaten.
  case dietaryVitaminC
  /// Vitamin D eaten.
  case dietaryVitaminD
  /// Vitamin E eaten.
  case dietaryVitaminE
  /// Vitamin K eaten.
  case dietaryVitaminK
  /// Thiamin (vitamin B1) eaten.
  case dietaryThiamin
  /// Riboflavin (vitamin B2) eaten.
  case dietaryRiboflavin
  /// Niacin (vitamin B3) eaten.
  case dietaryNiacin
  /// Pantothenic acid (vitamin B5) eaten.
  case dietaryPantothenicAcid
  /// Biotin (vitamin B7) eaten.
  case dietaryBiotin
  /// Folate (vitamin B9) eaten.
  case dietaryFolate
  /// Caffeine drunk or eaten.
  case dietaryCaffeine
  /// Alcoholic drinks.
  case numberOfAlcoholicBeverages
  /// Distance skied across country.
  case distanceCrossCountrySkiing
  /// Distance paddled.
  case distancePaddleSports
  /// Distance rowed.
  case distanceRowing
  /// Distance skated.
  case distanceSkatingSports
  /// Speed while skiing across country.
  case crossCountrySkiingSpeed
  /// Speed while paddling.
  case paddleSportsSpeed
  /// Speed while rowing.
  case rowingSpeed
  /// Power that a cyclist can hold for an hour.
  case cyclingFunctionalThresholdPower
  /// Depth under water.
  case underwaterDepth
  /// Temperature of the water.
  case waterTemperature
  /// NikeFuel points.
  case nikeFuel
  /// How far headphones reduce the sound around a person.
  case environmentalSoundReduction
  /// How hard a workout was, as the person says.
  case workoutEffortScore
  /// How hard a workout was, as the watch estimates.
  case estimatedWorkoutEffortScore
  /// How well the skin conducts, which grows with sweat.
  case electrodermalActivity
}

/// The table of kinds.
extension SampleKind {
  /// One row of the table.
  private struct Row {
    let name: String
    let unit: SampleUnit

    init(_ name: String, _ unit: SampleUnit) { (self.name, self.unit) = (name, unit) }
  }

  /// The name in HealthKit's identifier, and the unit in which samples are counted.
  private var row: Row {
    switch self {
    case .stepCount: Row("StepCount", .count)
    case .activeEnergyBurned: Row("ActiveEnergyBurned", .kilocalorie)
    case .appleExerciseTime: Row("AppleExerciseTime", .minute)
    case .appleMoveTime: Row("AppleMoveTime", .minute)
    case .appleStandHour: Row("AppleStandHour", .none)
    case .restingHeartRate: Row("RestingHeartRate", .countPerMinute)
    case .heartRateVariabilitySDNN: Row("HeartRateVariabilitySDNN", .millisecond)
    case .sleepAnalysis: Row("SleepAnalysis", .minute)
    case .heartRate: Row("HeartRate", .countPerMinute)
    case .walkingHeartRateAverage: Row("WalkingHeartRateAverage", .countPerMinute)
    case .distanceWalkingRunning: Row("DistanceWalkingRunning", .metre)
    case .runningSpeed: Row("RunningSpeed", .kilometrePerHour)
    case .bodyMass: Row("BodyMass", .kilogram)
    case .leanBodyMass: Row("LeanBodyMass", .kilogram)
    case .bodyFatPercentage: Row("BodyFatPercentage", .percent)
    case .bodyMassIndex: Row("BodyMassIndex", .count)
    case .waistCircumference: Row("WaistCircumference", .centimetre)
    case .vo2Max: Row("VO2Max", .oxygenUptake)
    case .dietaryEnergyConsumed: Row("DietaryEnergyConsumed", .kilocalorie)
    case .dietaryCarbohydrates: Row("DietaryCarbohydrates", .gram)
    case .dietaryProtein: Row("DietaryProtein", .gram)
    case .dietaryFatTotal: Row("DietaryFatTotal", .gram)
    case .dietaryFiber: Row("DietaryFiber", .gram)
    case .mindfulSession: Row("MindfulSession", .minute)
    case .basalEnergyBurned: Row("BasalEnergyBurned", .kilocalorie)
    case .appleStandTime: Row("AppleStandTime", .minute)
    case .flightsClimbed: Row("FlightsClimbed", .count)
    case .distanceCycling: Row("DistanceCycling", .metre)
    case .distanceSwimming: Row("DistanceSwimming", .metre)
    case .distanceWheelchair: Row("DistanceWheelchair", .metre)
    case .distanceDownhillSnowSports: Row("DistanceDownhillSnowSports", .metre)
    case .pushCount: Row("PushCount", .count)
    case .swimmingStrokeCount: Row("SwimmingStrokeCount", .count)
    case .timeInDaylight: Row("TimeInDaylight", .minute)
    case .physicalEffort: Row("PhysicalEffort", .physicalEffort)
    case .runningPower: Row("RunningPower", .watt)
    case .runningStrideLength: Row("RunningStrideLength", .metre)
    case .runningVerticalOscillation: Row("RunningVerticalOscillation", .centimetre)
    case .runningGroundContactTime: Row("RunningGroundContactTime", .millisecond)
    case .cyclingSpeed: Row("CyclingSpeed", .kilometrePerHour)
    case .cyclingPower: Row("CyclingPower", .watt)
    case .cyclingCadence: Row("CyclingCadence", .countPerMinute)
    case .walkingSpeed: Row("WalkingSpeed", .kilometrePerHour)
    case .walkingStepLength: Row("WalkingStepLength", .centimetre)
    case .walkingAsymmetryPercentage: Row("WalkingAsymmetryPercentage", .percent)
    case .walkingDoubleSupportPercentage: Row("WalkingDoubleSupportPercentage", .percent)
    case .appleWalkingSteadiness: Row("AppleWalkingSteadiness", .percent)
    case .stairAscentSpeed: Row("StairAscentSpeed", .metrePerSecond)
    case .stairDescentSpeed: Row("StairDescentSpeed", .metrePerSecond)
    case .sixMinuteWalkTestDistance: Row("SixMinuteWalkTestDistance", .metre)
    case .numberOfTimesFallen: Row("NumberOfTimesFallen", .count)
    case .heartRateRecoveryOneMinute: Row("HeartRateRecoveryOneMinute", .countPerMinute)
    case .atrialFibrillationBurden: Row("AtrialFibrillationBurden", .percent)
    case .bloodPressureSystolic: Row("BloodPressureSystolic", .millimetreOfMercury)
    case .bloodPressureDiastolic: Row("BloodPressureDiastolic", .millimetreOfMercury)
    case .peripheralPerfusionIndex: Row("PeripheralPerfusionIndex", .percent)
    case .respiratoryRate: Row("RespiratoryRate", .countPerMinute)
    case .oxygenSaturation: Row("OxygenSaturation", .percent)
    case .bloodGlucose: Row("BloodGlucose", .milligramPerDecilitre)
    case .insulinDelivery: Row("InsulinDelivery", .internationalUnit)
    case .bodyTemperature: Row("BodyTemperature", .degreeCelsius)
    case .basalBodyTemperature: Row("BasalBodyTemperature", .degreeCelsius)
    case .appleSleepingWristTemperature: Row("AppleSleepingWristTemperature", .degreeCelsius)
    case .appleSleepingBreathingDisturbances: Row("AppleSleepingBreathingDisturbances", .count)
    case .forcedVitalCapacity: Row("ForcedVitalCapacity", .litre)
    case .forcedExpiratoryVolume1: Row("ForcedExpiratoryVolume1", .litre)
    case .peakExpiratoryFlowRate: Row("PeakExpiratoryFlowRate", .litrePerMinute)
    case .inhalerUsage: Row("InhalerUsage", .count)
    case .bloodAlcoholContent: Row("BloodAlcoholContent", .percent)
    case .environmentalAudioExposure: Row("EnvironmentalAudioExposure", .decibel)
    case .headphoneAudioExposure: Row("HeadphoneAudioExposure", .decibel)
    case .uvExposure: Row("UVExposure", .count)
    case .height: Row("Height", .centimetre)
    case .dietaryWater: Row("DietaryWater", .millilitre)
    case .dietarySugar: Row("DietarySugar", .gram)
    case .dietaryFatSaturated: Row("DietaryFatSaturated", .gram)
    case .dietaryFatMonounsaturated: Row("DietaryFatMonounsaturated", .gram)
    case .dietaryFatPolyunsaturated: Row("DietaryFatPolyunsaturated", .gram)
    case .dietaryCholesterol: Row("DietaryCholesterol", .milligram)
    case .dietarySodium: Row("DietarySodium", .milligram)
    case .dietaryPotassium: Row("DietaryPotassium", .milligram)
    case .dietaryCalcium: Row("DietaryCalcium", .milligram)
    case .dietaryIron: Row("DietaryIron", .milligram)
    case .dietaryMagnesium: Row("DietaryMagnesium", .milligram)
    case .dietaryZinc: Row("DietaryZinc", .milligram)
    case .dietaryPhosphorus: Row("DietaryPhosphorus", .milligram)
    case .dietaryChloride: Row("DietaryChloride", .milligram)
    case .dietaryCopper: Row("DietaryCopper", .milligram)
    case .dietaryManganese: Row("DietaryManganese", .milligram)
    case .dietaryIodine: Row("DietaryIodine", .microgram)
    case .dietarySelenium: Row("DietarySelenium", .microgram)
    case .dietaryChromium: Row("DietaryChromium", .microgram)
    case .dietaryMolybdenum: Row("DietaryMolybdenum", .microgram)
    case .dietaryVitaminA: Row("DietaryVitaminA", .microgram)
    case .dietaryVitaminB6: Row("DietaryVitaminB6", .milligram)
    case .dietaryVitaminB12: Row("DietaryVitaminB12", .microgram)
    case .dietaryVitaminC: Row("DietaryVitaminC", .milligram)
    case .dietaryVitaminD: Row("DietaryVitaminD", .microgram)
    case .dietaryVitaminE: Row("DietaryVitaminE", .milligram)
    case .dietaryVitaminK: Row("DietaryVitaminK", .microgram)
    case .dietaryThiamin: Row("DietaryThiamin", .milligram)
    case .dietaryRiboflavin: Row("DietaryRiboflavin", .milligram)
    case .dietaryNiacin: Row("DietaryNiacin", .milligram)
    case .dietaryPantothenicAcid: Row("DietaryPantothenicAcid", .milligram)
    case .dietaryBiotin: Row("DietaryBiotin", .microgram)
    case .dietaryFolate: Row("DietaryFolate", .microgram)
    case .dietaryCaffeine: Row("DietaryCaffeine", .milligram)
    case .numberOfAlcoholicBeverages: Row("NumberOfAlcoholicBeverages", .count)
    case .distanceCrossCountrySkiing: Row("DistanceCrossCountrySkiing", .metre)
    case .distancePaddleSports: Row("DistancePaddleSports", .metre)
    case .distanceRowing: Row("DistanceRowing", .metre)
    case .distanceSkatingSports: Row("DistanceSkatingSports", .metre)
    case .crossCountrySkiingSpeed: Row("CrossCountrySkiingSpeed", .kilometrePerHour)
    case .paddleSportsSpeed: Row("PaddleSportsSpeed", .kilometrePerHour)
    case .rowingSpeed: Row("RowingSpeed", .kilometrePerHour)
    case .cyclingFunctionalThresholdPower: Row("CyclingFunctionalThresholdPower", .watt)
    case .underwaterDepth: Row("UnderwaterDepth", .metre)
    case .waterTemperature: Row("WaterTemperature", .degreeCelsius)
    case .nikeFuel: Row("NikeFuel", .count)
    case .environmentalSoundReduction: Row("EnvironmentalSoundReduction", .decibel)
    case .workoutEffortScore: Row("WorkoutEffortScore", .effortScore)
    case .estimatedWorkoutEffortScore: Row("EstimatedWorkoutEffortScore", .effortScore)
    case .electrodermalActivity: Row("ElectrodermalActivity", .microsiemens)
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
  public var unit: SampleUnit { Self.units[Int(rawValue)] }

  /// Asked of every sample of an export, so without the rest of the rows.
  private static let units = allCases.map(\.row.unit)

  /// The names in a payload of Health Auto Export, the usual one first. None for blood pressure,
  /// whose two numbers stand in the rows of one name, and for kinds that it is not known to send.
  public var payloadNames: [String] { PayloadNames.all[self]?.map(\.name) ?? [] }

  /// A number in some unit as one in the unit in which the kind is counted; nil where the unit
  /// can't be converted.
  ///
  /// The samples of a category have no unit: their times say how long they are.
  public func counted(_ number: Double, in unit: SampleUnit) -> Double? {
    if isCategory, unit == .none { return number }
    return unit.convert(number, to: self.unit)
  }
}
