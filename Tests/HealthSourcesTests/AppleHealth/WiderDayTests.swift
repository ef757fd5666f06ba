import AppleExport
import HealthModel
import HealthSamples
import HealthSources
import Testing

/// The further metrics of a day, worked out by hand.
@Suite struct WiderDayTests {
  private let day = "2024-06-10"

  private func wider(_ export: SampleExport) throws -> WiderDay {
    try #require(export.days { $0.wantsWiderTable = true }[day]?.wider)
  }

  /// All numbers of the day, those of health.v0 and the further ones.
  private func numbers(_ export: SampleExport) throws -> [DailyMetric: Double] {
    let found = try #require(export.days { $0.wantsWiderTable = true }[day])
    let further = found.wider?.numbers ?? [:]
    #expect(further.keys.allSatisfy { $0.metric == nil })
    var numbers = further
    for daily in DailyMetric.ofV0 {
      numbers[daily] = daily.metric.flatMap { found.readings.readings[$0]?.number }
    }
    return numbers
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
    (.runningSpeed, 10, .kilometrePerHour, .runningSpeed, 6.213712),
    (.runningSpeed, 1, .metrePerSecond, .runningSpeed, 2.236936),
    (.runningSpeed, 6, .milePerHour, .runningSpeed, 6),
    (.vo2Max, 42.1, .oxygenUptake, .vo2Max, 42.1),
    (.waistCircumference, 30, .inch, .waist, 76.2), (.waistCircumference, 0.8, .metre, .waist, 80),
    (.distanceWalkingRunning, 1, .mile, .distance, 1609.344),
    (.distanceWalkingRunning, 2.5, .kilometre, .distance, 2500),
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
      try wider(export).numbers == [
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
    #expect(try wider(export).numbers == [.protein: 80, .distance: 1400])
  }

  @Test func `mindful minutes are a union, cut at midnight`() throws {
    var export = SampleExport()
    export.add(.mindfulSession, "\(day) 08:00+02:00", "\(day) 08:10+02:00", 0)
    export.add(
      .mindfulSession, "\(day) 08:05+02:00", "\(day) 08:15+02:00", 0, from: SampleExport.phone)
    export.add(.mindfulSession, "\(day) 23:55+02:00", "2024-06-11 00:20+02:00", 0)
    #expect(try wider(export).numbers == [.mindfulMinutes: 20])
  }

  @Test func `sleep by stage in hours, the whole of it in minutes, with its stretches`() throws {
    var export = SampleExport()
    export.addSleep("2024-06-09 23:00+02:00", "2024-06-10 01:00+02:00", .asleepCore)
    export.addSleep("2024-06-10 01:00+02:00", "2024-06-10 02:30+02:00", .asleepDeep)
    export.addSleep("2024-06-10 02:30+02:00", "2024-06-10 03:00+02:00", .awake)
    export.addSleep("2024-06-10 03:00+02:00", "2024-06-10 04:00+02:00", .asleepREM)
    export.addSleep(
      "2024-06-09 22:00+02:00", "2024-06-10 06:00+02:00", .inBed, from: SampleExport.phone)
    #expect(
      try numbers(export) == [
        .sleepAsleep: 270, .sleepInBed: 480, .sleepCore: 2, .sleepDeep: 1.5, .sleepREM: 1,
        .sleepAwake: 0.5,
      ])
    let day = try wider(export)
    #expect(day.sleep.map(\.value) == [.inBed, .asleepCore, .asleepDeep, .awake, .asleepREM])
    #expect(day.sleep.first?.source == SampleExport.phone)
  }

  @Test func `workouts of the day, each once, also of a day with nothing else`() throws {
    var export = SampleExport()
    let source = export.number(of: SampleExport.watch)
    let run = ExportWorkout(
      activity: "Running", source: source, start: SampleExport.moment("\(day) 23:50+02:00"),
      end: SampleExport.moment("2024-06-11 00:20+02:00"), duration: 1800, distance: 5000,
      energy: 300)
    export.workouts = [run, run]
    let result = try export.days { $0.wantsWiderTable = true }
    #expect(result.days.count == 1)
    #expect(
      try wider(export).workouts == [DayWorkout(workout: run, source: SampleExport.watch)])
    #expect(result[day]?.readings.readings == [:])
    #expect(try export.days().days.isEmpty)
  }

  @Test func `an unknown unit is unsupported and not absent`() throws {
    var export = SampleExport()
    export.add(.bodyMass, "\(day) 08:00+02:00", "\(day) 08:00+02:00", 80, .unknown)
    let day = try wider(export)
    #expect(day.numbers.isEmpty)
    #expect(day.unsupported == [.weight])
  }

  @Test func `R18: a distance in an unknown unit is unsupported on each day that it touches`()
    throws
  {
    var export = SampleExport()
    export.add(.distanceWalkingRunning, "\(day) 23:50+02:00", "2024-06-11 02:00+02:00", 1, .unknown)
    #expect(try wider(export).unsupported == [.distance])
    let result = try export.days { $0.wantsWiderTable = true }
    #expect(result["2024-06-11"]?.wider?.unsupported == [.distance])
  }
}
