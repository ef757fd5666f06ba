/// A kind of sample that daily metrics are made of: one type of HealthKit. Samples of all other
/// types are left out. A case is named as HealthKit names the type.
///
/// The raw value is the kind's number in packed samples; it is stored nowhere.
@frozen public enum SampleKind: UInt8, CaseIterable, Hashable, Sendable {
  case stepCount, activeEnergyBurned, appleExerciseTime, appleMoveTime, appleStandHour,
    restingHeartRate, heartRateVariabilitySDNN, sleepAnalysis, heartRate, walkingHeartRateAverage,
    distanceWalkingRunning, runningSpeed, bodyMass, leanBodyMass, bodyFatPercentage, bodyMassIndex,
    waistCircumference, vo2Max, dietaryEnergyConsumed, dietaryCarbohydrates, dietaryProtein,
    dietaryFatTotal, dietaryFiber, mindfulSession, basalEnergyBurned, appleStandTime,
    flightsClimbed, distanceCycling, distanceSwimming, distanceWheelchair,
    distanceDownhillSnowSports, pushCount, swimmingStrokeCount, timeInDaylight, physicalEffort,
    runningPower, runningStrideLength, runningVerticalOscillation, runningGroundContactTime,
    cyclingSpeed, cyclingPower, cyclingCadence, walkingSpeed, walkingStepLength,
    walkingAsymmetryPercentage, walkingDoubleSupportPercentage, appleWalkingSteadiness,
    stairAscentSpeed, stairDescentSpeed, sixMinuteWalkTestDistance, numberOfTimesFallen,
    heartRateRecoveryOneMinute, atrialFibrillationBurden, bloodPressureSystolic,
    bloodPressureDiastolic, peripheralPerfusionIndex, respiratoryRate, oxygenSaturation,
    bloodGlucose, insulinDelivery, bodyTemperature, basalBodyTemperature,
    appleSleepingWristTemperature, appleSleepingBreathingDisturbances, forcedVitalCapacity,
    forcedExpiratoryVolume1, peakExpiratoryFlowRate, inhalerUsage, bloodAlcoholContent,
    environmentalAudioExposure, headphoneAudioExposure, uvExposure, height, dietaryWater,
    dietarySugar, dietaryFatSaturated, dietaryFatMonounsaturated, dietaryFatPolyunsaturated,
    dietaryCholesterol, dietarySodium, dietaryPotassium, dietaryCalcium, dietaryIron,
    dietaryMagnesium, dietaryZinc, dietaryPhosphorus, dietaryChloride, dietaryCopper,
    dietaryManganese, dietaryIodine, dietarySelenium, dietaryChromium, dietaryMolybdenum,
    dietaryVitaminA, dietaryVitaminB6, dietaryVitaminB12, dietaryVitaminC, dietaryVitaminD,
    dietaryVitaminE, dietaryVitaminK, dietaryThiamin, dietaryRiboflavin, dietaryNiacin,
    dietaryPantothenicAcid, dietaryBiotin, dietaryFolate, dietaryCaffeine,
    numberOfAlcoholicBeverages, distanceCrossCountrySkiing, distancePaddleSports, distanceRowing,
    distanceSkatingSports, crossCountrySkiingSpeed, paddleSportsSpeed, rowingSpeed,
    cyclingFunctionalThresholdPower, underwaterDepth, waterTemperature, nikeFuel,
    environmentalSoundReduction, workoutEffortScore, estimatedWorkoutEffortScore,
    electrodermalActivity
}

/// The table of kinds.
extension SampleKind {
  /// The unit in which samples are counted; `none` where a sample is counted as it is.
  public var unit: SampleUnit { Self.units[Int(rawValue)] }

  /// HealthKit's identifier, such as `HKQuantityTypeIdentifierStepCount`.
  public var identifier: String { Self.identifiers[Int(rawValue)] }

  // Both are asked of every sample of an export.
  private static let units = allCases.map(\.ownUnit)
  private static let identifiers = allCases.map {
    ($0.isCategory ? "HKCategoryTypeIdentifier" : "HKQuantityTypeIdentifier") + $0.name
  }

  private var ownUnit: SampleUnit {
    switch self {
    case .stepCount, .bodyMassIndex, .flightsClimbed, .pushCount, .swimmingStrokeCount,
      .numberOfTimesFallen, .appleSleepingBreathingDisturbances, .inhalerUsage, .uvExposure,
      .numberOfAlcoholicBeverages, .nikeFuel:
      .count
    case .activeEnergyBurned, .dietaryEnergyConsumed, .basalEnergyBurned: .kilocalorie
    case .appleExerciseTime, .appleMoveTime, .sleepAnalysis, .mindfulSession, .appleStandTime,
      .timeInDaylight:
      .minute
    case .appleStandHour: .none
    case .restingHeartRate, .heartRate, .walkingHeartRateAverage, .cyclingCadence,
      .heartRateRecoveryOneMinute, .respiratoryRate:
      .countPerMinute
    case .heartRateVariabilitySDNN, .runningGroundContactTime: .millisecond
    case .distanceWalkingRunning, .distanceCycling, .distanceSwimming, .distanceWheelchair,
      .distanceDownhillSnowSports, .runningStrideLength, .sixMinuteWalkTestDistance,
      .distanceCrossCountrySkiing, .distancePaddleSports, .distanceRowing, .distanceSkatingSports,
      .underwaterDepth:
      .metre
    case .runningSpeed, .cyclingSpeed, .walkingSpeed, .crossCountrySkiingSpeed, .paddleSportsSpeed,
      .rowingSpeed:
      .kilometrePerHour
    case .bodyMass, .leanBodyMass: .kilogram
    case .bodyFatPercentage, .walkingAsymmetryPercentage, .walkingDoubleSupportPercentage,
      .appleWalkingSteadiness, .atrialFibrillationBurden, .peripheralPerfusionIndex,
      .oxygenSaturation, .bloodAlcoholContent:
      .percent
    case .waistCircumference, .runningVerticalOscillation, .walkingStepLength, .height: .centimetre
    case .vo2Max: .oxygenUptake
    case .dietaryCarbohydrates, .dietaryProtein, .dietaryFatTotal, .dietaryFiber, .dietarySugar,
      .dietaryFatSaturated, .dietaryFatMonounsaturated, .dietaryFatPolyunsaturated:
      .gram
    case .physicalEffort: .physicalEffort
    case .runningPower, .cyclingPower, .cyclingFunctionalThresholdPower: .watt
    case .stairAscentSpeed, .stairDescentSpeed: .metrePerSecond
    case .bloodPressureSystolic, .bloodPressureDiastolic: .millimetreOfMercury
    case .bloodGlucose: .milligramPerDecilitre
    case .insulinDelivery: .internationalUnit
    case .bodyTemperature, .basalBodyTemperature, .appleSleepingWristTemperature,
      .waterTemperature:
      .degreeCelsius
    case .forcedVitalCapacity, .forcedExpiratoryVolume1: .litre
    case .peakExpiratoryFlowRate: .litrePerMinute
    case .environmentalAudioExposure, .headphoneAudioExposure,
      .environmentalSoundReduction:
      .decibel
    case .dietaryWater: .millilitre
    case .dietaryCholesterol, .dietarySodium, .dietaryPotassium, .dietaryCalcium, .dietaryIron,
      .dietaryMagnesium, .dietaryZinc, .dietaryPhosphorus, .dietaryChloride, .dietaryCopper,
      .dietaryManganese, .dietaryVitaminB6, .dietaryVitaminC, .dietaryVitaminE, .dietaryThiamin,
      .dietaryRiboflavin, .dietaryNiacin, .dietaryPantothenicAcid, .dietaryCaffeine:
      .milligram
    case .dietaryIodine, .dietarySelenium, .dietaryChromium, .dietaryMolybdenum, .dietaryVitaminA,
      .dietaryVitaminB12, .dietaryVitaminD, .dietaryVitaminK, .dietaryBiotin,
      .dietaryFolate:
      .microgram
    case .workoutEffortScore, .estimatedWorkoutEffortScore: .effortScore
    case .electrodermalActivity: .microsiemens
    }
  }

  /// HealthKit's name of the type: that of the case, but for words in capitals.
  private var name: String {
    switch self {
    case .vo2Max: return "VO2Max"
    case .uvExposure: return "UVExposure"
    default:
      let name = String(describing: self)
      return name.prefix(1).uppercased() + name.dropFirst()
    }
  }

  /// Whether a sample says one of several values, and not how much.
  @inlinable public var isCategory: Bool {
    switch self {
    case .appleStandHour, .sleepAnalysis, .mindfulSession: true
    default: false
    }
  }

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
