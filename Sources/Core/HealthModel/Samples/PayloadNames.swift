/// The names of metrics in payloads of Health Auto Export, the usual one first (R55), each with where
/// it was found.
///
/// The app has renamed some of them over the years. Of a name, case and what stands between its words make
/// no difference (`PayloadName`).
enum PayloadNames {
  /// Where a name was found.
  enum Source {
    /// The list of names in the server of the app's author: HealthyApps/health-auto-export-server,
    /// server/src/models/MetricName.ts.
    case server
    /// As the app shows it, with `_` between the words.
    case shown
    /// Payloads of the app that people have shown, and programs that read them.
    case seen
  }

  static let all: [SampleKind: [(name: String, source: Source)]] = [
    .stepCount: [("step_count", .server)],
    .activeEnergyBurned: [("active_energy", .server)],
    .appleExerciseTime: [("apple_exercise_time", .server)],
    .appleMoveTime: [("apple_move_time", .server)],
    .appleStandHour: [("apple_stand_hour", .server)],
    .restingHeartRate: [("resting_heart_rate", .server)],
    .heartRateVariabilitySDNN: [("heart_rate_variability", .server)],
    .sleepAnalysis: [("sleep_analysis", .server)],
    .heartRate: [("heart_rate", .server)],
    .walkingHeartRateAverage: [
      ("walking_heart_rate_average", .seen),
      ("walking_heart_rate", .server),
    ],
    .distanceWalkingRunning: [("walking_running_distance", .server), ("walk_run_distance", .seen)],
    .runningSpeed: [("running_speed", .server)],
    .bodyMass: [("weight_body_mass", .server)],
    .leanBodyMass: [("lean_body_mass", .server)],
    .bodyFatPercentage: [("body_fat_percentage", .server)],
    .bodyMassIndex: [("body_mass_index", .server)],
    .waistCircumference: [("waist_circumference", .server)],
    .vo2Max: [("vo2_max", .server), ("vo2max", .seen)],
    .dietaryEnergyConsumed: [("dietary_energy", .server)],
    .dietaryCarbohydrates: [("carbohydrates", .server)],
    .dietaryProtein: [("protein", .server)],
    .dietaryFatTotal: [("total_fat", .server)],
    .dietaryFiber: [("fiber", .server)],
    .mindfulSession: [("mindful_minutes", .server)],
    .basalEnergyBurned: [
      ("basal_energy_burned", .server), ("resting_energy", .shown), ("basal_energy", .seen),
    ],
    .appleStandTime: [("apple_stand_time", .server)],
    .flightsClimbed: [("flights_climbed", .server)],
    .distanceCycling: [("cycling_distance", .server)],
    .distanceSwimming: [("swimming_distance", .server)],
    .distanceWheelchair: [("wheelchair_distance", .server)],
    .distanceDownhillSnowSports: [
      ("distance_downhill_snow_sports", .seen),
      ("downhill_snow_sports", .server),
      ("downhill_snow_sports_distance", .shown),
    ],
    .pushCount: [("push_count", .seen), ("wheelchair_push_count", .server)],
    .swimmingStrokeCount: [("swimming_stroke_count", .shown), ("swim_stroke_count", .server)],
    .timeInDaylight: [("time_in_daylight", .server)],
    .physicalEffort: [("physical_effort", .server)],
    .runningPower: [("running_power", .server)],
    .runningStrideLength: [("running_stride_length", .server)],
    .runningVerticalOscillation: [("running_vertical_oscillation", .server)],
    .runningGroundContactTime: [("running_ground_contact_time", .server)],
    .cyclingSpeed: [("cycling_speed", .server)],
    .cyclingPower: [("cycling_power", .server)],
    .cyclingCadence: [("cycling_cadence", .server)],
    .walkingSpeed: [("walking_speed", .server)],
    .walkingStepLength: [("walking_step_length", .server)],
    .walkingAsymmetryPercentage: [("walking_asymmetry_percentage", .server)],
    .walkingDoubleSupportPercentage: [("walking_double_support_percentage", .server)],
    .appleWalkingSteadiness: [("walking_steadiness", .seen), ("apple_walking_steadiness", .seen)],
    .stairAscentSpeed: [("stair_speed_up", .server)],
    .stairDescentSpeed: [("stair_speed_down", .server)],
    .sixMinuteWalkTestDistance: [("six_minute_walking_test_distance", .server)],
    .numberOfTimesFallen: [("number_of_times_fallen", .shown), ("number_of_time_fallen", .server)],
    .heartRateRecoveryOneMinute: [("cardio_recovery", .server)],
    .atrialFibrillationBurden: [("atrial_fibrillation_burden", .server)],
    .peripheralPerfusionIndex: [("peripheral_perfusion_index", .server)],
    .respiratoryRate: [("respiratory_rate", .server)],
    .oxygenSaturation: [("blood_oxygen_saturation", .server)],
    .bloodGlucose: [("blood_glucose", .server)],
    .insulinDelivery: [("insulin_delivery", .server)],
    .bodyTemperature: [("body_temperature", .server)],
    .basalBodyTemperature: [("basal_body_temperature", .server)],
    .appleSleepingWristTemperature: [("apple_sleeping_wrist_temperature", .server)],
    .appleSleepingBreathingDisturbances: [
      ("breathing_disturbances", .server),
      ("apple_sleeping_breathing_disturbances", .seen),
    ],
    .forcedVitalCapacity: [("forced_vital_capacity", .server)],
    .forcedExpiratoryVolume1: [
      ("forced_expiratory_volume_1", .shown),
      ("forced_expiratory_volume", .server),
    ],
    .peakExpiratoryFlowRate: [("peak_expiratory_flow_rate", .server)],
    .inhalerUsage: [("inhaler_usage", .server)],
    .bloodAlcoholContent: [("blood_alcohol_content", .server)],
    .environmentalAudioExposure: [
      ("environmental_audio_exposure", .shown),
      ("environmental_audio", .server),
    ],
    .headphoneAudioExposure: [("headphone_audio_exposure", .shown), ("headphone_audio", .server)],
    .uvExposure: [("uv_exposure", .server)],
    .height: [("height", .server)],
    .dietaryWater: [("dietary_water", .server)],
    .dietarySugar: [("dietary_sugar", .server)],
    .dietaryFatSaturated: [("saturated_fat", .server)],
    .dietaryFatMonounsaturated: [("monounsaturated_fat", .shown), ("monosaturated_fat", .server)],
    .dietaryFatPolyunsaturated: [("polyunsaturated_fat", .server)],
    .dietaryCholesterol: [("cholesterol", .server), ("dietary_cholesterol", .seen)],
    .dietarySodium: [("sodium", .server)],
    .dietaryPotassium: [("potassium", .server)],
    .dietaryCalcium: [("calcium", .server)],
    .dietaryIron: [("iron", .server)],
    .dietaryMagnesium: [("magnesium", .server)],
    .dietaryZinc: [("zinc", .server)],
    .dietaryPhosphorus: [("phosphorus", .seen)],
    .dietaryChloride: [("chloride", .server)],
    .dietaryCopper: [("copper", .server)],
    .dietaryManganese: [("manganese", .server)],
    .dietaryIodine: [("iodine", .server)],
    .dietarySelenium: [("selenium", .server)],
    .dietaryChromium: [("chromium", .server)],
    .dietaryMolybdenum: [("molybdenum", .server)],
    .dietaryVitaminA: [("vitamin_a", .server)],
    .dietaryVitaminB6: [("vitamin_b6", .server)],
    .dietaryVitaminB12: [("vitamin_b12", .server)],
    .dietaryVitaminC: [("vitamin_c", .server)],
    .dietaryVitaminD: [("vitamin_d", .server)],
    .dietaryVitaminE: [("vitamin_e", .server)],
    .dietaryVitaminK: [("vitamin_k", .server)],
    .dietaryThiamin: [("thiamin", .server)],
    .dietaryRiboflavin: [("riboflavin", .server)],
    .dietaryNiacin: [("niacin", .server)],
    .dietaryPantothenicAcid: [("pantothenic_acid", .server)],
    .dietaryBiotin: [("biotin", .server)],
    .dietaryFolate: [("folate", .server)],
    .dietaryCaffeine: [("caffeine", .server)],
    .numberOfAlcoholicBeverages: [
      ("alcohol_consumption", .seen),
      ("number_of_alcoholic_beverages", .server),
    ],
    .distanceCrossCountrySkiing: [("cross_country_skiing_distance", .seen)],
    .distancePaddleSports: [("paddle_sports_distance", .seen)],
    .distanceRowing: [("rowing_distance", .seen)],
    .distanceSkatingSports: [("skating_sports_distance", .seen)],
    .crossCountrySkiingSpeed: [("cross_country_skiing_speed", .seen)],
    .paddleSportsSpeed: [("paddle_sports_speed", .seen)],
    .rowingSpeed: [("rowing_speed", .seen)],
    .cyclingFunctionalThresholdPower: [("cycling_functional_threshold_power", .server)],
    .underwaterDepth: [("underwater_depth", .shown), ("under_water_depth", .server)],
    .waterTemperature: [
      ("underwater_temperature", .shown),
      ("water_temperature", .seen),
      ("under_water_temperature", .server),
    ],
    .nikeFuel: [("nike_fuel", .seen)],
    .environmentalSoundReduction: [("environmental_sound_reduction", .seen)],
    .electrodermalActivity: [("electrodermal_activity", .server)],
  ]
}

/// A metric's name in a payload, as it is compared: its letters and digits alone.
package struct PayloadName: Hashable, Sendable {
  package let folded: String

  package init(_ name: String) {
    folded = name.prefix(96).lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The kind of each name: those of the app, and HealthKit's own.
  ///
  /// Of what is eaten, some names have the word `dietary`, and some do not.
  package static let kinds: [PayloadName: SampleKind] = {
    var kinds: [PayloadName: SampleKind] = [:]
    for kind in SampleKind.allCases where !kind.payloadNames.isEmpty {
      for name in kind.payloadNames + kind.names {
        kinds[PayloadName(name)] = kind
        if kind.isEaten, !name.lowercased().hasPrefix("dietary") {
          kinds[PayloadName("dietary" + name)] = kind
        }
      }
    }
    return kinds
  }()
}

extension SampleKind {
  /// HealthKit's identifier, and the same without what all of them begin with.
  fileprivate var names: [String] {
    let prefix = isCategory ? "HKCategoryTypeIdentifier" : "HKQuantityTypeIdentifier"
    return [identifier, String(identifier.dropFirst(prefix.count))]
  }

  fileprivate var isEaten: Bool { names[1].hasPrefix("Dietary") }
}

package struct PayloadUnit: Hashable {
  private let reading: UnitReading

  /// Nil for a spelling that nobody can convert.
  package init?(_ spelling: String) {
    guard let reading = UnitReading(spelling) else { return nil }
    self.reading = reading
  }

  /// A number in this unit as one in which a kind is counted; nil where it can't be converted.
  ///
  /// Percent stay percent: payloads give 0 to 100. Stood hours are counted, in hours or not.
  package func counted(_ number: Double, as kind: SampleKind) -> Double? {
    if kind == .appleStandHour {
      return [.count, .hour].contains(reading.unit) && reading.scale == 1 ? number : nil
    }
    return kind.counted(reading.number(number), in: reading.unit)
  }
}
