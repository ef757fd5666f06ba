/// A number that a day has: the one catalogue of metrics (R42). Whatever lists metrics elsewhere is
/// derived from it, and docs/METRICS.md is held against it.
///
/// The raw value is the metric's key in a daily document. To add a metric, add its case and its row
/// in `definition`; its samples are read once `SampleKind` has their kind.
///
/// ```swift
/// for metric in DailyMetric.allCases {
///   print(metric.rawValue, metric.unitLabel, metric.kind, metric.aggregation)
/// }
/// ```
public enum DailyMetric: String, CaseIterable, Hashable, Sendable {
  // Activity.

  /// Steps taken.
  case steps
  /// Active energy burned.
  case activeEnergy = "active_energy_kcal"
  /// Energy burned at rest.
  case basalEnergy = "basal_energy"
  /// Exercise time.
  case exerciseMinutes = "exercise_minutes"
  /// Move time.
  case moveMinutes = "move_minutes"
  /// Hours with at least a minute of standing.
  case standHours = "stand_hours"
  /// Time of standing.
  case standMinutes = "stand_minutes"
  /// Distance on foot.
  case distance = "distance_walking_running"
  /// Distance by bicycle.
  case distanceCycling = "distance_cycling"
  /// Distance swum.
  case distanceSwimming = "distance_swimming"
  /// Distance by wheelchair.
  case distanceWheelchair = "distance_wheelchair"
  /// Distance downhill on snow.
  case distanceDownhill = "distance_downhill_snow_sports"
  /// Distance skied across country.
  case distanceCrossCountrySkiing = "distance_cross_country_skiing"
  /// Distance paddled.
  case distancePaddleSports = "distance_paddle_sports"
  /// Distance rowed.
  case distanceRowing = "distance_rowing"
  /// Distance skated.
  case distanceSkatingSports = "distance_skating_sports"
  /// Flights of stairs climbed.
  case flightsClimbed = "flights_climbed"
  /// Pushes of a wheelchair.
  case pushes = "wheelchair_pushes"
  /// Strokes swum.
  case swimmingStrokes = "swimming_strokes"
  /// Time in daylight.
  case daylightMinutes = "daylight_minutes"
  /// Mean effort.
  case physicalEffort = "physical_effort"
  /// Mean effort of workouts, as the person says.
  case workoutEffort = "workout_effort"
  /// Mean effort of workouts, as the watch estimates.
  case estimatedWorkoutEffort = "estimated_workout_effort"
  /// Mean speed while running.
  case runningSpeed = "running_speed"
  /// Mean power while running.
  case runningPower = "running_power"
  /// Mean length of a stride while running.
  case runningStrideLength = "running_stride_length"
  /// How far a runner moves up and down, on average.
  case runningVerticalOscillation = "running_vertical_oscillation"
  /// How long a runner's foot is on the ground, on average.
  case runningGroundContactTime = "running_ground_contact_time"
  /// Mean speed while cycling.
  case cyclingSpeed = "cycling_speed"
  /// Mean power while cycling.
  case cyclingPower = "cycling_power"
  /// Mean turns of the pedals.
  case cyclingCadence = "cycling_cadence"
  /// Mean power that a cyclist can hold for an hour.
  case cyclingThresholdPower = "cycling_threshold_power"
  /// Mean speed while skiing across country.
  case skiingSpeed = "cross_country_skiing_speed"
  /// Mean speed while paddling.
  case paddleSpeed = "paddle_sports_speed"
  /// Mean speed while rowing.
  case rowingSpeed = "rowing_speed"
  /// Greatest depth under water.
  case underwaterDepth = "underwater_depth_max"
  /// Mean temperature of the water.
  case waterTemperature = "water_temperature"
  /// NikeFuel points.
  case nikeFuel = "nike_fuel"

  // Walking.

  /// Mean speed while walking.
  case walkingSpeed = "walking_speed"
  /// Mean length of a step.
  case walkingStepLength = "walking_step_length"
  /// Mean part of the steps in which one foot moves at another speed.
  case walkingAsymmetry = "walking_asymmetry"
  /// Mean part of a walk with both feet on the ground.
  case walkingDoubleSupport = "walking_double_support"
  /// Mean steadiness of the gait.
  case walkingSteadiness = "walking_steadiness"
  /// Mean speed up stairs.
  case stairSpeedUp = "stair_speed_up"
  /// Mean speed down stairs.
  case stairSpeedDown = "stair_speed_down"
  /// Mean estimated distance of a six-minute walk.
  case sixMinuteWalk = "six_minute_walk"
  /// Falls.
  case falls

  // Heart.

  /// Mean resting heart rate.
  case restingHeartRate = "resting_hr_avg"
  /// Latest resting heart rate.
  case restingHeartRateLatest = "resting_hr_latest"
  /// When it was measured.
  case restingHeartRateLatestTime = "resting_hr_latest_time"
  /// Mean heart rate while walking.
  case walkingHeartRate = "walking_hr_avg"
  /// Lowest heart rate.
  case heartRateMinimum = "heart_rate_min"
  /// Highest heart rate.
  case heartRateMaximum = "heart_rate_max"
  /// Mean heart rate.
  case heartRateMean = "heart_rate_avg"
  /// Mean heart rate variability (SDNN).
  case heartRateVariability = "hrv_sdnn_avg"
  /// How far heart rate falls in the minute after exercise, on average.
  case heartRateRecovery = "heart_rate_recovery"
  /// Mean part of the time in atrial fibrillation.
  case atrialFibrillationBurden = "atrial_fibrillation_burden"
  /// Mean systolic blood pressure.
  case bloodPressureSystolic = "blood_pressure_systolic"
  /// Mean diastolic blood pressure.
  case bloodPressureDiastolic = "blood_pressure_diastolic"
  /// Latest systolic blood pressure.
  case bloodPressureSystolicLatest = "blood_pressure_systolic_latest"
  /// Latest diastolic blood pressure.
  case bloodPressureDiastolicLatest = "blood_pressure_diastolic_latest"
  /// When both were measured.
  case bloodPressureLatestTime = "blood_pressure_latest_time"
  /// Mean strength of the pulse in a finger.
  case perfusionIndex = "perfusion_index"
  /// Mean greatest oxygen uptake.
  case vo2Max = "vo2_max"
  /// Latest greatest oxygen uptake.
  case vo2MaxLatest = "vo2_max_latest"
  /// When it was measured.
  case vo2MaxLatestTime = "vo2_max_latest_time"

  // Breath, blood and temperature.

  /// Mean breaths a minute.
  case respiratoryRate = "respiratory_rate"
  /// Mean oxygen saturation of the blood.
  case oxygenSaturation = "oxygen_saturation"
  /// Latest oxygen saturation.
  case oxygenSaturationLatest = "oxygen_saturation_latest"
  /// When it was measured.
  case oxygenSaturationLatestTime = "oxygen_saturation_latest_time"
  /// Mean glucose in the blood.
  case bloodGlucose = "blood_glucose"
  /// Latest glucose in the blood.
  case bloodGlucoseLatest = "blood_glucose_latest"
  /// When it was measured.
  case bloodGlucoseLatestTime = "blood_glucose_latest_time"
  /// Insulin given.
  case insulin
  /// Mean body temperature.
  case bodyTemperature = "body_temperature"
  /// Latest body temperature.
  case bodyTemperatureLatest = "body_temperature_latest"
  /// When it was measured.
  case bodyTemperatureLatestTime = "body_temperature_latest_time"
  /// Mean body temperature at rest.
  case basalBodyTemperature = "basal_body_temperature"
  /// Latest body temperature at rest.
  case basalBodyTemperatureLatest = "basal_body_temperature_latest"
  /// When it was measured.
  case basalBodyTemperatureLatestTime = "basal_body_temperature_latest_time"
  /// Mean air breathed out after a deep breath.
  case forcedVitalCapacity = "forced_vital_capacity"
  /// Mean air breathed out in the first second.
  case forcedExpiratoryVolume = "forced_expiratory_volume_1"
  /// Mean greatest flow of breath.
  case peakExpiratoryFlow = "peak_expiratory_flow"
  /// Uses of an inhaler.
  case inhalerUses = "inhaler_uses"
  /// Mean alcohol in the blood.
  case bloodAlcohol = "blood_alcohol"
  /// Mean conductance of the skin.
  case electrodermalActivity = "electrodermal_activity"

  // Sleep and rest.

  /// Time asleep.
  case sleepAsleep = "sleep_asleep_minutes"
  /// Time in bed.
  case sleepInBed = "sleep_in_bed_minutes"
  /// Time in core sleep.
  case sleepCore = "sleep_core_minutes"
  /// Time in deep sleep.
  case sleepDeep = "sleep_deep_minutes"
  /// Time in REM sleep.
  case sleepREM = "sleep_rem_minutes"
  /// Time awake in the night.
  case sleepAwake = "sleep_awake_minutes"
  /// Mean temperature of the wrist in sleep.
  case wristTemperature = "wrist_temperature"
  /// Mean disturbances of breathing in sleep.
  case breathingDisturbances = "breathing_disturbances"
  /// Time in mindful sessions.
  case mindfulMinutes = "mindful_minutes"

  // Body.

  /// Mean body weight.
  case weight
  /// Latest body weight.
  case weightLatest = "weight_latest"
  /// When it was measured.
  case weightLatestTime = "weight_latest_time"
  /// Mean body weight without fat.
  case leanMass = "lean_mass"
  /// Latest body weight without fat.
  case leanMassLatest = "lean_mass_latest"
  /// When it was measured.
  case leanMassLatestTime = "lean_mass_latest_time"
  /// Mean body fat.
  case bodyFat = "body_fat"
  /// Latest body fat.
  case bodyFatLatest = "body_fat_latest"
  /// When it was measured.
  case bodyFatLatestTime = "body_fat_latest_time"
  /// Mean body mass index.
  case bodyMassIndex = "body_mass_index"
  /// Latest body mass index.
  case bodyMassIndexLatest = "body_mass_index_latest"
  /// When it was measured.
  case bodyMassIndexLatestTime = "body_mass_index_latest_time"
  /// Mean waist circumference.
  case waist
  /// Latest waist circumference.
  case waistLatest = "waist_latest"
  /// When it was measured.
  case waistLatestTime = "waist_latest_time"
  /// Mean body height.
  case height
  /// Latest body height.
  case heightLatest = "height_latest"
  /// When it was measured.
  case heightLatestTime = "height_latest_time"

  // Sound and sun.

  /// Level of the sound around a person, averaged by energy and time.
  case environmentalSound = "environmental_sound"
  /// Level of the sound of headphones, averaged by energy and time.
  case headphoneSound = "headphone_sound"
  /// Reduction of the sound around a person by headphones, averaged by energy and time.
  case soundReduction = "environmental_sound_reduction"
  /// Greatest ultraviolet index.
  case uvIndex = "uv_index"

  // Nutrition.

  /// Energy eaten.
  case dietaryEnergy = "dietary_energy"
  /// Carbohydrates eaten.
  case carbohydrates
  /// Sugar eaten.
  case sugar
  /// Fibre eaten.
  case fiber
  /// Protein eaten.
  case protein
  /// Fat eaten.
  case fat
  /// Saturated fat eaten.
  case fatSaturated = "fat_saturated"
  /// Monounsaturated fat eaten.
  case fatMonounsaturated = "fat_monounsaturated"
  /// Polyunsaturated fat eaten.
  case fatPolyunsaturated = "fat_polyunsaturated"
  /// Cholesterol eaten.
  case cholesterol
  /// Water drunk.
  case water
  /// Caffeine drunk or eaten.
  case caffeine
  /// Alcoholic drinks.
  case alcoholicDrinks = "alcoholic_drinks"
  /// Sodium eaten.
  case sodium
  /// Potassium eaten.
  case potassium
  /// Calcium eaten.
  case calcium
  /// Iron eaten.
  case iron
  /// Magnesium eaten.
  case magnesium
  /// Zinc eaten.
  case zinc
  /// Phosphorus eaten.
  case phosphorus
  /// Chloride eaten.
  case chloride
  /// Copper eaten.
  case copper
  /// Manganese eaten.
  case manganese
  /// Iodine eaten.
  case iodine
  /// Selenium eaten.
  case selenium
  /// Chromium eaten.
  case chromium
  /// Molybdenum eaten.
  case molybdenum
  /// Vitamin A eaten.
  case vitaminA = "vitamin_a"
  /// Vitamin B6 eaten.
  case vitaminB6 = "vitamin_b6"
  /// Vitamin B12 eaten.
  case vitaminB12 = "vitamin_b12"
  /// Vitamin C eaten.
  case vitaminC = "vitamin_c"
  /// Vitamin D eaten.
  case vitaminD = "vitamin_d"
  /// Vitamin E eaten.
  case vitaminE = "vitamin_e"
  /// Vitamin K eaten.
  case vitaminK = "vitamin_k"
  /// Thiamin (vitamin B1) eaten.
  case thiamin
  /// Riboflavin (vitamin B2) eaten.
  case riboflavin
  /// Niacin (vitamin B3) eaten.
  case niacin
  /// Pantothenic acid (vitamin B5) eaten.
  case pantothenicAcid = "pantothenic_acid"
  /// Biotin (vitamin B7) eaten.
  case biotin
  /// Folate (vitamin B9) eaten.
  case folate
}

/// The table of metrics.
extension DailyMetric {
  var definition: MetricDefinition {
    switch self {
    // Activity.
    case .steps:
      MetricDefinition(
        .stepCount, .sum, "steps", .activity, plausible: 0...300_000,
        prometheus: "healthkit_steps_total", help: "Total number of steps taken.")
    case .activeEnergy:
      MetricDefinition(
        .activeEnergyBurned, .sum, "active energy", .activity, plausible: 0...20_000,
        prometheus: "healthkit_active_energy_burned_calories",
        help: "Total active energy burned in calories.")
    case .basalEnergy:
      MetricDefinition(
        .basalEnergyBurned, .sum, "resting energy", .activity, plausible: 300...5000,
        prometheus: "healthkit_basal_energy_burned_calories_total")
    case .exerciseMinutes:
      MetricDefinition(
        .appleExerciseTime, .sum, "exercise", .activity, plausible: 0...1500,
        table: ("Apple Exercise Time (min)", .minute))
    case .moveMinutes:
      MetricDefinition(
        .appleMoveTime, .sum, "move time", .activity, plausible: 0...1500,
        table: ("Apple Move Time (min)", .minute))
    case .standHours:
      MetricDefinition(
        .appleStandHour, .hours, in: .hour, "stand hours", .activity, plausible: 0...25)
    case .standMinutes:
      MetricDefinition(
        .appleStandTime, .sum, "stand time", .activity, plausible: 0...1500)
    case .distance:
      MetricDefinition(
        .distanceWalkingRunning, .sum, "distance on foot", .activity, plausible: 0...350_000,
        table: ("Walking + Running Distance (mi)", .mile),
        prometheus: "healthkit_distance_walking_running_meters_total")
    case .distanceCycling:
      MetricDefinition(
        .distanceCycling, .sum, "distance cycled", .activity, plausible: 0...600_000,
        prometheus: "healthkit_distance_cycling_meters_total")
    case .distanceSwimming:
      MetricDefinition(
        .distanceSwimming, .sum, "distance swum", .activity, plausible: 0...60_000,
        prometheus: "healthkit_distance_swimming_meters_total")
    case .distanceWheelchair:
      MetricDefinition(
        .distanceWheelchair, .sum, "distance by wheelchair", .activity, plausible: 0...200_000,
        prometheus: "healthkit_distance_wheelchair_meters_total")
    case .distanceDownhill:
      MetricDefinition(
        .distanceDownhillSnowSports, .sum, "distance on snow", .activity, plausible: 0...300_000,
        prometheus: "healthkit_distance_downhill_snow_sports_meters_total")
    case .distanceCrossCountrySkiing:
      MetricDefinition(
        .distanceCrossCountrySkiing, .sum, "distance skied", .activity, plausible: 0...300_000,
        prometheus: "healthkit_distance_cross_country_skiing_meters_total")
    case .distancePaddleSports:
      MetricDefinition(
        .distancePaddleSports, .sum, "distance paddled", .activity, plausible: 0...200_000,
        prometheus: "healthkit_distance_paddle_sports_meters_total")
    case .distanceRowing:
      MetricDefinition(
        .distanceRowing, .sum, "distance rowed", .activity, plausible: 0...200_000,
        prometheus: "healthkit_distance_rowing_meters_total")
    case .distanceSkatingSports:
      MetricDefinition(
        .distanceSkatingSports, .sum, "distance skated", .activity, plausible: 0...300_000,
        prometheus: "healthkit_distance_skating_sports_meters_total")
    case .flightsClimbed:
      MetricDefinition(
        .flightsClimbed, .sum, "flights climbed", .activity, plausible: 0...1000)
    case .pushes:
      MetricDefinition(
        .pushCount, .sum, "wheelchair pushes", .activity, plausible: 0...100_000)
    case .swimmingStrokes:
      MetricDefinition(
        .swimmingStrokeCount, .sum, "swimming strokes", .activity, plausible: 0...50_000)
    case .daylightMinutes:
      MetricDefinition(
        .timeInDaylight, .sum, "time in daylight", .activity, plausible: 0...1500)
    case .physicalEffort:
      MetricDefinition(
        .physicalEffort, .mean, "physical effort", .activity, plausible: 0...30)
    case .workoutEffort:
      MetricDefinition(
        .workoutEffortScore, .mean, "workout effort", .activity, plausible: 0...10)
    case .estimatedWorkoutEffort:
      MetricDefinition(
        .estimatedWorkoutEffortScore, .mean, "estimated workout effort", .activity,
        plausible: 0...10)
    case .runningSpeed:
      MetricDefinition(
        .runningSpeed, .mean, "running speed", .activity, plausible: 1...45,
        table: ("Running Speed (mi/hr)", .milePerHour))
    case .runningPower:
      MetricDefinition(
        .runningPower, .mean, "running power", .activity, plausible: 0...2000)
    case .runningStrideLength:
      MetricDefinition(
        .runningStrideLength, .mean, "running stride length", .activity, plausible: 0.1...4)
    case .runningVerticalOscillation:
      MetricDefinition(
        .runningVerticalOscillation, .mean, "running vertical oscillation", .activity,
        plausible: 0...50)
    case .runningGroundContactTime:
      MetricDefinition(
        .runningGroundContactTime, .mean, "running ground contact time", .activity,
        plausible: 50...1000)
    case .cyclingSpeed:
      MetricDefinition(
        .cyclingSpeed, .mean, "cycling speed", .activity, plausible: 1...120)
    case .cyclingPower:
      MetricDefinition(
        .cyclingPower, .mean, "cycling power", .activity, plausible: 0...2500)
    case .cyclingCadence:
      MetricDefinition(
        .cyclingCadence, .mean, "cycling cadence", .activity, plausible: 0...250)
    case .cyclingThresholdPower:
      MetricDefinition(
        .cyclingFunctionalThresholdPower, .mean, "cycling threshold power", .activity,
        plausible: 20...1000)
    case .skiingSpeed:
      MetricDefinition(
        .crossCountrySkiingSpeed, .mean, "cross-country skiing speed", .activity,
        plausible: 0.5...100)
    case .paddleSpeed:
      MetricDefinition(
        .paddleSportsSpeed, .mean, "paddling speed", .activity, plausible: 0.5...50)
    case .rowingSpeed:
      MetricDefinition(
        .rowingSpeed, .mean, "rowing speed", .activity, plausible: 0.5...50)
    case .underwaterDepth:
      MetricDefinition(
        .underwaterDepth, .greatest, "greatest depth under water", .activity, plausible: 0...350)
    case .waterTemperature:
      MetricDefinition(
        .waterTemperature, .mean, "water temperature", .activity, plausible: 0...45)
    case .nikeFuel: MetricDefinition(.nikeFuel, .sum, "NikeFuel", .activity, plausible: 0...50_000)
    // Walking.
    case .walkingSpeed:
      MetricDefinition(
        .walkingSpeed, .mean, "walking speed", .walking, plausible: 0.1...15)
    case .walkingStepLength:
      MetricDefinition(
        .walkingStepLength, .mean, "step length", .walking, plausible: 10...200)
    case .walkingAsymmetry:
      MetricDefinition(
        .walkingAsymmetryPercentage, .mean, "walking asymmetry", .walking, plausible: 0...100)
    case .walkingDoubleSupport:
      MetricDefinition(
        .walkingDoubleSupportPercentage, .mean, "double support", .walking, plausible: 0...100)
    case .walkingSteadiness:
      MetricDefinition(
        .appleWalkingSteadiness, .mean, "walking steadiness", .walking, plausible: 0...100)
    case .stairSpeedUp:
      MetricDefinition(
        .stairAscentSpeed, .mean, "stair speed up", .walking, plausible: 0.01...5)
    case .stairSpeedDown:
      MetricDefinition(
        .stairDescentSpeed, .mean, "stair speed down", .walking, plausible: 0.01...5)
    case .sixMinuteWalk:
      MetricDefinition(
        .sixMinuteWalkTestDistance, .mean, "six-minute walk", .walking, plausible: 10...1500)
    case .falls:
      MetricDefinition(
        .numberOfTimesFallen, .entries, "falls", .walking, plausible: 0...100)
    // Heart.
    case .restingHeartRate:
      MetricDefinition(
        .restingHeartRate, .mean, "resting heart rate", .heart, plausible: 20...200,
        table: ("Resting Heart Rate (bpm)", .countPerMinute),
        prometheus: "healthkit_resting_heart_rate_bpm")
    case .restingHeartRateLatest: MetricDefinition(latestOf: .restingHeartRate)
    case .restingHeartRateLatestTime: MetricDefinition(timeOf: .restingHeartRate)
    case .walkingHeartRate:
      MetricDefinition(
        .walkingHeartRateAverage, .mean, "walking heart rate", .heart, plausible: 30...220,
        table: ("Walking Heart Rate Average (bpm)", .countPerMinute),
        prometheus: "healthkit_walking_heart_rate_bpm")
    case .heartRateMinimum:
      MetricDefinition(
        .heartRate, .least, "lowest heart rate", .heart, plausible: 20...220,
        table: ("Heart Rate [Min] (bpm)", .countPerMinute))
    case .heartRateMaximum:
      MetricDefinition(
        .heartRate, .greatest, "highest heart rate", .heart, plausible: 30...300,
        table: ("Heart Rate [Max] (bpm)", .countPerMinute))
    case .heartRateMean:
      MetricDefinition(
        .heartRate, .mean, "mean heart rate", .heart, plausible: 20...250,
        table: ("Heart Rate [Avg] (bpm)", .countPerMinute))
    case .heartRateVariability:
      MetricDefinition(
        .heartRateVariabilitySDNN, .mean, "heart rate variability", .heart, plausible: 1...500,
        table: ("Heart Rate Variability (ms)", .millisecond),
        prometheus: "healthkit_hrv_sdnn_ms")
    case .heartRateRecovery:
      MetricDefinition(
        .heartRateRecoveryOneMinute, .mean, "heart rate recovery", .heart, plausible: 0...150)
    case .atrialFibrillationBurden:
      MetricDefinition(
        .atrialFibrillationBurden, .mean, "atrial fibrillation burden", .heart, plausible: 0...100)
    case .bloodPressureSystolic:
      MetricDefinition(
        .bloodPressureSystolic, .mean, "systolic blood pressure", .heart, plausible: 50...300,
        prometheus: "healthkit_blood_pressure_systolic_mmhg")
    case .bloodPressureDiastolic:
      MetricDefinition(
        .bloodPressureDiastolic, .mean, "diastolic blood pressure", .heart, plausible: 20...200,
        prometheus: "healthkit_blood_pressure_diastolic_mmhg")
    case .bloodPressureSystolicLatest: MetricDefinition(latestOf: .bloodPressureSystolic)
    case .bloodPressureDiastolicLatest: MetricDefinition(latestOf: .bloodPressureDiastolic)
    case .bloodPressureLatestTime:
      MetricDefinition(timeOf: .bloodPressureSystolic, "blood pressure")
    case .perfusionIndex:
      MetricDefinition(
        .peripheralPerfusionIndex, .mean, "perfusion index", .heart, plausible: 0...100)
    case .vo2Max:
      MetricDefinition(
        .vo2Max, .mean, "VO2 max", .heart, plausible: 5...100,
        table: ("VO2 Max (ml/(kg·min))", .oxygenUptake),
        prometheus: "healthkit_vo2_max_ml_per_kg_min")
    case .vo2MaxLatest: MetricDefinition(latestOf: .vo2Max)
    case .vo2MaxLatestTime: MetricDefinition(timeOf: .vo2Max)
    // Breath, blood and temperature.
    case .respiratoryRate:
      MetricDefinition(
        .respiratoryRate, .mean, "respiratory rate", .vitals, plausible: 4...60,
        prometheus: "healthkit_respiratory_rate_breaths_per_minute")
    case .oxygenSaturation:
      MetricDefinition(
        .oxygenSaturation, .mean, "oxygen saturation", .vitals, plausible: 50...100,
        prometheus: "healthkit_oxygen_saturation_percent")
    case .oxygenSaturationLatest: MetricDefinition(latestOf: .oxygenSaturation)
    case .oxygenSaturationLatestTime: MetricDefinition(timeOf: .oxygenSaturation)
    case .bloodGlucose:
      MetricDefinition(
        .bloodGlucose, .mean, "blood glucose", .vitals, plausible: 20...600,
        prometheus: "healthkit_blood_glucose_mg_dl")
    case .bloodGlucoseLatest: MetricDefinition(latestOf: .bloodGlucose)
    case .bloodGlucoseLatestTime: MetricDefinition(timeOf: .bloodGlucose)
    case .insulin:
      MetricDefinition(
        .insulinDelivery, .entries, "insulin", .vitals, plausible: 0...500)
    case .bodyTemperature:
      MetricDefinition(
        .bodyTemperature, .mean, "body temperature", .vitals, plausible: 30...44)
    case .bodyTemperatureLatest: MetricDefinition(latestOf: .bodyTemperature)
    case .bodyTemperatureLatestTime: MetricDefinition(timeOf: .bodyTemperature)
    case .basalBodyTemperature:
      MetricDefinition(
        .basalBodyTemperature, .mean, "basal body temperature", .vitals, plausible: 30...44)
    case .basalBodyTemperatureLatest: MetricDefinition(latestOf: .basalBodyTemperature)
    case .basalBodyTemperatureLatestTime: MetricDefinition(timeOf: .basalBodyTemperature)
    case .forcedVitalCapacity:
      MetricDefinition(
        .forcedVitalCapacity, .mean, "forced vital capacity", .vitals, plausible: 0.1...12)
    case .forcedExpiratoryVolume:
      MetricDefinition(
        .forcedExpiratoryVolume1, .mean, "forced expiratory volume", .vitals, plausible: 0.1...10)
    case .peakExpiratoryFlow:
      MetricDefinition(
        .peakExpiratoryFlowRate, .mean, "peak expiratory flow", .vitals, plausible: 20...1200)
    case .inhalerUses:
      MetricDefinition(
        .inhalerUsage, .entries, "inhaler uses", .vitals, plausible: 0...100)
    case .bloodAlcohol:
      MetricDefinition(
        .bloodAlcoholContent, .mean, "blood alcohol", .vitals, plausible: 0...1)
    case .electrodermalActivity:
      MetricDefinition(
        .electrodermalActivity, .mean, "electrodermal activity", .vitals, plausible: 0...100)

    // Sleep and rest.
    case .sleepAsleep:
      MetricDefinition(
        .sleepAnalysis, .night(.asleep), "asleep", .sleep, plausible: 0...1500,
        table: ("Sleep Analysis [Asleep] (hr)", .hour), prometheus: "healthkit_sleep_minutes_total")
    case .sleepInBed:
      MetricDefinition(
        .sleepAnalysis, .night(.value(.inBed)), "in bed", .sleep, plausible: 0...1500,
        table: ("Sleep Analysis [In Bed] (hr)", .hour))
    case .sleepCore:
      MetricDefinition(
        .sleepAnalysis, .night(.value(.asleepCore)), "core sleep", .sleep, plausible: 0...1500,
        table: ("Sleep Analysis [Core] (hr)", .hour))
    case .sleepDeep:
      MetricDefinition(
        .sleepAnalysis, .night(.value(.asleepDeep)), "deep sleep", .sleep, plausible: 0...1500,
        table: ("Sleep Analysis [Deep] (hr)", .hour))
    case .sleepREM:
      MetricDefinition(
        .sleepAnalysis, .night(.value(.asleepREM)), "REM sleep", .sleep, plausible: 0...1500,
        table: ("Sleep Analysis [REM] (hr)", .hour))
    case .sleepAwake:
      MetricDefinition(
        .sleepAnalysis, .night(.value(.awake)), "awake at night", .sleep, plausible: 0...1500,
        table: ("Sleep Analysis [Awake] (hr)", .hour))
    case .wristTemperature:
      MetricDefinition(
        .appleSleepingWristTemperature, .mean, "wrist temperature", .sleep, plausible: 25...42)
    case .breathingDisturbances:
      MetricDefinition(
        .appleSleepingBreathingDisturbances, .mean, "breathing disturbances", .sleep,
        plausible: 0...200)
    case .mindfulMinutes:
      MetricDefinition(
        .mindfulSession, .duration, "mindful time", .sleep, plausible: 0...1500,
        table: ("Mindful Minutes (min)", .minute))
    // Body.
    case .weight:
      MetricDefinition(
        .bodyMass, .mean, "weight", .body, plausible: 1...700,
        table: ("Weight/Body Mass (lb)", .pound), prometheus: "healthkit_body_weight_kg",
        help: "Latest recorded body weight in kilograms.")
    case .weightLatest: MetricDefinition(latestOf: .weight)
    case .weightLatestTime: MetricDefinition(timeOf: .weight)
    case .leanMass:
      MetricDefinition(
        .leanBodyMass, .mean, "lean body mass", .body, plausible: 1...300,
        table: ("Lean Body Mass (lb)", .pound))
    case .leanMassLatest: MetricDefinition(latestOf: .leanMass)
    case .leanMassLatestTime: MetricDefinition(timeOf: .leanMass)
    case .bodyFat:
      MetricDefinition(
        .bodyFatPercentage, .mean, "body fat", .body, plausible: 1...90,
        table: ("Body Fat Percentage (%)", .percent), prometheus: "healthkit_body_fat_percent")
    case .bodyFatLatest: MetricDefinition(latestOf: .bodyFat)
    case .bodyFatLatestTime: MetricDefinition(timeOf: .bodyFat)
    case .bodyMassIndex:
      MetricDefinition(
        .bodyMassIndex, .mean, "body mass index", .body, plausible: 5...200,
        table: ("Body Mass Index (count)", .count), prometheus: "healthkit_body_mass_index")
    case .bodyMassIndexLatest: MetricDefinition(latestOf: .bodyMassIndex)
    case .bodyMassIndexLatestTime: MetricDefinition(timeOf: .bodyMassIndex)
    case .waist:
      MetricDefinition(
        .waistCircumference, .mean, "waist", .body, plausible: 20...400,
        table: ("Waist Circumference (in)", .inch))
    case .waistLatest: MetricDefinition(latestOf: .waist)
    case .waistLatestTime: MetricDefinition(timeOf: .waist)
    case .height: MetricDefinition(.height, .mean, "height", .body, plausible: 20...280)
    case .heightLatest: MetricDefinition(latestOf: .height)
    case .heightLatestTime: MetricDefinition(timeOf: .height)
    // Sound and sun.
    case .environmentalSound:
      MetricDefinition(
        .environmentalAudioExposure, .level, "environmental sound", .surroundings,
        plausible: 0...160)
    case .headphoneSound:
      MetricDefinition(
        .headphoneAudioExposure, .level, "headphone sound", .surroundings, plausible: 0...160)
    case .soundReduction:
      MetricDefinition(
        .environmentalSoundReduction, .level, "sound reduction", .surroundings, plausible: 0...60)
    case .uvIndex:
      MetricDefinition(
        .uvExposure, .greatest, "UV index", .surroundings, plausible: 0...25)
    // Nutrition.
    case .dietaryEnergy:
      MetricDefinition(
        .dietaryEnergyConsumed, .entries, "energy eaten", .nutrition, plausible: 0...20_000,
        table: ("Dietary Energy (kcal)", .kilocalorie),
        prometheus: "healthkit_dietary_energy_calories_total")
    case .carbohydrates:
      MetricDefinition(
        .dietaryCarbohydrates, .entries, "carbohydrates", .nutrition, plausible: 0...3000,
        table: ("Carbohydrates (g)", .gram))
    case .sugar: MetricDefinition(.dietarySugar, .entries, "sugar", .nutrition, plausible: 0...2000)
    case .fiber:
      MetricDefinition(
        .dietaryFiber, .entries, "fibre", .nutrition, plausible: 0...500,
        table: ("Fiber (g)", .gram))
    case .protein:
      MetricDefinition(
        .dietaryProtein, .entries, "protein", .nutrition, plausible: 0...1000,
        table: ("Protein (g)", .gram))
    case .fat:
      MetricDefinition(
        .dietaryFatTotal, .entries, "fat", .nutrition, plausible: 0...1500,
        table: ("Total Fat (g)", .gram))
    case .fatSaturated:
      MetricDefinition(
        .dietaryFatSaturated, .entries, "saturated fat", .nutrition, plausible: 0...1000)
    case .fatMonounsaturated:
      MetricDefinition(
        .dietaryFatMonounsaturated, .entries, "monounsaturated fat", .nutrition,
        plausible: 0...1000)
    case .fatPolyunsaturated:
      MetricDefinition(
        .dietaryFatPolyunsaturated, .entries, "polyunsaturated fat", .nutrition,
        plausible: 0...1000)
    case .cholesterol:
      MetricDefinition(
        .dietaryCholesterol, .entries, "cholesterol", .nutrition, plausible: 0...10_000)
    case .water:
      MetricDefinition(
        .dietaryWater, .entries, "water", .nutrition, plausible: 0...20_000)
    case .caffeine:
      MetricDefinition(
        .dietaryCaffeine, .entries, "caffeine", .nutrition, plausible: 0...3000)
    case .alcoholicDrinks:
      MetricDefinition(
        .numberOfAlcoholicBeverages, .entries, "alcoholic drinks", .nutrition, plausible: 0...100)
    case .sodium:
      MetricDefinition(
        .dietarySodium, .entries, "sodium", .nutrition, plausible: 0...100_000)
    case .potassium:
      MetricDefinition(
        .dietaryPotassium, .entries, "potassium", .nutrition, plausible: 0...100_000)
    case .calcium:
      MetricDefinition(
        .dietaryCalcium, .entries, "calcium", .nutrition, plausible: 0...50_000)
    case .iron: MetricDefinition(.dietaryIron, .entries, "iron", .nutrition, plausible: 0...5000)
    case .magnesium:
      MetricDefinition(
        .dietaryMagnesium, .entries, "magnesium", .nutrition, plausible: 0...50_000)
    case .zinc: MetricDefinition(.dietaryZinc, .entries, "zinc", .nutrition, plausible: 0...5000)
    case .phosphorus:
      MetricDefinition(
        .dietaryPhosphorus, .entries, "phosphorus", .nutrition, plausible: 0...50_000)
    case .chloride:
      MetricDefinition(
        .dietaryChloride, .entries, "chloride", .nutrition, plausible: 0...100_000)
    case .copper:
      MetricDefinition(
        .dietaryCopper, .entries, "copper", .nutrition, plausible: 0...1000)
    case .manganese:
      MetricDefinition(
        .dietaryManganese, .entries, "manganese", .nutrition, plausible: 0...5000)
    case .iodine:
      MetricDefinition(
        .dietaryIodine, .entries, "iodine", .nutrition, plausible: 0...100_000)
    case .selenium:
      MetricDefinition(
        .dietarySelenium, .entries, "selenium", .nutrition, plausible: 0...100_000)
    case .chromium:
      MetricDefinition(
        .dietaryChromium, .entries, "chromium", .nutrition, plausible: 0...100_000)
    case .molybdenum:
      MetricDefinition(
        .dietaryMolybdenum, .entries, "molybdenum", .nutrition, plausible: 0...100_000)
    case .vitaminA:
      MetricDefinition(
        .dietaryVitaminA, .entries, "vitamin A", .nutrition, plausible: 0...100_000)
    case .vitaminB6:
      MetricDefinition(
        .dietaryVitaminB6, .entries, "vitamin B6", .nutrition, plausible: 0...5000)
    case .vitaminB12:
      MetricDefinition(
        .dietaryVitaminB12, .entries, "vitamin B12", .nutrition, plausible: 0...100_000)
    case .vitaminC:
      MetricDefinition(
        .dietaryVitaminC, .entries, "vitamin C", .nutrition, plausible: 0...100_000)
    case .vitaminD:
      MetricDefinition(
        .dietaryVitaminD, .entries, "vitamin D", .nutrition, plausible: 0...100_000)
    case .vitaminE:
      MetricDefinition(
        .dietaryVitaminE, .entries, "vitamin E", .nutrition, plausible: 0...10_000)
    case .vitaminK:
      MetricDefinition(
        .dietaryVitaminK, .entries, "vitamin K", .nutrition, plausible: 0...100_000)
    case .thiamin:
      MetricDefinition(
        .dietaryThiamin, .entries, "thiamin", .nutrition, plausible: 0...10_000)
    case .riboflavin:
      MetricDefinition(
        .dietaryRiboflavin, .entries, "riboflavin", .nutrition, plausible: 0...10_000)
    case .niacin:
      MetricDefinition(
        .dietaryNiacin, .entries, "niacin", .nutrition, plausible: 0...10_000)
    case .pantothenicAcid:
      MetricDefinition(
        .dietaryPantothenicAcid, .entries, "pantothenic acid", .nutrition, plausible: 0...10_000)
    case .biotin:
      MetricDefinition(
        .dietaryBiotin, .entries, "biotin", .nutrition, plausible: 0...100_000)
    case .folate:
      MetricDefinition(
        .dietaryFolate, .entries, "folate", .nutrition, plausible: 0...100_000)
    }
  }
}
