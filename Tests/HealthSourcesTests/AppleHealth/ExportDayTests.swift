import AppleExport
import HealthModel
import HealthSources
import Testing

/// The rules for the samples of an export, one by one, worked out by hand.
@Suite(.unit) struct ExportDayTests {
  private let watch = SampleExport.watch
  private let phone = SampleExport.phone

  @Test func `a day of 23 hours ends an hour earlier`() throws {
    // Paris, 2024-03-31: from 23:00 UTC of the day before to 22:00 UTC.
    var export = SampleExport()
    export.add(.stepCount, "2024-03-31 00:00+01:00", "2024-03-31 00:10+01:00", 10, .count)
    export.add(.stepCount, "2024-03-31 23:50+02:00", "2024-04-01 00:00+02:00", 20, .count)
    export.add(.stepCount, "2024-04-01 00:00+02:00", "2024-04-01 00:10+02:00", 40, .count)
    // 24 hours from midnight: 23 of them are this day's.
    export.add(
      .activeEnergyBurned, "2024-03-31 00:00+01:00", "2024-04-01 01:00+02:00", 240, .kilocalorie)
    let days = try export.days().table
    #expect(days["2024-03-31"] == ["steps": "30.0", "active_energy_kcal": "230.0"])
    #expect(days["2024-04-01"] == ["steps": "40.0", "active_energy_kcal": "10.0"])
  }

  @Test func `a day of 25 hours has 25 stand hours and not more`() throws {
    // Paris, 2024-10-27: from 22:00 UTC of the day before to 23:00 UTC.
    var export = SampleExport()
    let start = SampleExport.moment("2024-10-27 00:00+02:00")
    for hour in 0..<26 {
      export.samples.append(
        ExportSample(
          kind: .appleStandHour, unit: .none, source: export.number(of: watch),
          start: start + Int64(hour) * 3600, end: start + Int64(hour + 1) * 3600,
          value: Double(StandValue.stood.rawValue)))
    }
    let days = try export.days().table
    #expect(days["2024-10-27"] == ["stand_hours": "25.0"])
    #expect(days["2024-10-28"] == ["stand_hours": "1.0"])
  }

  @Test func `an Idle-only day is 0 and a day without a stand sample has no data`() throws {
    var export = SampleExport()
    export.add(.appleStandHour, "2024-06-10 09:00+02:00", "2024-06-10 10:00+02:00", 1)
    export.add(.stepCount, "2024-06-11 09:00+02:00", "2024-06-11 10:00+02:00", 0, .count)
    #expect(
      try export.days().table == [
        "2024-06-10": ["stand_hours": "0.0"], "2024-06-11": ["steps": "0.0"],
      ])
  }

  @Test func `stand hours are hours of the clock, whatever the source`() throws {
    var export = SampleExport()
    // Two watches in one hour, and a stood hour of Delhi, half an hour off: 9, 10.
    export.add(.appleStandHour, "2024-06-10 09:00+02:00", "2024-06-10 10:00+02:00", 0)
    export.add(
      .appleStandHour, "2024-06-10 09:00+02:00", "2024-06-10 10:00+02:00", 0,
      from: ExportSource(name: "Other Watch", hardware: "Watch7,1"))
    export.add(.appleStandHour, "2024-06-10 14:00+05:30", "2024-06-10 15:00+05:30", 0)
    #expect(try export.days().table == ["2024-06-10": ["stand_hours": "2.0"]])
  }

  @Test func `an energy sample of 12 days is split by time`() throws {
    var export = SampleExport()
    export.add(
      .activeEnergyBurned, "2024-06-01 12:00+02:00", "2024-06-13 12:00+02:00", 1200, .kilocalorie)
    let result = try export.days()
    #expect(result.days.count == 13)
    #expect(result.number(.activeEnergy, "2024-06-01") == 50)
    #expect(result.number(.activeEnergy, "2024-06-07") == 100)
    #expect(result.number(.activeEnergy, "2024-06-13") == 50)
  }

  @Test func `a duplicate record counts once, whatever its unit is called`() throws {
    var export = SampleExport()
    for _ in 0..<3 {
      export.add(.stepCount, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", 100, .count)
    }
    // The same of another source is not a duplicate: the phone's is covered.
    export.add(
      .stepCount, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", 100, .count, from: phone)
    // Nor is one of another value.
    export.add(.stepCount, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", 50, .count)
    let result = try export.days()
    #expect(result.table == ["2024-06-10": ["steps": "150.0"]])
    #expect(result.tally.leftOut == [.duplicate: 2])
  }

  @Test func `two watches at once count once, by what each offers`() throws {
    var export = SampleExport()
    let old = ExportSource(name: watch.name, hardware: "Watch4,2")
    // 08:00-08:20 old 200; 08:10-08:30 new 300: the new one offers more, so the old one's half.
    export.add(
      .stepCount, "2024-06-10 08:00+02:00", "2024-06-10 08:20+02:00", 200, .count, from: old)
    export.add(.stepCount, "2024-06-10 08:10+02:00", "2024-06-10 08:30+02:00", 300, .count)
    #expect(try export.days().table == ["2024-06-10": ["steps": "400.0"]])
  }

  @Test func `by hand comes before the watch, the watch before the phone, others last`() throws {
    var export = SampleExport()
    let other = ExportSource(name: "Pedometer++")
    for (source, steps) in [(other, 1000.0), (phone, 100), (watch, 10)] {
      export.add(
        .stepCount, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", steps, .count, from: source)
    }
    #expect(try export.days().table == ["2024-06-10": ["steps": "10.0"]])
    let reordered = try export.days { $0.sourcePriority = ["PEDOMETER++", "Ann's iPhone"] }
    #expect(reordered.table == ["2024-06-10": ["steps": "1000.0"]])
    export.add(
      .stepCount, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", 1, .count, from: phone,
      byHand: true)
    #expect(try export.days().table == ["2024-06-10": ["steps": "1.0"]])
    #expect(try export.days { $0.sourcePriority = ["Ann's Apple Watch"] }.table.count == 1)
  }

  @Test func `the class of a source is its hardware's, else its name's`() throws {
    var export = SampleExport()
    let renamed = ExportSource(name: "Montre", hardware: "Watch6,2")
    let misnamed = ExportSource(name: "My Watch app", hardware: "iPhone14,5")
    let named = ExportSource(name: "iPhone de Jean")
    for (source, steps) in [(named, 1.0), (misnamed, 2), (renamed, 4)] {
      export.add(
        .stepCount, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", steps, .count, from: source)
    }
    #expect(try export.days().table == ["2024-06-10": ["steps": "4.0"]])
  }

  @Test func `resting heart rate belongs to the day of its middle in the zone`() throws {
    // An export made in summer writes a winter night's midnight as 01:00.
    var export = SampleExport()
    export.add(
      .restingHeartRate, "2024-01-10 01:00:30+02:00", "2024-01-10 22:00+02:00", 50,
      .countPerMinute)
    export.add(
      .restingHeartRate, "2024-01-10 09:00+02:00", "2024-01-10 09:00+02:00", 1, .countPerSecond)
    #expect(try export.days().table == ["2024-01-10": ["resting_hr_avg": "55.0"]])
  }

  @Test func `an average that begins the day before is of the day of its middle`() throws {
    var export = SampleExport()
    export.add(
      .restingHeartRate, "2024-06-09 23:00+02:00", "2024-06-10 03:00+02:00", 50, .countPerMinute)
    #expect(try export.days().table == ["2024-06-10": ["resting_hr_avg": "50.0"]])
  }

  @Test func `a watch on the charger, which counts 0, hides no steps`() throws {
    var export = SampleExport()
    export.add(.stepCount, "2024-06-10 08:00+02:00", "2024-06-10 09:00+02:00", 0, .count)
    export.add(
      .stepCount, "2024-06-10 08:10+02:00", "2024-06-10 08:20+02:00", 40, .count, from: phone)
    #expect(try export.days().table == ["2024-06-10": ["steps": "40.0"]])
  }

  @Test func `variability is the mean of the day, in milliseconds`() throws {
    var export = SampleExport()
    export.add(
      .heartRateVariabilitySDNN, "2024-06-10 00:10+02:00", "2024-06-10 00:11+02:00", 40,
      .millisecond)
    export.add(
      .heartRateVariabilitySDNN, "2024-06-10 23:50+02:00", "2024-06-10 23:51+02:00", 0.05, .second)
    #expect(try export.days().table == ["2024-06-10": ["hrv_sdnn_avg": "45.0"]])
  }

  @Test(arguments: [
    (SampleUnit.kilocalorie, 5.0), (.largeCalorie, 5), (.smallCalorie, 5000), (.kilojoule, 20.92),
  ])
  func `energy in every unit`(unit: SampleUnit, value: Double) throws {
    var export = SampleExport()
    export.add(
      .activeEnergyBurned, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", value, unit)
    #expect(try export.days().table == ["2024-06-10": ["active_energy_kcal": "5.0"]])
  }

  @Test func `R18: a sample in an unknown unit makes each day that it touches unsupported`() throws
  {
    var export = SampleExport()
    export.add(
      .activeEnergyBurned, "2024-06-09 23:00+02:00", "2024-06-12 01:00+02:00", 10, .unknown)
    // A mean belongs to the day of its middle, whatever its unit.
    export.add(
      .restingHeartRate, "2024-06-09 23:00+02:00", "2024-06-10 23:00+02:00", 10, .unknown)
    export.add(
      .activeEnergyBurned, "2024-06-11 08:00+02:00", "2024-06-11 09:00+02:00", 5, .kilocalorie)
    let result = try export.days { $0.explainedDate = CalendarDate("2024-06-12") }
    #expect(
      result.table == [
        "2024-06-09": ["active_energy_kcal": "unsupported"],
        "2024-06-10": ["active_energy_kcal": "unsupported", "resting_hr_avg": "unsupported"],
        // The other sample is a part of the day.
        "2024-06-11": ["active_energy_kcal": "unsupported"],
        "2024-06-12": ["active_energy_kcal": "unsupported"],
      ])
    #expect(result.tally.leftOut == [.unit: 2])
    // Unknown is not the same as absent.
    #expect(result["2024-06-11"]?.readings.speaksOf.contains(.activeEnergy) == false)
    #expect(result["2024-06-12"]?.readings.speaksOf.contains(.activeEnergy) == false)
    #expect(result["2024-06-12"]?.readings.speaksOf.contains(.steps) == true)
    let energy = result["2024-06-12"]?.explanation?.metrics.first { $0.metric == .activeEnergy }
    #expect(energy?.sources.map(\.leftOut) == [[.unit: 1]])
  }

  @Test func `a unit that can't be converted is unsupported, never 0 and never absent`() throws {
    var export = SampleExport()
    export.add(.activeEnergyBurned, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", 5, .unknown)
    export.add(.restingHeartRate, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", 5, .percent)
    let result = try export.days()
    #expect(
      result.table == [
        "2024-06-10": ["active_energy_kcal": "unsupported", "resting_hr_avg": "unsupported"]
      ])
    #expect(result.tally.leftOut == [.unit: 2])
    #expect(
      result["2024-06-10"]?.readings.notes == [
        "active_energy_kcal: the unit of 1 sample can't be converted",
        "resting_hr_avg: the unit of 1 sample can't be converted",
      ])
  }

  @Test func `R18: an export has no number of a metric on days when a record of it can't be read`()
    throws
  {
    var export = SampleExport()
    // The night of the 11th, on which nothing else stands; it begins after 18:00 on the 10th.
    export.addUnread(.sleepAnalysis, "2024-06-10 18:30+02:00", "2024-06-10 23:00+02:00")
    // A sum on each day that it touches, a mean on the day of its middle.
    export.addUnread(.stepCount, "2024-06-13 23:00+02:00", "2024-06-14 01:00+02:00")
    export.addUnread(.restingHeartRate, "2024-06-13 00:10+02:00", "2024-06-14 01:00+02:00")
    export.addUnread(.bloodPressureSystolic, "2024-06-14 08:00+02:00", "2024-06-14 08:00+02:00")
    // The others are a part of the day.
    export.addUnread(.stepCount, "2024-06-15 08:00+02:00", "2024-06-15 09:00+02:00")
    export.add(.stepCount, "2024-06-15 10:00+02:00", "2024-06-15 11:00+02:00", 5, .count)
    export.add(.stepCount, "2024-06-16 10:00+02:00", "2024-06-16 11:00+02:00", 5, .count)
    let result = try export.days { $0.metrics = Set(DailyMetric.allCases) }
    #expect(
      result.table == [
        "2024-06-11": [
          "sleep_asleep_minutes": "unsupported", "sleep_in_bed_minutes": "unsupported",
        ],
        "2024-06-13": ["resting_hr_avg": "unsupported", "steps": "unsupported"],
        "2024-06-14": ["steps": "unsupported"], "2024-06-15": ["steps": "unsupported"],
        "2024-06-16": ["steps": "5.0"],
      ])
    func unspoken(_ date: String) -> Set<DailyMetric> {
      Set(DailyMetric.allCases.filter { result[date]?.readings.speaksOf.contains($0) == false })
    }
    #expect(
      unspoken("2024-06-11") == [
        .sleepAsleep, .sleepInBed, .sleepCore, .sleepDeep, .sleepREM, .sleepAwake,
      ])
    let pulse = Set(WordGroup(of: .restingHeartRate).metrics)
    #expect(unspoken("2024-06-13") == pulse.union([.steps]))
    let pressure = Set(WordGroup(of: .bloodPressureSystolic).metrics)
    #expect(unspoken("2024-06-14") == pressure.union([.steps]))
    #expect(unspoken("2024-06-15") == [.steps] && unspoken("2024-06-16").isEmpty)
    #expect(
      result["2024-06-13"]?.readings.notes == [
        "steps, resting_hr_avg: a record of the day can't be read, and a part gives no number, so what it had stays"
      ])
  }

  @Test
  func `R18: a record that ends before it begins leaves the days of both times without a number`()
    throws
  {
    var export = SampleExport()
    for day in 10...14 {
      export.add(
        .stepCount, "2024-06-\(day) 08:00+02:00", "2024-06-\(day) 09:00+02:00", 5, .count)
    }
    export.add(.stepCount, "2024-06-13 08:10+02:00", "2024-06-11 08:00+02:00", 5, .count)
    export.addSleep("2024-06-11 23:00+02:00", "2024-06-12 03:00+02:00", .asleepCore)
    export.addSleep("2024-06-12 04:00+02:00", "2024-06-12 03:00+02:00", .asleepDeep)
    let result = try export.days()
    #expect(result.tally.leftOut == [.endsBeforeStart: 2])
    let night = ["sleep_asleep_minutes", "sleep_in_bed_minutes"].map { ($0, "unsupported") }
    #expect(
      result.table == [
        "2024-06-10": ["steps": "5.0"], "2024-06-11": ["steps": "unsupported"],
        "2024-06-12": ["steps": "5.0"].merging(night) { $1 },
        "2024-06-13": ["steps": "unsupported"], "2024-06-14": ["steps": "5.0"],
      ])
  }

  @Test func `R18: of more records that can't be read than are kept, none is forgotten`() throws {
    var export = SampleExport()
    let first = SampleExport.moment("2024-06-10 08:00+02:00")
    // Each in a quarter of an hour of its own, but for the last ones.
    for number in 0...100_000 { export.addUnread(.flightsClimbed, at: first - Int64(number) * 900) }
    export.addUnread(.stepCount, "2024-06-11 08:00+02:00", "2024-06-11 08:10+02:00")
    export.addUnread(.stepCount, "2024-06-13 08:00+02:00", "2024-06-13 08:10+02:00")
    for day in 10...14 {
      export.add(
        .stepCount, "2024-06-\(day) 08:00+02:00", "2024-06-\(day) 09:00+02:00", 5, .count)
    }
    // The day between may have one, too.
    let table = try export.days { $0.metrics = [.steps, .flightsClimbed] }.table
    #expect(
      (10...14).map { table["2024-06-\($0)"]?["steps"] } == [
        "5.0", "unsupported", "unsupported", "unsupported", "5.0",
      ])
  }

  @Test func `samples that can't be are left out, counted and distinguished`() throws {
    var export = SampleExport()
    export.add(.stepCount, "2024-06-10 08:10+02:00", "2024-06-10 08:00+02:00", 5, .count)
    export.add(.stepCount, "2024-06-10 08:00+02:00", "2024-08-10 08:00+02:00", 5, .count)
    export.add(.stepCount, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", -5, .count)
    export.add(.stepCount, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", .nan, .count)
    export.add(.stepCount, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", 1e13, .count)
    export.add(.stepCount, "1800-06-10 08:00+02:00", "1800-06-10 08:10+02:00", 5, .count)
    let result = try export.days()
    #expect(result.table == ["2024-06-10": ["steps": "unsupported"]])
    #expect(
      result.tally.leftOut == [.endsBeforeStart: 1, .tooLong: 1, .value: 3, .date: 1])
  }

  @Test func `travel: days are those of the reporting zone`() throws {
    // 23:00 to 01:00 in New York is 05:00 to 07:00 in Paris, on the day of its second half.
    var export = SampleExport()
    export.add(.stepCount, "2024-06-10 23:00-04:00", "2024-06-11 01:00-04:00", 100, .count)
    #expect(try export.days().table == ["2024-06-11": ["steps": "100.0"]])
    #expect(
      try export.days("America/New_York").table == [
        "2024-06-10": ["steps": "50.0"], "2024-06-11": ["steps": "50.0"],
      ])
  }
}
