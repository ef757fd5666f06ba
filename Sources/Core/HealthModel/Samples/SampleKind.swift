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
    let payloadNames: [String]

    init(_ name: String, _ unit: SampleUnit, _ payloadNames: String...) {
      (self.name, self.unit, self.payloadNames) = (name, unit, payloadNames)
    }
  }

  /// The name in HealthKit's identifier, the unit in which samples are counted, and the names in
  /// the payloads of Health Auto Export.
  private var row: Row {
    switch self {
    case .stepCount: Row("StepCount", .count, "step_count")
    case .activeEnergyBurned: Row("ActiveEnergyBurned", .kilocalorie, "active_energy")
    case .appleExerciseTime: Row("AppleExerciseTime", .minute, "apple_exercise_time")
    case .appleMoveTime: Row("AppleMoveTime", .minute, "apple_move_time")
    case .appleStandHour: Row("AppleStandHour", .none, "apple_stand_hour")
    case .restingHeartRate: Row("RestingHeartRate", .countPerMinute, "resting_heart_rate")
    case .heartRateVariabilitySDNN:
      Row("HeartRateVariabilitySDNN", .millisecond, "heart_rate_variability")
    case .sleepAnalysis: Row("SleepAnalysis", .minute, "sleep_analysis")
    case .heartRate: Row("HeartRate", .countPerMinute, "heart_rate")
    case .walkingHeartRateAverage:
      Row(
        "WalkingHeartRateAverage", .countPerMinute, "walking_heart_rate_average",
        "walking_heart_rate")
    case .distanceWalkingRunning: Row("DistanceWalkingRunning", .metre, "walking_running_distance")
    case .runningSpeed: Row("RunningSpeed", .kilometrePerHour, "running_speed")
    case .bodyMass: Row("BodyMass", .kilogram, "weight_body_mass")
    case .leanBodyMass: Row("LeanBodyMass", .kilogram, "lean_body_mass")
    case .bodyFatPercentage: Row("BodyFatPercentage", .percent, "body_fat_percentage")
    case .bodyMassIndex: Row("BodyMassIndex", .count, "body_mass_index")
    case .waistCircumference: Row("WaistCircumference", .centimetre, "waist_circumference")
    case .vo2Max: Row("VO2Max", .oxygenUptake, "vo2_max", "vo2max")
    case .dietaryEnergyConsumed: Row("DietaryEnergyConsumed", .kilocalorie, "dietary_energy")
    case .dietaryCarbohydrates: Row("DietaryCarbohydrates", .gram, "carbohydrates")
    case .dietaryProtein: Row("DietaryProtein", .gram, "protein")
    case .dietaryFatTotal: Row("DietaryFatTotal", .gram, "total_fat")
    case .dietaryFiber: Row("DietaryFiber", .gram, "fiber")
    case .mindfulSession: Row("MindfulSession", .minute, "mindful_minutes")
    case .basalEnergyBurned: Row("BasalEnergyBurned", .kilocalorie, "basal_energy_burned")
    case .appleStandTime: Row("AppleStandTime", .minute, "apple_stand_time")
    case .flightsClimbed: Row("FlightsClimbed", .count, "flights_climbed")
    case .distanceCycling: Row("DistanceCycling", .metre, "cycling_distance")
    case .distanceSwimming: Row("DistanceSwimming", .metre, "swimming_distance")
    case .distanceWheelchair: Row("DistanceWheelchair", .metre, "wheelchair_distance")
    case .distanceDownhillSnowSports:
      Row("DistanceDownhillSnowSports", .metre, "distance_downhill_snow_sports")
    case .pushCount: Row("PushCount", .count, "push_count")
    case .swimmingStrokeCount: Row("SwimmingStrokeCount", .count, "swimming_stroke_count")
    case .timeInDaylight: Row("TimeInDaylight", .minute, "time_in_daylight")
    case .physicalEffort: Row("PhysicalEffort", .physicalEffort, "physical_effort")
    case .runningPower: Row("RunningPower", .watt, "running_power")
    case .runningStrideLength: Row("RunningStrideLength", .metre, "running_stride_length")
    case .runningVerticalOscillation:
      Row("RunningVerticalOscillation", .centimetre, "running_vertical_oscillation")
    case .runningGroundContactTime:
      Row("RunningGroundContactTime", .millisecond, "running_ground_contact_time")
    case .cyclingSpeed: Row("CyclingSpeed", .kilometrePerHour, "cycling_speed")
    case .cyclingPower: Row("CyclingPower", .watt, "cycling_power")
    case .cyclingCadence: Row("CyclingCadence", .countPerMinute, "cycling_cadence")
    case .walkingSpeed: Row("WalkingSpeed", .kilometrePerHour, "walking_speed")
    case .walkingStepLength: Row("WalkingStepLength", .centimetre, "walking_step_length")
    case .walkingAsymmetryPercentage:
      Row("WalkingAsymmetryPercentage", .percent, "walking_asymmetry_percentage")
    case .walkingDoubleSupportPercentage:
      Row("WalkingDoubleSupportPercentage", .percent, "walking_double_support_percentage")
    case .appleWalkingSteadiness:
      Row("AppleWalkingSteadiness", .percent, "walking_steadiness", "apple_walking_steadiness")
    case .stairAscentSpeed: Row("StairAscentSpeed", .metrePerSecond, "stair_speed_up")
    case .stairDescentSpeed: Row("StairDescentSpeed", .metrePerSecond, "stair_speed_down")
    case .sixMinuteWalkTestDistance:
      Row("SixMinuteWalkTestDistance", .metre, "six_minute_walking_test_distance")
    case .numberOfTimesFallen: Row("NumberOfTimesFallen", .count, "number_of_times_fallen")
    case .heartRateRecoveryOneMinute:
      Row("HeartRateRecoveryOneMinute", .countPerMinute, "cardio_recovery")
    case .atrialFibrillationBurden:
      Row("AtrialFibrillationBurden", .percent, "atrial_fibrillation_burden")
    case .bloodPressureSystolic: Row("BloodPressureSystolic", .millimetreOfMercury)
    case .bloodPressureDiastolic: Row("BloodPressureDiastolic", .millimetreOfMercury)
    case .peripheralPerfusionIndex:
      Row("PeripheralPerfusionIndex", .percent, "peripheral_perfusion_index")
    case .respiratoryRate: Row("RespiratoryRate", .countPerMinute, "respiratory_rate")
    case .oxygenSaturation: Row("OxygenSaturation", .percent, "blood_oxygen_saturation")
    case .bloodGlucose: Row("BloodGlucose", .milligramPerDecilitre, "blood_glucose")
    case .insulinDelivery: Row("InsulinDelivery", .internationalUnit, "insulin_delivery")
    case .bodyTemperature: Row("BodyTemperature", .degreeCelsius, "body_temperature")
    case .basalBodyTemperature:
      Row("BasalBodyTemperature", .degreeCelsius, "basal_body_temperature")
    case .appleSleepingWristTemperature:
      Row("AppleSleepingWristTemperature", .degreeCelsius, "apple_sleeping_wrist_temperature")
    case .appleSleepingBreathingDisturbances:
      Row(
        "AppleSleepingBreathingDisturbances", .count, "breathing_disturbances",
        "apple_sleeping_breathing_disturbances")
    case .forcedVitalCapacity: Row("ForcedVitalCapacity", .litre, "forced_vital_capacity")
    case .forcedExpiratoryVolume1:
      Row("ForcedExpiratoryVolume1", .litre, "forced_expiratory_volume_1")
    case .peakExpiratoryFlowRate:
      Row("PeakExpiratoryFlowRate", .litrePerMinute, "peak_expiratory_flow_rate")
    case .inhalerUsage: Row("InhalerUsage", .count, "inhaler_usage")
    case .bloodAlcoholContent: Row("BloodAlcoholContent", .percent, "blood_alcohol_content")
    case .environmentalAudioExposure:
      Row("EnvironmentalAudioExposure", .decibel, "environmental_audio_exposure")
    case .headphoneAudioExposure:
      Row("HeadphoneAudioExposure", .decibel, "headphone_audio_exposure")
    case .uvExposure: Row("UVExposure", .count, "uv_exposure")
    case .height: Row("Height", .centimetre, "height")
    case .dietaryWater: Row("DietaryWater", .millilitre, "dietary_water")
    case .dietarySugar: Row("DietarySugar", .gram, "dietary_sugar")
    case .dietaryFatSaturated: Row("DietaryFatSaturated", .gram, "saturated_fat")
    case .dietaryFatMonounsaturated: Row("DietaryFatMonounsaturated", .gram, "monounsaturated_fat")
    case .dietaryFatPolyunsaturated: Row("DietaryFatPolyunsaturated", .gram, "polyunsaturated_fat")
    case .dietaryCholesterol:
      Row("DietaryCholesterol", .milligram, "cholesterol", "dietary_cholesterol")
    case .dietarySodium: Row("DietarySodium", .milligram, "sodium")
    case .dietaryPotassium: Row("DietaryPotassium", .milligram, "potassium")
    case .dietaryCalcium: Row("DietaryCalcium", .milligram, "calcium")
    case .dietaryIron: Row("DietaryIron", .milligram, "iron")
    case .dietaryMagnesium: Row("DietaryMagnesium", .milligram, "magnesium")
    case .dietaryZinc: Row("DietaryZinc", .milligram, "zinc")
    case .dietaryPhosphorus: Row("DietaryPhosphorus", .milligram, "phosphorus")
    case .dietaryChloride: Row("DietaryChloride", .milligram, "chloride")
    case .dietaryCopper: Row("DietaryCopper", .milligram, "copper")
    case .dietaryManganese: Row("DietaryManganese", .milligram, "manganese")
    case .dietaryIodine: Row("DietaryIodine", .microgram, "iodine")
    case .dietarySelenium: Row("DietarySelenium", .microgram, "selenium")
    case .dietaryChromium: Row("DietaryChromium", .microgram, "chromium")
    case .dietaryMolybdenum: Row("DietaryMolybdenum", .microgram, "molybdenum")
    case .dietaryVitaminA: Row("DietaryVitaminA", .microgram, "vitamin_a")
    case .dietaryVitaminB6: Row("DietaryVitaminB6", .milligram, "vitamin_b6")
    case .dietaryVitaminB12: Row("DietaryVitaminB12", .microgram, "vitamin_b12")
    case .dietaryVitaminC: Row("DietaryVitaminC", .milligram, "vitamin_c")
    case .dietaryVitaminD: Row("DietaryVitaminD", .microgram, "vitamin_d")
    case .dietaryVitaminE: Row("DietaryVitaminE", .milligram, "vitamin_e")
    case .dietaryVitaminK: Row("DietaryVitaminK", .microgram, "vitamin_k")
    case .dietaryThiamin: Row("DietaryThiamin", .milligram, "thiamin")
    case .dietaryRiboflavin: Row("DietaryRiboflavin", .milligram, "riboflavin")
    case .dietaryNiacin: Row("DietaryNiacin", .milligram, "niacin")
    case .dietaryPantothenicAcid: Row("DietaryPantothenicAcid", .milligram, "pantothenic_acid")
    case .dietaryBiotin: Row("DietaryBiotin", .microgram, "biotin")
    case .dietaryFolate: Row("DietaryFolate", .microgram, "folate")
    case .dietaryCaffeine: Row("DietaryCaffeine", .milligram, "caffeine")
    case .numberOfAlcoholicBeverages:
      Row(
        "NumberOfAlcoholicBeverages", .count, "alcohol_consumption", "number_of_alcoholic_beverages"
      )
    case .distanceCrossCountrySkiing:
      Row("DistanceCrossCountrySkiing", .metre, "cross_country_skiing_distance")
    case .distancePaddleSports: Row("DistancePaddleSports", .metre, "paddle_sports_distance")
    case .distanceRowing: Row("DistanceRowing", .metre, "rowing_distance")
    case .distanceSkatingSports: Row("DistanceSkatingSports", .metre, "skating_sports_distance")
    case .crossCountrySkiingSpeed:
      Row("CrossCountrySkiingSpeed", .kilometrePerHour, "cross_country_skiing_speed")
    case .paddleSportsSpeed: Row("PaddleSportsSpeed", .kilometrePerHour, "paddle_sports_speed")
    case .rowingSpeed: Row("RowingSpeed", .kilometrePerHour, "rowing_speed")
    case .cyclingFunctionalThresholdPower:
      Row("CyclingFunctionalThresholdPower", .watt, "cycling_functional_threshold_power")
    case .underwaterDepth: Row("UnderwaterDepth", .metre, "underwater_depth")
    case .waterTemperature:
      Row("WaterTemperature", .degreeCelsius, "underwater_temperature", "water_temperature")
    case .nikeFuel: Row("NikeFuel", .count, "nike_fuel")
    case .environmentalSoundReduction:
      Row("EnvironmentalSoundReduction", .decibel, "environmental_sound_reduction")
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
  public var payloadNames: [String] { row.payloadNames }

  /// A number in some unit as one in the unit in which the kind is counted; nil where the unit
  /// can't be converted.
  ///
  /// The samples of a category have no unit: their times say how long they are.
  public func counted(_ number: Double, in unit: SampleUnit) -> Double? {
    if isCategory, unit == .none { return number }
    return unit.convert(number, to: self.unit)
  }
}
