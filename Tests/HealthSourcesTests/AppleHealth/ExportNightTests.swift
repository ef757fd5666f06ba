import AppleExport
import HealthModel
import HealthSources
import StoreTesting
import TestSupport
import Testing

/// The rules for sleep in an export, worked out by hand.
@Suite(.unit) struct ExportNightTests {
  private let phone = SampleExport.phone

  @Test func `a night over the autumn change has the hour that comes twice`() throws {
    // 23:00 to 07:00 by the clock of Paris on 2024-10-27: nine hours.
    var export = SampleExport()
    export.addSleep("2024-10-26 23:00+02:00", "2024-10-27 07:00+01:00", .asleepCore)
    export.addSleep("2024-10-26 22:30+02:00", "2024-10-27 07:00+01:00", .inBed, from: phone)
    #expect(
      try export.days().table == [
        "2024-10-27": ["sleep_asleep_minutes": "540.0", "sleep_in_bed_minutes": "570.0"]
      ])
  }

  @Test func `R18: a night with a stage that is not known is unsupported, whatever else is known`()
    throws
  {
    var export = SampleExport()
    export.addSleep("2024-06-09 23:00+02:00", "2024-06-10 05:00+02:00", .asleepCore)
    export.add(
      .sleepAnalysis, "2024-06-10 05:00+02:00", "2024-06-10 06:00+02:00",
      SampleKind.unknownCategory, .none)
    export.addSleep("2024-06-10 23:00+02:00", "2024-06-11 05:00+02:00", .asleepCore)
    let result = try export.days()
    #expect(
      result.table == [
        "2024-06-10": [
          "sleep_asleep_minutes": "unsupported", "sleep_in_bed_minutes": "unsupported",
        ],
        "2024-06-11": ["sleep_asleep_minutes": "360.0"],
      ])
    #expect(result["2024-06-10"]?.readings.speaksOf.contains(.sleepAsleep) == false)
    #expect(result["2024-06-10"]?.readings.speaksOf.contains(.sleepCore) == false)
    #expect(
      result["2024-06-10"]?.readings.notes.first
        == "sleep_asleep_minutes: the value of 1 sample is not known")
  }

  @Test func `a future-dated in-bed sample is left out`() throws {
    var export = SampleExport()
    export.exportDate = SampleExport.moment("2024-06-10 08:00+02:00")
    export.addSleep("2024-06-09 23:00+02:00", "2024-06-10 07:00+02:00", .inBed, from: phone)
    export.addSleep("2024-06-09 22:00+02:00", "2024-06-10 08:01+02:00", .inBed, from: phone)
    export.addSleep("2024-06-11 23:00+02:00", "2024-06-12 07:00+02:00", .inBed, from: phone)
    let result = try export.days()
    #expect(result.table == ["2024-06-10": ["sleep_in_bed_minutes": "480.0"]])
    #expect(result.tally.leftOut == [.afterExport: 2])
  }

  @Test func `stages without time in bed leave it without data`() throws {
    var export = SampleExport()
    export.addSleep("2024-06-09 23:00+02:00", "2024-06-10 02:00+02:00", .asleepDeep)
    export.addSleep("2024-06-10 02:00+02:00", "2024-06-10 02:30+02:00", .awake)
    export.addSleep("2024-06-10 02:30+02:00", "2024-06-10 06:00+02:00", .asleepREM)
    #expect(try export.days().table == ["2024-06-10": ["sleep_asleep_minutes": "390.0"]])
  }

  @Test func `two trackers are a union, and stages beat what has none`() throws {
    var export = SampleExport()
    let ring = ExportSource(name: "Ring")
    // The watch knows stages from 23:30 to 06:30 but for half an hour awake; the ring says asleep
    // from 23:00 to 07:00 and awake from 06:40 to 06:50: 23:00-23:30, 06:30-06:40, 06:50-07:00
    // are the ring's 50 minutes, 390 the watch's.
    export.addSleep("2024-06-09 23:30+02:00", "2024-06-10 03:00+02:00", .asleepCore)
    export.addSleep("2024-06-10 03:00+02:00", "2024-06-10 03:30+02:00", .awake)
    export.addSleep("2024-06-10 03:30+02:00", "2024-06-10 06:30+02:00", .asleepREM)
    export.addSleep(
      "2024-06-09 23:00+02:00", "2024-06-10 07:00+02:00", .asleepUnspecified, from: ring)
    export.addSleep("2024-06-10 06:40+02:00", "2024-06-10 06:50+02:00", .awake, from: ring)
    #expect(try export.days().table == ["2024-06-10": ["sleep_asleep_minutes": "440.0"]])
  }

  @Test func `Awake of a source without stages cuts its own sleep only`() throws {
    var export = SampleExport()
    export.addSleep("2024-06-09 23:00+02:00", "2024-06-10 07:00+02:00", .asleepUnspecified)
    export.addSleep("2024-06-10 03:00+02:00", "2024-06-10 04:00+02:00", .awake)
    export.addSleep("2024-06-10 05:00+02:00", "2024-06-10 06:00+02:00", .awake, from: phone)
    #expect(try export.days().table == ["2024-06-10": ["sleep_asleep_minutes": "420.0"]])
  }

  @Test func `R18: sleep that was waking all the time is 0, and not no data`() throws {
    var export = SampleExport()
    export.addSleep("2024-06-09 23:00+02:00", "2024-06-10 07:00+02:00", .asleepUnspecified)
    export.addSleep("2024-06-09 22:00+02:00", "2024-06-10 07:00+02:00", .awake)
    // Nobody says asleep here.
    export.addSleep("2024-06-11 23:00+02:00", "2024-06-12 07:00+02:00", .awake)
    #expect(try export.days().table == ["2024-06-10": ["sleep_asleep_minutes": "0.0"]])
  }

  @Test func `a night is 18 to 18 o'clock, and sleep over 18 o'clock is cut there`() throws {
    var export = SampleExport()
    export.addSleep("2024-06-10 17:00+02:00", "2024-06-10 18:30+02:00", .asleepUnspecified)
    export.addSleep("2024-06-10 23:00+02:00", "2024-06-11 01:00+02:00", .asleepUnspecified)
    #expect(
      try export.days().table == [
        "2024-06-10": ["sleep_asleep_minutes": "60.0"],
        "2024-06-11": ["sleep_asleep_minutes": "150.0"],
      ])
  }

  @Test func `only what lies in the night is judged: stages of other nights beat nothing`() throws {
    var export = SampleExport()
    let asleep = SleepValue.asleepUnspecified
    export.addSleep("2024-06-09 23:00+02:00", "2024-06-10 07:00+02:00", asleep, from: phone)
    export.addSleep("2024-06-10 03:00+02:00", "2024-06-10 04:00+02:00", .awake)
    export.addSleep("2024-06-10 23:00+02:00", "2024-06-11 07:00+02:00", .asleepCore)
    #expect(
      try export.days().table == [
        "2024-06-10": ["sleep_asleep_minutes": "480.0"],
        "2024-06-11": ["sleep_asleep_minutes": "480.0"],
      ])
  }

  @Test func `R18: of two trackers with stages the better one's stage counts at each moment`()
    throws
  {
    var export = SampleExport()
    let ring = ExportSource(name: "Ring")
    export.addSleep("2024-06-10 00:00+02:00", "2024-06-10 06:00+02:00", .asleepCore)
    export.addSleep("2024-06-10 01:00+02:00", "2024-06-10 02:00+02:00", .asleepREM, from: ring)
    export.addSleep("2024-06-10 02:00+02:00", "2024-06-10 03:00+02:00", .asleepDeep, from: ring)
    export.addSleep("2024-06-10 03:00+02:00", "2024-06-10 03:30+02:00", .awake, from: ring)
    // Where the watch saw nothing, the ring counts.
    export.addSleep("2024-06-10 06:00+02:00", "2024-06-10 07:00+02:00", .asleepREM, from: ring)
    let stages: Set<DailyMetric> = [.sleepCore, .sleepDeep, .sleepREM, .sleepAwake]
    let watchFirst = try export.days { $0.metrics.formUnion(stages) }
    #expect(
      watchFirst["2024-06-10"]?.readings.readings.optional == [.sleepCore: 360, .sleepREM: 60])
    #expect(watchFirst.number(.sleepAsleep, "2024-06-10") == 420)
    let ringFirst = try export.days {
      $0.metrics.formUnion(stages)
      $0.sourcePriority = ["Ring"]
    }
    #expect(
      ringFirst["2024-06-10"]?.readings.readings.optional
        == [.sleepCore: 210, .sleepREM: 120, .sleepDeep: 60, .sleepAwake: 30])
    #expect(ringFirst.number(.sleepAsleep, "2024-06-10") == 420)
  }

  @Test func `R18: stages never add up to more than the time asleep`() throws {
    var random = SplitMix64(seed: 18)
    let sources = [
      SampleExport.watch, phone, ExportSource(name: "Ring"), ExportSource(name: "Band"),
    ]
    let begin = SampleExport.moment("2024-06-09 20:00+02:00")
    var overlaps = 0
    for _ in 0..<200 {
      var export = SampleExport()
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let start = begin + Int64.random(in: 0..<36_000, using: &random)
        let source = sources.randomElement(using: &random) ?? phone
        export.samples.append(
          ExportSample(
            kind: .sleepAnalysis, unit: .none, source: export.number(of: source), start: start,
            end: start + Int64.random(in: 0..<7200, using: &random),
            value: Double(Int.random(in: 0...5, using: &random))))
      }
      let stages: Set<DailyMetric> = [.sleepCore, .sleepDeep, .sleepREM]
      let result = try export.days { $0.metrics.formUnion(stages) }
      for day in result.days {
        let sum = day.readings.readings.optional.values.reduce(0, +)
        let asleep = day.readings.readings[.sleepAsleep]?.number ?? 0
        #expect(sum <= asleep + 1e-5)
        if sum > 0 { overlaps += 1 }
      }
      // The order of the samples makes no difference.
      export.samples.shuffle(using: &random)
      #expect(
        try export.reversingSources().days { $0.metrics.formUnion(stages) }.days == result.days)
    }
    #expect(overlaps > 100)
  }
}
