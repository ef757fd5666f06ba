import AppleExport
import HealthModel
import HealthSources
import TestSupport
import Testing

/// The optional metrics of a day, worked out by hand.
@Suite(.unit) struct OptionalMetricTests {
  private let day = "2024-06-10"

  private func readings(_ export: SampleExport) throws -> DayReadings {
    try #require(export.days { $0.metrics = Set(DailyMetric.allCases) }[day]?.readings)
  }

  /// All numbers of the day, those of required and of optional metrics, but the latest values.
  private func numbers(_ export: SampleExport) throws -> [DailyMetric: Double] {
    let found = try readings(export)
    return found.readings.filter { $0.key.latestOf == nil }.compactMapValues(\.number)
  }

  /// The numbers of one sample from 08:00 to 08:10.
  private func row(
    _ kind: SampleKind, _ value: Double, _ unit: SampleUnit = .none
  ) throws -> [DailyMetric: Double] {
    var export = SampleExport()
    export.add(kind, "\(day) 08:00+02:00", "\(day) 08:10+02:00", value, unit)
    return try numbers(export)
  }

  @Test(arguments: [
    (SampleKind.appleExerciseTime, 7.0, SampleUnit.minute, DailyMetric.exerciseMinutes, 7.0),
    (.appleMoveTime, 120, .second, .moveMinutes, 2),
    (.bodyFatPercentage, 0.182, .percent, .bodyFat, 18.2),
    (.bodyFatPercentage, 18.2, .percent, .bodyFat, 18.2),
    (.bodyMassIndex, 22.5, .count, .bodyMassIndex, 22.5),
    (.dietaryCarbohydrates, 250, .milligram, .carbohydrates, 0.25),
    (.dietaryProtein, 2, .ounce, .protein, 56.699046),
    (.dietaryFatTotal, 11, .gram, .fat, 11), (.dietaryFiber, 0, .gram, .fiber, 0),
    (.dietaryEnergyConsumed, 418.4, .kilojoule, .dietaryEnergy, 100),
    (.heartRateVariabilitySDNN, 0.04, .second, .heartRateVariability, 40),
    (.restingHeartRate, 1, .countPerSecond, .restingHeartRate, 60),
    (.walkingHeartRateAverage, 107.5, .countPerMinute, .walkingHeartRate, 107.5),
    (.leanBodyMass, 100, .pound, .leanMass, 45.359237), (.bodyMass, 10, .stone, .weight, 63.502932),
    (.bodyMass, 80_500, .gram, .weight, 80.5), (.bodyMass, 80.5, .kilogram, .weight, 80.5),
    (.mindfulSession, 0, .none, .mindfulMinutes, 10),
    (.runningSpeed, 10, .kilometrePerHour, .runningSpeed, 10),
    (.runningSpeed, 1, .metrePerSecond, .runningSpeed, 3.6),
    (.runningSpeed, 6, .milePerHour, .runningSpeed, 9.656064),
    (.vo2Max, 42.1, .oxygenUptake, .vo2Max, 42.1),
    (.waistCircumference, 30, .inch, .waist, 76.2), (.waistCircumference, 0.8, .metre, .waist, 80),
    (.distanceWalkingRunning, 1, .mile, .distance, 1609.344),
    (.distanceWalkingRunning, 2.5, .kilometre, .distance, 2500),
    (.basalEnergyBurned, 418.4, .kilojoule, .basalEnergy, 100),
    (.oxygenSaturation, 0.97, .percent, .oxygenSaturation, 97),
    (.oxygenSaturation, 97, .percent, .oxygenSaturation, 97),
    (.oxygenSaturation, 1, .percent, .oxygenSaturation, 100),
    (.walkingAsymmetryPercentage, 0.03, .percent, .walkingAsymmetry, 3),
    (.peripheralPerfusionIndex, 0.021, .percent, .perfusionIndex, 2.1),
    (.bloodAlcoholContent, 0.0008, .percent, .bloodAlcohol, 0.08),
    (.bloodGlucose, 90, .milligramPerDecilitre, .bloodGlucose, 90),
    (.bloodGlucose, 4.59, .millimolePerLitre, .bloodGlucose, 82.691549),
    (.respiratoryRate, 14.5, .countPerMinute, .respiratoryRate, 14.5),
    (.respiratoryRate, 0.25, .countPerSecond, .respiratoryRate, 15),
    (.flightsClimbed, 3, .count, .flightsClimbed, 3),
    (.distanceCycling, 10, .mile, .distanceCycling, 16093.44),
    (.distanceSwimming, 100, .yard, .distanceSwimming, 91.44),
    (.sixMinuteWalkTestDistance, 500, .metre, .sixMinuteWalk, 500),
    (.appleSleepingWristTemperature, 96.8, .degreeFahrenheit, .wristTemperature, 36),
    (.bodyTemperature, 310.15, .kelvin, .bodyTemperature, 37),
    (.bodyTemperature, 98.6, .degreeFahrenheit, .bodyTemperature, 37),
    (.environmentalAudioExposure, 71.5, .decibel, .environmentalSound, 71.5),
    (.dietaryWater, 1, .fluidOunce, .water, 29.57353),
    (.dietarySodium, 1.5, .gram, .sodium, 1500),
    (.dietaryVitaminD, 0.02, .milligram, .vitaminD, 20),
    (.insulinDelivery, 4, .internationalUnit, .insulin, 4),
    (.cyclingCadence, 1.5, .countPerSecond, .cyclingCadence, 90),
    (.physicalEffort, 4.2, .physicalEffort, .physicalEffort, 4.2),
    (.workoutEffortScore, 7, .effortScore, .workoutEffort, 7),
    (.estimatedWorkoutEffortScore, 4, .effortScore, .estimatedWorkoutEffort, 4),
    (.electrodermalActivity, 0.0000025, .siemens, .electrodermalActivity, 2.5),
    (.height, 6, .foot, .height, 182.88),
    (.walkingStepLength, 0.72, .metre, .walkingStepLength, 72),
  ])
  func `each row in its unit`(
    kind: SampleKind, value: Double, unit: SampleUnit, metric: DailyMetric, number: Double
  ) throws {
    #expect(try row(kind, value, unit) == [metric: number])
  }

  @Test func `the pulse has its least, greatest and mean`() throws {
    var export = SampleExport()
    for (minute, beats) in [("00", 60.0), ("01", 70), ("02", 95)] {
      export.add(
        .heartRate, "\(day) 08:\(minute)+02:00", "\(day) 08:\(minute)+02:00", beats,
        .countPerMinute)
    }
    #expect(
      try readings(export).readings.optional == [
        .heartRateMinimum: 60, .heartRateMaximum: 95, .heartRateMean: 75,
      ])
  }

  @Test func `meals add up, one meal told twice does not, and distance counts once`() throws {
    var export = SampleExport()
    for (hour, grams) in [("08", 30.0), ("08", 30), ("13", 50)] {
      export.add(
        .dietaryProtein, "\(day) \(hour):00+02:00", "\(day) \(hour):00+02:00", grams, .gram)
    }
    export.add(
      .distanceWalkingRunning, "\(day) 08:00+02:00", "\(day) 08:10+02:00", 1, .kilometre)
    export.add(
      .distanceWalkingRunning, "\(day) 08:05+02:00", "\(day) 08:15+02:00", 800, .metre,
      from: SampleExport.phone)
    #expect(try readings(export).readings.optional == [.protein: 80, .distance: 1400])
  }

  @Test func `mindful minutes are a union, cut at midnight`() throws {
    var export = SampleExport()
    export.add(.mindfulSession, "\(day) 08:00+02:00", "\(day) 08:10+02:00", 0)
    export.add(
      .mindfulSession, "\(day) 08:05+02:00", "\(day) 08:15+02:00", 0, from: SampleExport.phone)
    export.add(.mindfulSession, "\(day) 23:55+02:00", "2024-06-11 00:20+02:00", 0)
    #expect(try readings(export).readings.optional == [.mindfulMinutes: 20])
  }

  @Test func `R18: the latest of the day's samples and its time stand beside the mean`()
    throws
  {
    var export = SampleExport()
    for (time, weight) in [
      ("\(day) 19:05", 69.0), ("\(day) 07:00", 70.2), ("2024-06-11 06:00", 71),
    ] {
      export.add(.bodyMass, "\(time)+02:00", "\(time)+02:00", weight, .kilogram)
    }
    let found = try readings(export).readings
    #expect(found.optional == [.weight: 69.6])
    #expect(found.latest == [.weightLatest: 69, .weightLatestTime: 1145])
    // Of what a watch measures all day, the day has its number alone.
    #expect(try row(.heartRateVariabilitySDNN, 40, .millisecond) == [.heartRateVariability: 40])
  }

  @Test func `R18: the parts of a night in minutes`() throws {
    var export = SampleExport()
    export.addSleep("2024-06-09 23:00+02:00", "2024-06-10 01:00+02:00", .asleepCore)
    export.addSleep("2024-06-10 01:00+02:00", "2024-06-10 02:30+02:00", .asleepDeep)
    export.addSleep("2024-06-10 02:30+02:00", "2024-06-10 03:00+02:00", .awake)
    export.addSleep("2024-06-10 03:00+02:00", "2024-06-10 04:00+02:00", .asleepREM)
    export.addSleep(
      "2024-06-09 22:00+02:00", "2024-06-10 06:00+02:00", .inBed, from: SampleExport.phone)
    #expect(
      try numbers(export) == [
        .sleepAsleep: 270, .sleepInBed: 480, .sleepCore: 120, .sleepDeep: 90, .sleepREM: 60,
        .sleepAwake: 30,
      ])
  }

  @Test func `R42: an unknown unit gives no number, and a note says so once`() throws {
    var export = SampleExport()
    export.add(.stepCount, "\(day) 08:00+02:00", "\(day) 08:10+02:00", 5, .count)
    export.add(.bodyMass, "\(day) 08:00+02:00", "\(day) 08:00+02:00", 80, .unknown)
    export.add(.heartRate, "\(day) 08:00+02:00", "\(day) 08:00+02:00", 80, .none)
    let found = try readings(export)
    #expect(found.readings.optional.isEmpty)
    #expect(
      found.notes == [
        "heart_rate_min, heart_rate_max, heart_rate_avg: the unit of 1 sample can't be converted",
        "weight: the unit of 1 sample can't be converted",
      ])
  }

  @Test func `R18: a distance in an unknown unit is reported on each day that it touches`() throws {
    var export = SampleExport()
    for date in [day, "2024-06-11"] {
      export.add(.stepCount, "\(date) 08:00+02:00", "\(date) 08:10+02:00", 5, .count)
    }
    export.add(.distanceWalkingRunning, "\(day) 23:50+02:00", "2024-06-11 02:00+02:00", 1, .unknown)
    let result = try export.days { $0.metrics.formUnion([.distance]) }
    let note = "distance_walking_running: the unit of 1 sample can't be converted"
    #expect(result.days.map(\.readings.notes) == [[note], [note]])
    #expect(result.tally.leftOut == [.unit: 1])
  }

  @Test func `only the optional metrics that are asked for are made, and the required ones always`()
    throws
  {
    var export = SampleExport()
    export.add(.stepCount, "\(day) 08:00+02:00", "\(day) 08:10+02:00", 5, .count)
    export.add(.bodyMass, "\(day) 08:00+02:00", "\(day) 08:00+02:00", 80, .kilogram)
    export.add(.vo2Max, "\(day) 08:00+02:00", "\(day) 08:00+02:00", 42, .oxygenUptake)
    #expect(try export.days()[day]?.readings.readings.optional == [:])
    #expect(try export.days().tally.unread.values.sorted() == [1, 1])
    let one = try export.days { $0.metrics.formUnion([.weight]) }
    #expect(one[day]?.readings.readings.optional == [.weight: 80])
    #expect(one.number(.steps, day) == 5)
    #expect(one.tally.unread == ["HKQuantityTypeIdentifierVO2Max": 1])
  }

  @Test func `a day that has only an optional metric is a day`() throws {
    var export = SampleExport()
    export.add(.bodyMass, "\(day) 08:00+02:00", "\(day) 08:00+02:00", 80, .kilogram)
    let found = try readings(export)
    #expect(
      found.readings == [
        .weight: .value(80), .weightLatest: .value(80), .weightLatestTime: .value(480),
      ])
    #expect(try export.days().days.isEmpty)
  }

  @Test func `a percentage that may be a fraction is reported, not guessed`() throws {
    var export = SampleExport()
    export.add(.bloodAlcoholContent, "\(day) 08:00+02:00", "\(day) 08:00+02:00", 1.2, .percent)
    export.add(.peripheralPerfusionIndex, "\(day) 08:00+02:00", "\(day) 08:00+02:00", 5, .percent)
    let result = try export.days { $0.metrics = Set(DailyMetric.allCases) }
    #expect(result.days.isEmpty)
    #expect(result.tally.leftOut == [.value: 2])
  }

  @Test func `a negative weight is reported, not counted`() throws {
    var export = SampleExport()
    export.add(.bodyMass, "\(day) 08:00+02:00", "\(day) 08:00+02:00", -80, .kilogram)
    let result = try export.days { $0.metrics = Set(DailyMetric.allCases) }
    #expect(result.days.isEmpty)
    #expect(result.tally.leftOut == [.value: 1])
  }

  @Test func `R42: what is negative in the metric's unit alone is reported, not counted`() throws {
    var export = SampleExport()
    export.add(.bodyTemperature, "\(day) 08:00+02:00", "\(day) 08:00+02:00", 20, .degreeFahrenheit)
    export.add(.bodyTemperature, "\(day) 09:00+02:00", "\(day) 09:00+02:00", 95, .degreeFahrenheit)
    let result = try export.days { $0.metrics = Set(DailyMetric.allCases) }
    #expect(result.days.map(\.readings.readings.optional) == [[.bodyTemperature: 35]])
    #expect(result.tally.leftOut == [.value: 1])
  }

  @Test func `sound is averaged by its energy and time`() throws {
    var export = SampleExport()
    export.add(
      .environmentalAudioExposure, "\(day) 08:00+02:00", "\(day) 09:00+02:00", 90, .decibel)
    export.add(
      .environmentalAudioExposure, "\(day) 09:00+02:00", "\(day) 10:00+02:00", 0, .decibel)
    #expect(try readings(export).readings.optional == [.environmentalSound: 86.989700])
  }
}

/// Blood pressure: two records of one measurement.
@Suite(.unit) struct PressurePairTests {
  private let day = "2024-06-10"

  private func add(
    _ kind: SampleKind, _ value: Double, at time: String, to export: inout SampleExport,
    until end: String? = nil, from source: ExportSource = SampleExport.phone, byHand: Bool = false
  ) {
    export.add(
      kind, "\(day) \(time)+02:00", "\(day) \(end ?? time)+02:00", value, .millimetreOfMercury,
      from: source, byHand: byHand)
  }

  @Test func `pairs count, and half a measurement is reported and counts nowhere`() throws {
    var export = SampleExport()
    for (time, systolic, diastolic) in [("08:00", 120.0, 80.0), ("20:00", 130, 84)] {
      add(.bloodPressureDiastolic, diastolic, at: time, to: &export)
      add(.bloodPressureSystolic, systolic, at: time, to: &export)
    }
    add(.bloodPressureSystolic, 200, at: "09:00", to: &export)
    add(.bloodPressureDiastolic, 20, at: "10:00", to: &export)
    // The same moment, but another source.
    add(.bloodPressureSystolic, 190, at: "11:00", to: &export)
    add(.bloodPressureDiastolic, 90, at: "11:00", to: &export, from: SampleExport.watch)
    // The same start, but another end.
    add(.bloodPressureSystolic, 180, at: "12:00", to: &export)
    add(.bloodPressureDiastolic, 95, at: "12:00", to: &export, until: "12:01")
    let result = try export.days { $0.metrics = Set(DailyMetric.allCases) }
    #expect(
      result[day]?.readings.readings.optional == [
        .bloodPressureSystolic: 125, .bloodPressureDiastolic: 82,
      ])
    #expect(
      result[day]?.readings.readings.latest == [
        .bloodPressureSystolicLatest: 130, .bloodPressureDiastolicLatest: 84,
        .bloodPressureLatestTime: 1200,
      ])
    #expect(result.tally.leftOut == [.unpaired: 6])
  }

  @Test func `a pair counts where only one of the two is asked for, or marked as typed in`() throws
  {
    var export = SampleExport()
    add(.bloodPressureSystolic, 120, at: "08:00", to: &export, byHand: true)
    add(.bloodPressureDiastolic, 80, at: "08:00", to: &export)
    for metric in [DailyMetric.bloodPressureSystolic, .bloodPressureDiastolic] {
      let result = try export.days { $0.metrics.formUnion([metric]) }
      #expect(result[day]?.readings.readings.optional.keys.first == metric)
      #expect(result.tally.leftOut.isEmpty)
    }
  }

  @Test func `a pair whose other half is refused is half a measurement`() throws {
    var export = SampleExport()
    add(.bloodPressureSystolic, 120, at: "08:00", to: &export)
    add(.bloodPressureDiastolic, -80, at: "08:00", to: &export)
    let result = try export.days { $0.metrics = Set(DailyMetric.allCases) }
    #expect(result.days.isEmpty)
    #expect(result.tally.leftOut == [.unpaired: 1, .value: 1])
  }
}
