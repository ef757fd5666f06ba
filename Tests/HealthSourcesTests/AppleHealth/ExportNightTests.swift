import AppleExport
import HealthModel
import HealthSamples
import HealthSources
import Testing

/// The rules for sleep in an export, worked out by hand.
@Suite struct ExportNightTests {
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
}
