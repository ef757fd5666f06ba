/// A number that a day has: the one catalogue of metrics (R42). Whatever lists metrics elsewhere is
/// derived from it, and docs/METRICS.md is held against it.
///
/// The raw value is the metric's key in a daily document. To add a metric, add its case and its row
/// in `definition`, whose label says what it is; its samples are read once `SampleKind` has their kind.
///
/// ```swift
/// for metric in DailyMetric.allCases {
///   print(metric.rawValue, metric.unitLabel, metric.kind, metric.aggregation)
/// }
/// ```
public enum DailyMetric: String, CaseIterable, Hashable, Sendable {
  // Activity.
  case steps
  case activeEnergy = "active_energy_kcal"
  case basalEnergy = "basal_energy"
  case exerciseMinutes = "exercise_minutes"
  case moveMinutes = "move_minutes"
  case standHours = "stand_hours"
  case standMinutes = "stand_minutes"
  case distance = "distance_walking_running"
  case distanceCycling = "distance_cycling"
  case distanceSwimming = "distance_swimming"
  case distanceWheelchair = "distance_wheelchair"
  case distanceDownhill = "distance_downhill_snow_sports"
  case distanceCrossCountrySkiing = "distance_cross_country_skiing"
  case distancePaddleSports = "distance_paddle_sports"
  case distanceRowing = "distance_rowing"
  case distanceSkatingSports = "distance_skating_sports"
  case flightsClimbed = "flights_climbed"
  case pushes = "wheelchair_pushes"
  case swimmingStrokes = "swimming_strokes"
  case daylightMinutes = "daylight_minutes"
  case physicalEffort = "physical_effort"
  case workoutEffort = "workout_effort"
  case estimatedWorkoutEffort = "estimated_workout_effort"
  case runningSpeed = "running_speed"
  case runningPower = "running_power"
  case runningStrideLength = "running_stride_length"
  case runningVerticalOscillation = "running_vertical_oscillation"
  case runningGroundContactTime = "running_ground_contact_time"
  case cyclingSpeed = "cycling_speed"
  case cyclingPower = "cycling_power"
  case cyclingCadence = "cycling_cadence"
  case cyclingThresholdPower = "cycling_threshold_power"
  case skiingSpeed = "cross_country_skiing_speed"
  case paddleSpeed = "paddle_sports_speed"
  case rowingSpeed = "rowing_speed"
  case underwaterDepth = "underwater_depth_max"
  case waterTemperature = "water_temperature"
  case nikeFuel = "nike_fuel"
  // Walking.
  case walkingSpeed = "walking_speed"
  case walkingStepLength = "walking_step_length"
  case walkingAsymmetry = "walking_asymmetry"
  case walkingDoubleSupport = "walking_double_support"
  case walkingSteadiness = "walking_steadiness"
  case stairSpeedUp = "stair_speed_up"
  case stairSpeedDown = "stair_speed_down"
  case sixMinuteWalk = "six_minute_walk"
  case falls
  // Heart.
  case restingHeartRate = "resting_hr_avg"
  case restingHeartRateLatest = "resting_hr_latest"
  case restingHeartRateLatestTime = "resting_hr_latest_time"
  case walkingHeartRate = "walking_hr_avg"
  case heartRateMinimum = "heart_rate_min"
  case heartRateMaximum = "heart_rate_max"
  case heartRateMean = "heart_rate_avg"
  case heartRateVariability = "hrv_sdnn_avg"
  case heartRateRecovery = "heart_rate_recovery"
  case atrialFibrillationBurden = "atrial_fibrillation_burden"
  case bloodPressureSystolic = "blood_pressure_systolic"
  case bloodPressureDiastolic = "blood_pressure_diastolic"
  case bloodPressureSystolicLatest = "blood_pressure_systolic_latest"
  case bloodPressureDiastolicLatest = "blood_pressure_diastolic_latest"
  case bloodPressureLatestTime = "blood_pressure_latest_time"
  case perfusionIndex = "perfusion_index"
  case vo2Max = "vo2_max"
  case vo2MaxLatest = "vo2_max_latest"
  case vo2MaxLatestTime = "vo2_max_latest_time"
  // Breath, blood and temperature.
  case respiratoryRate = "respiratory_rate"
  case oxygenSaturation = "oxygen_saturation"
  case oxygenSaturationLatest = "oxygen_saturation_latest"
  case oxygenSaturationLatestTime = "oxygen_saturation_latest_time"
  case bloodGlucose = "blood_glucose"
  case bloodGlucoseLatest = "blood_glucose_latest"
  case bloodGlucoseLatestTime = "blood_glucose_latest_time"
  case insulin
  case bodyTemperature = "body_temperature"
  case bodyTemperatureLatest = "body_temperature_latest"
  case bodyTemperatureLatestTime = "body_temperature_latest_time"
  case basalBodyTemperature = "basal_body_temperature"
  case basalBodyTemperatureLatest = "basal_body_temperature_latest"
  case basalBodyTemperatureLatestTime = "basal_body_temperature_latest_time"
  case forcedVitalCapacity = "forced_vital_capacity"
  case forcedExpiratoryVolume = "forced_expiratory_volume_1"
  case peakExpiratoryFlow = "peak_expiratory_flow"
  case inhalerUses = "inhaler_uses"
  case bloodAlcohol = "blood_alcohol"
  case electrodermalActivity = "electrodermal_activity"
  // Sleep and rest.
  case sleepAsleep = "sleep_asleep_minutes"
  case sleepInBed = "sleep_in_bed_minutes"
  case sleepCore = "sleep_core_minutes"
  case sleepDeep = "sleep_deep_minutes"
  case sleepREM = "sleep_rem_minutes"
  case sleepAwake = "sleep_awake_minutes"
  case wristTemperature = "wrist_temperature"
  case breathingDisturbances = "breathing_disturbances"
  case mindfulMinutes = "mindful_minutes"
  // Body.
  case weight
  case weightLatest = "weight_latest"
  case weightLatestTime = "weight_latest_time"
  case leanMass = "lean_mass"
  case leanMassLatest = "lean_mass_latest"
  case leanMassLatestTime = "lean_mass_latest_time"
  case bodyFat = "body_fat"
  case bodyFatLatest = "body_fat_latest"
  case bodyFatLatestTime = "body_fat_latest_time"
  case bodyMassIndex = "body_mass_index"
  case bodyMassIndexLatest = "body_mass_index_latest"
  case bodyMassIndexLatestTime = "body_mass_index_latest_time"
  case waist
  case waistLatest = "waist_latest"
  case waistLatestTime = "waist_latest_time"
  case height
  case heightLatest = "height_latest"
  case heightLatestTime = "height_latest_time"
  // Sound and sun.
  case environmentalSound = "environmental_sound"
  case headphoneSound = "headphone_sound"
  case soundReduction = "environmental_sound_reduction"
  case uvIndex = "uv_index"
  // Nutrition.
  case dietaryEnergy = "dietary_energy"
  case carbohydrates, sugar, fiber, protein, fat
  case fatSaturated = "fat_saturated"
  case fatMonounsaturated = "fat_monounsaturated"
  case fatPolyunsaturated = "fat_polyunsaturated"
  case cholesterol, water, caffeine
  case alcoholicDrinks = "alcoholic_drinks"
  case sodium, potassium, calcium, iron, magnesium, zinc, phosphorus, chloride, copper, manganese,
    iodine, selenium, chromium, molybdenum
  case vitaminA = "vitamin_a"
  case vitaminB6 = "vitamin_b6"
  case vitaminB12 = "vitamin_b12"
  case vitaminC = "vitamin_c"
  case vitaminD = "vitamin_d"
  case vitaminE = "vitamin_e"
  case vitaminK = "vitamin_k"
  case thiamin, riboflavin, niacin
  case pantothenicAcid = "pantothenic_acid"
  case biotin, folate
}

/// The table of metrics, a row each.
extension DailyMetric {
  var definition: MetricDefinition {
    switch self {
    // Activity.
    case .steps: .init(.stepCount, .sum, "steps", .activity, 0...300_000)
    case .activeEnergy: .init(.activeEnergyBurned, .sum, "active energy", .activity, 0...20_000)
    case .basalEnergy: .init(.basalEnergyBurned, .sum, "resting energy", .activity, 300...5000)
    case .exerciseMinutes: .init(.appleExerciseTime, .sum, "exercise", .activity, 0...1500)
    case .moveMinutes: .init(.appleMoveTime, .sum, "move time", .activity, 0...1500)
    case .standHours: .init(.appleStandHour, .hours, "stand hours", .activity, 0...25, in: .hour)
    case .standMinutes: .init(.appleStandTime, .sum, "stand time", .activity, 0...1500)
    case .distance: .init(.distanceWalkingRunning, .sum, "distance on foot", .activity, 0...350_000)
    case .distanceCycling: .init(.distanceCycling, .sum, "distance cycled", .activity, 0...600_000)
    case .distanceSwimming: .init(.distanceSwimming, .sum, "distance swum", .activity, 0...60_000)
    case .distanceWheelchair:
      .init(.distanceWheelchair, .sum, "distance by wheelchair", .activity, 0...200_000)
    case .distanceDownhill:
      .init(.distanceDownhillSnowSports, .sum, "distance on snow", .activity, 0...300_000)
    case .distanceCrossCountrySkiing:
      .init(.distanceCrossCountrySkiing, .sum, "distance skied", .activity, 0...300_000)
    case .distancePaddleSports:
      .init(.distancePaddleSports, .sum, "distance paddled", .activity, 0...200_000)
    case .distanceRowing: .init(.distanceRowing, .sum, "distance rowed", .activity, 0...200_000)
    case .distanceSkatingSports:
      .init(.distanceSkatingSports, .sum, "distance skated", .activity, 0...300_000)
    case .flightsClimbed: .init(.flightsClimbed, .sum, "flights climbed", .activity, 0...1000)
    case .pushes: .init(.pushCount, .sum, "wheelchair pushes", .activity, 0...100_000)
    case .swimmingStrokes:
      .init(.swimmingStrokeCount, .sum, "swimming strokes", .activity, 0...50_000)
    case .daylightMinutes: .init(.timeInDaylight, .sum, "time in daylight", .activity, 0...1500)
    case .physicalEffort: .init(.physicalEffort, .mean, "physical effort", .activity, 0...30)
    case .workoutEffort: .init(.workoutEffortScore, .mean, "workout effort", .activity, 0...10)
    case .estimatedWorkoutEffort:
      .init(.estimatedWorkoutEffortScore, .mean, "estimated workout effort", .activity, 0...10)
    case .runningSpeed: .init(.runningSpeed, .mean, "running speed", .activity, 1...45)
    case .runningPower: .init(.runningPower, .mean, "running power", .activity, 0...2000)
    case .runningStrideLength:
      .init(.runningStrideLength, .mean, "running stride length", .activity, 0.1...4)
    case .runningVerticalOscillation:
      .init(.runningVerticalOscillation, .mean, "running vertical oscillation", .activity, 0...50)
    case .runningGroundContactTime:
      .init(.runningGroundContactTime, .mean, "running ground contact time", .activity, 50...1000)
    case .cyclingSpeed: .init(.cyclingSpeed, .mean, "cycling speed", .activity, 1...120)
    case .cyclingPower: .init(.cyclingPower, .mean, "cycling power", .activity, 0...2500)
    case .cyclingCadence: .init(.cyclingCadence, .mean, "cycling cadence", .activity, 0...250)
    case .cyclingThresholdPower:
      .init(
        .cyclingFunctionalThresholdPower, .mean, "cycling threshold power", .activity, 20...1000)
    case .skiingSpeed:
      .init(.crossCountrySkiingSpeed, .mean, "cross-country skiing speed", .activity, 0.5...100)
    case .paddleSpeed: .init(.paddleSportsSpeed, .mean, "paddling speed", .activity, 0.5...50)
    case .rowingSpeed: .init(.rowingSpeed, .mean, "rowing speed", .activity, 0.5...50)
    case .underwaterDepth:
      .init(.underwaterDepth, .greatest, "greatest depth under water", .activity, 0...350)
    case .waterTemperature: .init(.waterTemperature, .mean, "water temperature", .activity, 0...45)
    case .nikeFuel: .init(.nikeFuel, .sum, "NikeFuel", .activity, 0...50_000)
    // Walking.
    case .walkingSpeed: .init(.walkingSpeed, .mean, "walking speed", .walking, 0.1...15)
    case .walkingStepLength: .init(.walkingStepLength, .mean, "step length", .walking, 10...200)
    case .walkingAsymmetry:
      .init(.walkingAsymmetryPercentage, .mean, "walking asymmetry", .walking, 0...100)
    case .walkingDoubleSupport:
      .init(.walkingDoubleSupportPercentage, .mean, "double support", .walking, 0...100)
    case .walkingSteadiness:
      .init(.appleWalkingSteadiness, .mean, "walking steadiness", .walking, 0...100)
    case .stairSpeedUp: .init(.stairAscentSpeed, .mean, "stair speed up", .walking, 0.01...5)
    case .stairSpeedDown: .init(.stairDescentSpeed, .mean, "stair speed down", .walking, 0.01...5)
    case .sixMinuteWalk:
      .init(.sixMinuteWalkTestDistance, .mean, "six-minute walk", .walking, 10...1500)
    case .falls: .init(.numberOfTimesFallen, .entries, "falls", .walking, 0...100)
    // Heart.
    case .restingHeartRate: .init(.restingHeartRate, .mean, "resting heart rate", .heart, 20...200)
    case .restingHeartRateLatest: .init(latestOf: .restingHeartRate)
    case .restingHeartRateLatestTime: .init(timeOf: .restingHeartRate)
    case .walkingHeartRate:
      .init(.walkingHeartRateAverage, .mean, "walking heart rate", .heart, 30...220)
    case .heartRateMinimum: .init(.heartRate, .least, "lowest heart rate", .heart, 20...220)
    case .heartRateMaximum: .init(.heartRate, .greatest, "highest heart rate", .heart, 30...300)
    case .heartRateMean: .init(.heartRate, .mean, "mean heart rate", .heart, 20...250)
    case .heartRateVariability:
      .init(.heartRateVariabilitySDNN, .mean, "heart rate variability", .heart, 1...500)
    case .heartRateRecovery:
      .init(.heartRateRecoveryOneMinute, .mean, "heart rate recovery", .heart, 0...150)
    case .atrialFibrillationBurden:
      .init(.atrialFibrillationBurden, .mean, "atrial fibrillation burden", .heart, 0...100)
    case .bloodPressureSystolic:
      .init(.bloodPressureSystolic, .mean, "systolic blood pressure", .heart, 50...300)
    case .bloodPressureDiastolic:
      .init(.bloodPressureDiastolic, .mean, "diastolic blood pressure", .heart, 20...200)
    case .bloodPressureSystolicLatest: .init(latestOf: .bloodPressureSystolic)
    case .bloodPressureDiastolicLatest: .init(latestOf: .bloodPressureDiastolic)
    case .bloodPressureLatestTime: .init(timeOf: .bloodPressureSystolic, "blood pressure")
    case .perfusionIndex:
      .init(.peripheralPerfusionIndex, .mean, "perfusion index", .heart, 0...100)
    case .vo2Max: .init(.vo2Max, .mean, "VO2 max", .heart, 5...100)
    case .vo2MaxLatest: .init(latestOf: .vo2Max)
    case .vo2MaxLatestTime: .init(timeOf: .vo2Max)
    // Breath, blood and temperature.
    case .respiratoryRate: .init(.respiratoryRate, .mean, "respiratory rate", .vitals, 4...60)
    case .oxygenSaturation: .init(.oxygenSaturation, .mean, "oxygen saturation", .vitals, 50...100)
    case .oxygenSaturationLatest: .init(latestOf: .oxygenSaturation)
    case .oxygenSaturationLatestTime: .init(timeOf: .oxygenSaturation)
    case .bloodGlucose: .init(.bloodGlucose, .mean, "blood glucose", .vitals, 20...600)
    case .bloodGlucoseLatest: .init(latestOf: .bloodGlucose)
    case .bloodGlucoseLatestTime: .init(timeOf: .bloodGlucose)
    case .insulin: .init(.insulinDelivery, .entries, "insulin", .vitals, 0...500)
    case .bodyTemperature: .init(.bodyTemperature, .mean, "body temperature", .vitals, 30...44)
    case .bodyTemperatureLatest: .init(latestOf: .bodyTemperature)
    case .bodyTemperatureLatestTime: .init(timeOf: .bodyTemperature)
    case .basalBodyTemperature:
      .init(.basalBodyTemperature, .mean, "basal body temperature", .vitals, 30...44)
    case .basalBodyTemperatureLatest: .init(latestOf: .basalBodyTemperature)
    case .basalBodyTemperatureLatestTime: .init(timeOf: .basalBodyTemperature)
    case .forcedVitalCapacity:
      .init(.forcedVitalCapacity, .mean, "forced vital capacity", .vitals, 0.1...12)
    case .forcedExpiratoryVolume:
      .init(.forcedExpiratoryVolume1, .mean, "forced expiratory volume", .vitals, 0.1...10)
    case .peakExpiratoryFlow:
      .init(.peakExpiratoryFlowRate, .mean, "peak expiratory flow", .vitals, 20...1200)
    case .inhalerUses: .init(.inhalerUsage, .entries, "inhaler uses", .vitals, 0...100)
    case .bloodAlcohol: .init(.bloodAlcoholContent, .mean, "blood alcohol", .vitals, 0...1)
    case .electrodermalActivity:
      .init(.electrodermalActivity, .mean, "electrodermal activity", .vitals, 0...100)
    // Sleep and rest.
    case .sleepAsleep: .init(.sleepAnalysis, .night(.asleep), "asleep", .sleep, 0...1500)
    case .sleepInBed: .init(.sleepAnalysis, .night(.value(.inBed)), "in bed", .sleep, 0...1500)
    case .sleepCore:
      .init(.sleepAnalysis, .night(.value(.asleepCore)), "core sleep", .sleep, 0...1500)
    case .sleepDeep:
      .init(.sleepAnalysis, .night(.value(.asleepDeep)), "deep sleep", .sleep, 0...1500)
    case .sleepREM: .init(.sleepAnalysis, .night(.value(.asleepREM)), "REM sleep", .sleep, 0...1500)
    case .sleepAwake:
      .init(.sleepAnalysis, .night(.value(.awake)), "awake at night", .sleep, 0...1500)
    case .wristTemperature:
      .init(.appleSleepingWristTemperature, .mean, "wrist temperature", .sleep, 25...42)
    case .breathingDisturbances:
      .init(.appleSleepingBreathingDisturbances, .mean, "breathing disturbances", .sleep, 0...200)
    case .mindfulMinutes: .init(.mindfulSession, .duration, "mindful time", .sleep, 0...1500)
    // Body.
    case .weight: .init(.bodyMass, .mean, "weight", .body, 1...700)
    case .weightLatest: .init(latestOf: .weight)
    case .weightLatestTime: .init(timeOf: .weight)
    case .leanMass: .init(.leanBodyMass, .mean, "lean body mass", .body, 1...300)
    case .leanMassLatest: .init(latestOf: .leanMass)
    case .leanMassLatestTime: .init(timeOf: .leanMass)
    case .bodyFat: .init(.bodyFatPercentage, .mean, "body fat", .body, 1...90)
    case .bodyFatLatest: .init(latestOf: .bodyFat)
    case .bodyFatLatestTime: .init(timeOf: .bodyFat)
    case .bodyMassIndex: .init(.bodyMassIndex, .mean, "body mass index", .body, 5...200)
    case .bodyMassIndexLatest: .init(latestOf: .bodyMassIndex)
    case .bodyMassIndexLatestTime: .init(timeOf: .bodyMassIndex)
    case .waist: .init(.waistCircumference, .mean, "waist", .body, 20...400)
    case .waistLatest: .init(latestOf: .waist)
    case .waistLatestTime: .init(timeOf: .waist)
    case .height: .init(.height, .mean, "height", .body, 20...280)
    case .heightLatest: .init(latestOf: .height)
    case .heightLatestTime: .init(timeOf: .height)
    // Sound and sun.
    case .environmentalSound:
      .init(.environmentalAudioExposure, .level, "environmental sound", .surroundings, 0...160)
    case .headphoneSound:
      .init(.headphoneAudioExposure, .level, "headphone sound", .surroundings, 0...160)
    case .soundReduction:
      .init(.environmentalSoundReduction, .level, "sound reduction", .surroundings, 0...60)
    case .uvIndex: .init(.uvExposure, .greatest, "UV index", .surroundings, 0...25)
    // Nutrition.
    case .dietaryEnergy:
      .init(.dietaryEnergyConsumed, .entries, "energy eaten", .nutrition, 0...20_000)
    case .carbohydrates:
      .init(.dietaryCarbohydrates, .entries, "carbohydrates", .nutrition, 0...3000)
    case .sugar: .init(.dietarySugar, .entries, "sugar", .nutrition, 0...2000)
    case .fiber: .init(.dietaryFiber, .entries, "fibre", .nutrition, 0...500)
    case .protein: .init(.dietaryProtein, .entries, "protein", .nutrition, 0...1000)
    case .fat: .init(.dietaryFatTotal, .entries, "fat", .nutrition, 0...1500)
    case .fatSaturated: .init(.dietaryFatSaturated, .entries, "saturated fat", .nutrition, 0...1000)
    case .fatMonounsaturated:
      .init(.dietaryFatMonounsaturated, .entries, "monounsaturated fat", .nutrition, 0...1000)
    case .fatPolyunsaturated:
      .init(.dietaryFatPolyunsaturated, .entries, "polyunsaturated fat", .nutrition, 0...1000)
    case .cholesterol: .init(.dietaryCholesterol, .entries, "cholesterol", .nutrition, 0...10_000)
    case .water: .init(.dietaryWater, .entries, "water", .nutrition, 0...20_000)
    case .caffeine: .init(.dietaryCaffeine, .entries, "caffeine", .nutrition, 0...3000)
    case .alcoholicDrinks:
      .init(.numberOfAlcoholicBeverages, .entries, "alcoholic drinks", .nutrition, 0...100)
    case .sodium: .init(.dietarySodium, .entries, "sodium", .nutrition, 0...100_000)
    case .potassium: .init(.dietaryPotassium, .entries, "potassium", .nutrition, 0...100_000)
    case .calcium: .init(.dietaryCalcium, .entries, "calcium", .nutrition, 0...50_000)
    case .iron: .init(.dietaryIron, .entries, "iron", .nutrition, 0...5000)
    case .magnesium: .init(.dietaryMagnesium, .entries, "magnesium", .nutrition, 0...50_000)
    case .zinc: .init(.dietaryZinc, .entries, "zinc", .nutrition, 0...5000)
    case .phosphorus: .init(.dietaryPhosphorus, .entries, "phosphorus", .nutrition, 0...50_000)
    case .chloride: .init(.dietaryChloride, .entries, "chloride", .nutrition, 0...100_000)
    case .copper: .init(.dietaryCopper, .entries, "copper", .nutrition, 0...1000)
    case .manganese: .init(.dietaryManganese, .entries, "manganese", .nutrition, 0...5000)
    case .iodine: .init(.dietaryIodine, .entries, "iodine", .nutrition, 0...100_000)
    case .selenium: .init(.dietarySelenium, .entries, "selenium", .nutrition, 0...100_000)
    case .chromium: .init(.dietaryChromium, .entries, "chromium", .nutrition, 0...100_000)
    case .molybdenum: .init(.dietaryMolybdenum, .entries, "molybdenum", .nutrition, 0...100_000)
    case .vitaminA: .init(.dietaryVitaminA, .entries, "vitamin A", .nutrition, 0...100_000)
    case .vitaminB6: .init(.dietaryVitaminB6, .entries, "vitamin B6", .nutrition, 0...5000)
    case .vitaminB12: .init(.dietaryVitaminB12, .entries, "vitamin B12", .nutrition, 0...100_000)
    case .vitaminC: .init(.dietaryVitaminC, .entries, "vitamin C", .nutrition, 0...100_000)
    case .vitaminD: .init(.dietaryVitaminD, .entries, "vitamin D", .nutrition, 0...100_000)
    case .vitaminE: .init(.dietaryVitaminE, .entries, "vitamin E", .nutrition, 0...10_000)
    case .vitaminK: .init(.dietaryVitaminK, .entries, "vitamin K", .nutrition, 0...100_000)
    case .thiamin: .init(.dietaryThiamin, .entries, "thiamin", .nutrition, 0...10_000)
    case .riboflavin: .init(.dietaryRiboflavin, .entries, "riboflavin", .nutrition, 0...10_000)
    case .niacin: .init(.dietaryNiacin, .entries, "niacin", .nutrition, 0...10_000)
    case .pantothenicAcid:
      .init(.dietaryPantothenicAcid, .entries, "pantothenic acid", .nutrition, 0...10_000)
    case .biotin: .init(.dietaryBiotin, .entries, "biotin", .nutrition, 0...100_000)
    case .folate: .init(.dietaryFolate, .entries, "folate", .nutrition, 0...100_000)
    }
  }
}
