import AppleExport
import HealthModel
import HealthSources
import StoreTesting
import TestSupport
import Testing

/// The workouts and the sleep of a day, each with an id that stays.
@Suite(.unit) struct DayRecordTests {
  private let day = "2024-06-10"

  private func records(_ export: SampleExport) throws -> DayRecords {
    try #require(export.days { $0.wantsRecords = true }[day]?.records)
  }

  private func run(in export: inout SampleExport) -> ExportWorkout {
    ExportWorkout(
      type: "HKWorkoutActivityTypeRunning", source: export.number(of: SampleExport.watch),
      start: SampleExport.moment("\(day) 23:50+02:00"),
      end: SampleExport.moment("2024-06-11 00:20+02:00"), duration: 1800,
      figures: [.distance: 5000, .totalEnergy: 300])
  }

  @Test func `workouts of the day, each once, also of a day with nothing else`() throws {
    var export = SampleExport()
    let run = run(in: &export)
    export.workouts = [run, run]
    let result = try export.days { $0.wantsRecords = true }
    #expect(result.days.count == 1)
    #expect(result.tally.leftOut == [.duplicate: 1])
    #expect(result[day]?.readings.readings == [:])
    let records = try records(export)
    #expect(records.timeZoneName == "Europe/Paris" && records.sleep.isEmpty)
    let workout = try #require(records.workouts.first)
    #expect(records.workouts.count == 1)
    #expect(workout.activity == "Running" && workout.source == SampleExport.watch.name)
    #expect(workout.duration == 1800 && workout.end - workout.start == 1800)
    #expect(workout.figures == [.distance: 5000, .totalEnergy: 300])
    #expect(try export.days().days.isEmpty)
  }

  @Test func `of two records of one workout the fuller one stands, whatever their order`() throws {
    var export = SampleExport()
    let run = run(in: &export)
    var fuller = run
    fuller.figures[.steps] = 4000
    for workouts in [[run, fuller], [fuller, run]] {
      export.workouts = workouts
      #expect(try records(export).workouts.map(\.figures) == [fuller.figures])
    }
  }

  @Test func `a workout that ends before it begins is reported, as are numbers left out of one`()
    throws
  {
    var export = SampleExport()
    var workout = run(in: &export)
    (workout.unknownUnits, workout.invalidNumbers) = (2, 1)
    var broken = workout
    broken.end = broken.start - 1
    export.workouts = [workout, broken]
    let result = try export.days { $0.wantsRecords = true }
    #expect(result.tally.workouts == 1)
    #expect(
      result.tally.leftOut == [.endsBeforeStart: 1, .workoutUnit: 2, .workoutNumber: 1])
  }

  @Test func `sleep stands in the night in which it begins`() throws {
    var export = SampleExport()
    export.addSleep("2024-06-09 23:00+02:00", "2024-06-10 01:00+02:00", .asleepCore)
    export.addSleep(
      "2024-06-09 22:00+02:00", "2024-06-10 06:00+02:00", .inBed, from: SampleExport.phone)
    export.addSleep("2024-06-10 17:00+02:00", "2024-06-10 19:00+02:00", .asleepUnspecified)
    export.addSleep("2024-06-10 18:00+02:00", "2024-06-10 18:30+02:00", .awake)
    let sleep = try records(export).sleep
    #expect(sleep.map(\.value) == [.inBed, .asleepCore, .asleepUnspecified])
    #expect(sleep.first?.source == SampleExport.phone.name)
    let next = try export.days { $0.wantsRecords = true }["2024-06-11"]?.records
    #expect(next?.sleep.map(\.value) == [.awake])
  }

  @Test func `R45: ids stay over the order of the file, a second reading and a later export`()
    throws
  {
    var random = SplitMix64(seed: 13)
    for _ in 0..<20 {
      var export = SampleExport()
      let sources = [SampleExport.watch, SampleExport.phone, ExportSource(name: "Other")].map {
        export.number(of: $0)
      }
      let begin = SampleExport.moment("2024-06-01 00:00+02:00")
      for _ in 0..<60 {
        let start = begin + Int64.random(in: 0..<10 * 86_400, using: &random)
        export.workouts.append(
          ExportWorkout(
            type: ["HKWorkoutActivityTypeYoga", "HKWorkoutActivityTypeRunning"]
              .randomElement(using: &random) ?? "",
            source: sources.randomElement(using: &random) ?? 0, start: start, end: start + 600,
            figures: [.steps: Double(Int.random(in: 0..<9, using: &random))]))
        export.samples.append(
          ExportSample(
            kind: .sleepAnalysis, unit: .none, source: sources.randomElement(using: &random) ?? 0,
            start: start, end: start + Int64.random(in: 0..<40_000, using: &random),
            value: Double(Int.random(in: 0...5, using: &random))))
      }
      let wanted = { (options: inout ExportOptions) in options.wantsRecords = true }
      let first = try export.days("Europe/Paris", wanted).days.compactMap(\.records)
      #expect(first.flatMap(\.workouts).count == 60 && first.flatMap(\.sleep).count == 60)
      let ids = first.flatMap { $0.workouts.map(\.id) + $0.sleep.map(\.id) }
      #expect(Set(ids).count == 120)
      var other = export
      other.samples = (export.samples + export.samples.prefix(9)).shuffled(using: &random)
      other.workouts = (export.workouts + export.workouts.prefix(9)).shuffled(using: &random)
      #expect(
        try other.days("Europe/Paris", samplesInMemory: 7, wanted).days.compactMap(\.records)
          == first)
      // A later export has more, and says more of what is there already.
      other.addSleep("2024-07-10 01:00+02:00", "2024-07-10 02:00+02:00", .awake)
      for place in other.workouts.indices { other.workouts[place].figures[.averageSpeed] = 10 }
      let later = try other.days("Europe/Paris", wanted).days.compactMap(\.records)
      #expect(
        later.flatMap { $0.workouts.map(\.id) + $0.sleep.map(\.id) }.filter(ids.contains) == ids)
    }
  }
}
