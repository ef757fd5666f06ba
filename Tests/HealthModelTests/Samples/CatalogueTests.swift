import HealthModel
import Testing

/// The catalogue, held against what it was written from.
@Suite(.unit) struct CatalogueTests {
  /// Metrics that other programs know too: HealthKit's identifier without what all begin with, and
  /// how they make a day of its samples.
  private static let known: [(DailyMetric, String, DailyAggregation)] = [
    (.exerciseMinutes, "AppleExerciseTime", .sum), (.moveMinutes, "AppleMoveTime", .sum),
    (.bodyFat, "BodyFatPercentage", .mean), (.bodyMassIndex, "BodyMassIndex", .mean),
    (.carbohydrates, "DietaryCarbohydrates", .entries),
    (.dietaryEnergy, "DietaryEnergyConsumed", .entries), (.fiber, "DietaryFiber", .entries),
    (.protein, "DietaryProtein", .entries), (.fat, "DietaryFatTotal", .entries),
    (.heartRateMinimum, "HeartRate", .least), (.heartRateMaximum, "HeartRate", .greatest),
    (.heartRateMean, "HeartRate", .mean),
    (.heartRateVariability, "HeartRateVariabilitySDNN", .mean),
    (.leanMass, "LeanBodyMass", .mean), (.mindfulMinutes, "MindfulSession", .duration),
    (.restingHeartRate, "RestingHeartRate", .mean), (.runningSpeed, "RunningSpeed", .mean),
    (.sleepAsleep, "SleepAnalysis", .night(.asleep)),
    (.sleepInBed, "SleepAnalysis", .night(.value(.inBed))),
    (.sleepCore, "SleepAnalysis", .night(.value(.asleepCore))),
    (.sleepDeep, "SleepAnalysis", .night(.value(.asleepDeep))),
    (.sleepREM, "SleepAnalysis", .night(.value(.asleepREM))),
    (.sleepAwake, "SleepAnalysis", .night(.value(.awake))), (.vo2Max, "VO2Max", .mean),
    (.waist, "WaistCircumference", .mean), (.distance, "DistanceWalkingRunning", .sum),
    (.walkingHeartRate, "WalkingHeartRateAverage", .mean), (.weight, "BodyMass", .mean),
    (.steps, "StepCount", .sum), (.activeEnergy, "ActiveEnergyBurned", .sum),
    (.standHours, "AppleStandHour", .hours),
  ]

  @Test func `the metrics that others know are made of the same records in the same way`() {
    #expect(
      Set(Self.known.map(\.0)).isSuperset(of: DailyMetric.allCases.filter(\.hasGivenRecordType)))
    for (metric, name, aggregation) in Self.known {
      #expect(metric.kind.identifier.dropFirst(24) == name, "\(metric)")
      #expect(metric.aggregation == aggregation, "\(metric)")
    }
  }

  @Test func `no two metrics are the same number`() {
    for metric in DailyMetric.allCases {
      let same = DailyMetric.allCases.filter {
        ($0.kind, $0.aggregation) == (metric.kind, metric.aggregation)
      }
      #expect(same == [metric])
    }
  }

  /// The names in the server of the app's author (`PayloadNames.Source.server`), by HealthKit's types without
  /// what all of these begin with.
  private static let namesOfTheServer = """
    ActiveEnergyBurned active_energy, BasalEnergyBurned basal_energy_burned, AppleExerciseTime \
    apple_exercise_time, AppleMoveTime apple_move_time, AppleStandTime apple_stand_time, AppleStandHour \
    apple_stand_hour, DistanceCycling cycling_distance, DistanceDownhillSnowSports downhill_snow_sports, \
    DistanceSwimming swimming_distance, DistanceWalkingRunning walking_running_distance, \
    DistanceWheelchair wheelchair_distance, FlightsClimbed flights_climbed, PushCount \
    wheelchair_push_count, SwimmingStrokeCount swim_stroke_count, VO2Max vo2_max, PhysicalEffort \
    physical_effort, StepCount step_count, CyclingCadence cycling_cadence, \
    CyclingFunctionalThresholdPower cycling_functional_threshold_power, CyclingPower cycling_power, \
    CyclingSpeed cycling_speed, RunningPower running_power, RunningSpeed running_speed, \
    RunningGroundContactTime running_ground_contact_time, RunningStrideLength running_stride_length, \
    RunningVerticalOscillation running_vertical_oscillation, Height height, BodyMass weight_body_mass, \
    WaistCircumference waist_circumference, BodyFatPercentage body_fat_percentage, BodyMassIndex \
    body_mass_index, LeanBodyMass lean_body_mass, HeartRate heart_rate, RestingHeartRate \
    resting_heart_rate, HeartRateVariabilitySDNN heart_rate_variability, HeartRateRecoveryOneMinute \
    cardio_recovery, WalkingHeartRateAverage walking_heart_rate, AtrialFibrillationBurden \
    atrial_fibrillation_burden, WalkingSpeed walking_speed, WalkingStepLength walking_step_length, \
    WalkingAsymmetryPercentage walking_asymmetry_percentage, WalkingDoubleSupportPercentage \
    walking_double_support_percentage, SixMinuteWalkTestDistance six_minute_walking_test_distance, \
    StairAscentSpeed stair_speed_up, StairDescentSpeed stair_speed_down, RespiratoryRate \
    respiratory_rate, ForcedExpiratoryVolume1 forced_expiratory_volume, ForcedVitalCapacity \
    forced_vital_capacity, OxygenSaturation blood_oxygen_saturation, PeripheralPerfusionIndex \
    peripheral_perfusion_index, PeakExpiratoryFlowRate peak_expiratory_flow_rate, InhalerUsage \
    inhaler_usage, BodyTemperature body_temperature, BasalBodyTemperature basal_body_temperature, \
    UnderwaterDepth under_water_depth, WaterTemperature under_water_temperature, UVExposure \
    uv_exposure, TimeInDaylight time_in_daylight, EnvironmentalAudioExposure environmental_audio, \
    HeadphoneAudioExposure headphone_audio, MindfulSession mindful_minutes, ElectrodermalActivity \
    electrodermal_activity, SleepAnalysis sleep_analysis, AppleSleepingWristTemperature \
    apple_sleeping_wrist_temperature, AppleSleepingBreathingDisturbances breathing_disturbances, \
    InsulinDelivery insulin_delivery, BloodGlucose blood_glucose, DietaryEnergyConsumed \
    dietary_energy, DietaryWater dietary_water, DietarySugar dietary_sugar, DietaryCholesterol \
    cholesterol, DietaryCarbohydrates carbohydrates, DietaryBiotin biotin, DietaryCaffeine caffeine, \
    DietaryCalcium calcium, DietaryChloride chloride, DietaryChromium chromium, DietaryCopper copper, \
    DietaryFiber fiber, DietaryFolate folate, DietaryIodine iodine, DietaryIron iron, \
    DietaryMagnesium magnesium, DietaryManganese manganese, DietaryMolybdenum molybdenum, \
    DietaryFatMonounsaturated monosaturated_fat, DietaryNiacin niacin, DietaryPantothenicAcid \
    pantothenic_acid, DietaryFatPolyunsaturated polyunsaturated_fat, DietaryPotassium potassium, \
    DietaryProtein protein, DietaryRiboflavin riboflavin, DietaryFatSaturated saturated_fat, \
    DietarySelenium selenium, DietarySodium sodium, DietaryThiamin thiamin, DietaryFatTotal total_fat, \
    DietaryVitaminA vitamin_a, DietaryVitaminB6 vitamin_b6, DietaryVitaminB12 vitamin_b12, \
    DietaryVitaminC vitamin_c, DietaryVitaminD vitamin_d, DietaryVitaminE vitamin_e, DietaryVitaminK \
    vitamin_k, DietaryZinc zinc, BloodAlcoholContent blood_alcohol_content, NumberOfTimesFallen \
    number_of_time_fallen, NumberOfAlcoholicBeverages number_of_alcoholic_beverages
    """

  @Test func `R55: each name in the server of the app's author leads to HealthKit's type`() {
    let rows = Self.namesOfTheServer.split(separator: ",").map { $0.split(separator: " ") }
    #expect(rows.count == 108 && rows.allSatisfy { $0.count == 2 })
    for row in rows {
      let kind = PayloadName.kinds[PayloadName(String(row[1]))]
      #expect(kind.map { String($0.identifier.dropFirst(24)) } == String(row[0]))
    }
    // What that server knows besides makes no number of a day.
    for name in ["sexual_activity", "handwashing", "toothbrushing"] {
      #expect(PayloadName.kinds[PayloadName(name)] == nil)
    }
  }

  @Test func `R55: each name of a payload leads to its kind, and which kinds have none`() {
    for kind in SampleKind.allCases {
      for name in kind.payloadNames { #expect(PayloadName.kinds[PayloadName(name)] == kind) }
    }
    // Both pressures stand in one row, and the app sends no scores of effort.
    let nameless = SampleKind.allCases.filter(\.payloadNames.isEmpty)
    #expect(
      nameless == [
        .bloodPressureSystolic, .bloodPressureDiastolic, .workoutEffortScore,
        .estimatedWorkoutEffortScore,
      ])
    for (name, kind) in [
      ("Downhill Snow Sports Distance", SampleKind.distanceDownhillSnowSports),
      ("under_water_depth", .underwaterDepth), ("VO2 Max", .vo2Max),
      ("Dietary Water", .dietaryWater),
      ("HKQuantityTypeIdentifierBodyMass", .bodyMass),
      ("distance_walking_running", .distanceWalkingRunning),
      ("dietary_biotin", .dietaryBiotin),
    ] {
      #expect(PayloadName.kinds[PayloadName(name)] == kind)
    }
    // Another measure of the same thing is not the same metric.
    #expect(PayloadName.kinds[PayloadName("heart_rate_variability_rmssd")] == nil)
  }

  @Test(arguments: SampleKind.allCases)
  func `every kind has a name of its own and makes a metric`(kind: SampleKind) {
    #expect(SampleKind.allCases.filter { $0.identifier == kind.identifier } == [kind])
    #expect(DailyMetric.allCases.contains { $0.kind == kind })
    for name in kind.payloadNames {
      #expect(SampleKind.allCases.filter { $0.payloadNames.contains(name) } == [kind])
    }
    #expect(
      kind.identifier.hasPrefix(
        kind.isCategory ? "HKCategoryTypeIdentifier" : "HKQuantityTypeIdentifier"))
  }

  @Test(arguments: DailyMetric.allCases)
  func `samples in the kind's own unit count as they are, in no unit only those of a category`(
    metric: DailyMetric
  ) {
    #expect(
      metric.kind.counted(7.5, in: metric.kind.unit) == 7.5)
    #expect(metric.kind.counted(7.5, in: .none) == (metric.kind.isCategory ? 7.5 : nil))
    #expect(metric.kind.counted(7.5, in: .unknown) == nil)
    #expect(metric.unit != .none && metric.unit != .unknown)
    if !metric.kind.isCategory, metric.aggregation != .latestTime {
      #expect(metric.unit == metric.kind.unit)
    }
  }
}

/// Conversions of units, worked out by hand.
@Suite(.unit) struct SampleUnitTests {
  @Test(arguments: [
    (1.0, SampleUnit.kilojoule, SampleUnit.kilocalorie, 1 / 4.184),
    (250, .smallCalorie, .kilocalorie, 0.25), (3, .largeCalorie, .kilocalorie, 3),
    (90, .second, .minute, 1.5), (2, .hour, .minute, 120), (30_000, .millisecond, .minute, 0.5),
    (0.04, .second, .millisecond, 40), (1.5, .countPerSecond, .countPerMinute, 90),
    (10, .stone, .kilogram, 63.5029318), (1, .pound, .gram, 453.59237),
    (16, .ounce, .pound, 1), (2500, .milligram, .gram, 2.5), (1, .inch, .centimetre, 2.54),
    (6, .foot, .metre, 1.8288), (1760, .yard, .mile, 1), (1.2, .kilometre, .metre, 1200),
    (3.6, .kilometrePerHour, .metrePerSecond, 1), (1, .milePerHour, .kilometrePerHour, 1.609344),
    (98.6, .degreeFahrenheit, .degreeCelsius, 37), (-40, .degreeCelsius, .degreeFahrenheit, -40),
    (300, .kelvin, .degreeCelsius, 26.85), (1, .kilopascal, .millimetreOfMercury, 7.5006157585),
    (5.5, .millimolePerLitre, .milligramPerDecilitre, 99.085734), (2, .litre, .millilitre, 2000),
    (8, .fluidOunce, .cup, 1), (20, .imperialFluidOunce, .imperialPint, 1),
    (1500, .microgram, .milligram, 1.5),
  ])
  func `a number in one unit is one in the other, there and back`(
    number: Double, from: SampleUnit, to: SampleUnit, expected: Double
  ) throws {
    let converted = try #require(from.convert(number, to: to))
    #expect(abs(converted - expected) <= 1e-9 * abs(expected))
    let back = try #require(to.convert(converted, to: from))
    #expect(abs(back - number) <= 1e-12 * max(1, abs(number)))
    if let factor = from.factor(to: to) {
      #expect(abs(number * factor - converted) <= 4 * converted.ulp)
    }
  }

  @Test(arguments: SampleUnit.allCases)
  func `a unit is itself, and converts into what measures the same and nothing else`(
    unit: SampleUnit
  ) {
    let means = unit != .none && unit != .unknown
    #expect(unit.factor(to: unit) == (means ? 1 : nil))
    for other in SampleUnit.allCases {
      #expect((unit.factor(to: other) == nil) == (other.factor(to: unit) == nil))
    }
    #expect(SampleUnit.degreeCelsius.factor(to: .degreeFahrenheit) == nil)
    #expect(SampleUnit.gram.factor(to: .metre) == nil)
    #expect(SampleUnit.count.factor(to: .percent) == nil)
    #expect(SampleUnit.second.factor(to: .countPerSecond) == nil)
  }
}

/// Identities that stay the same over exports, against Python's `uuid.uuid5` (R45).
@Suite(.unit) struct SampleIdentityTests {
  private let weight = SampleIdentity(
    type: "HKQuantityTypeIdentifierBodyMass", source: "Scale", hardware: "",
    start: 1_700_000_000, end: 1_700_000_000, value: "80.5", unit: "kg")

  @Test func `R45: an identity is the UUID of version 5 that Python makes of the same parts`() {
    // uuid.uuid5(namespace, "\x1f".join(parts)), the second with a name of over 64 bytes.
    #expect(weight.uuid == "ac13cef1-1d24-5d84-b61e-dcdc1f6c1238")
    var other = weight
    (other.source, other.hardware) = ("Anna’s Apple Watch", "Watch6,2")
    #expect(other.uuid == "d08aa65d-19d7-5d39-a582-4ef4ea8e2aa8")
  }

  @Test func `R45: whatever differs in one part has another identity`() {
    var all = [weight]
    for change: (inout SampleIdentity) -> Void in [
      { $0.type += "2" }, { $0.source = "scale" }, { $0.hardware = "Scale1,1" }, { $0.start += 1 },
      { $0.end += 1 }, { $0.value = "80.50" }, { $0.unit = "lb" },
      { ($0.value, $0.unit) = ("", "80.5kg") },
    ] {
      var changed = weight
      change(&changed)
      all.append(changed)
    }
    #expect(Set(all.map(\.uuid)).count == all.count)
    #expect(all.allSatisfy { $0.uuid.count == 36 && $0.uuid.dropFirst(14).first == "5" })
  }
}
