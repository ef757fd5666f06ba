import AppleExport
import Foundation
import HealthModel
import HealthSources
import TestSupport
import Testing

/// The exports that other projects test with (Tests/AppleExportTests/Fixtures/README.md): the
/// totals of each, worked out by hand.
@Suite(.unit) struct ExportFixtureTests {
  private func read(
    _ name: String, _ zone: String?, isWide: Bool = false
  ) throws -> CollectedExport {
    let file = ProjectTree.root.appending(path: "Tests/AppleExportTests/Fixtures/\(name).xml")
    return try CollectedExport(reading: file, zone: zone) { options in
      guard isWide else { return }
      (options.metrics, options.wantsRecords) = (Set(DailyMetric.allCases), true)
    }
  }

  @Test func `ten stretches of steps of an iPhone of 2014`() throws {
    // 329 + 283 + 426 + 61 + 10 + 200 + 390 + 320 + 216 + 282, all on one morning.
    let result = try read("tdda-applehealthdata-export6s3sample", "Europe/London")
    #expect(result.table["2014-09-13"] == ["steps": "2517.0"])
    // 2.88 + 2.84 + 1.42 + 6.39 + 5.9 m.
    let wide = try read("tdda-applehealthdata-export6s3sample", "Europe/London", isWide: true)
    #expect(wide["2014-09-20"]?.readings.readings.optional == [.distance: 19.43])
  }

  @Test func `one record of each type, and energy that spans 12 days`() throws {
    let result = try read("jdecool-healthkit-parser-exporter", "Europe/Paris")
    #expect(result.table["2016-07-11"] == ["steps": "14.0"])
    #expect(result.table["2018-11-19"] == ["hrv_sdnn_avg": "25.5526"])
    // From 06:13:30 to 21:06:16.
    #expect(result.table["2018-11-30"] == ["resting_hr_avg": "49.0"])
    #expect(result.table["2019-01-17"] == ["exercise_minutes": "1.0"])
    // 0.058 kcal over 1,075,694 s from 2018-10-28 02:30:13 on: 77,387 s are of the first day,
    // 86,400 of each of the next, 47,907 of the last.
    #expect(result.number(.activeEnergy, "2018-10-28") == 0.004173)
    #expect(result.number(.activeEnergy, "2018-11-03") == 0.004659)
    #expect(result.number(.activeEnergy, "2018-11-09") == 0.002583)
    #expect(result.days.count { $0.readings.readings[.activeEnergy] != nil } == 13)
    let wide = try read("jdecool-healthkit-parser-exporter", "Europe/Paris", isWide: true)
    // 83 kg and a pulse of 90 on one day; 6.8552 km; 42.095 mL/min·kg; 107.5 beats while walking.
    #expect(
      wide["2018-11-16"]?.readings.readings.optional == [
        .weight: 83, .height: 183, .heartRateMean: 90, .heartRateMinimum: 90, .heartRateMaximum: 90,
      ])
    #expect(wide["2019-01-11"]?.readings.readings.optional == [.distance: 6855.2])
    #expect(wide["2018-12-08"]?.readings.readings.optional == [.vo2Max: 42.095])
    #expect(wide["2018-12-21"]?.readings.readings.optional == [.walkingHeartRate: 107.5])
  }

  @Test func `a phone and Strava, in a zone that only the metadata tell`() throws {
    let result = try read("watsonbox-healthkit-parser-export", nil)
    #expect(result.zone.name == "Europe/Moscow")
    // In bed from 08:18:36 to 09:54:40: 5,764 s.
    #expect(
      result.table == [
        "2016-04-07": ["steps": "31.0"], "2017-08-02": ["active_energy_kcal": "388.3"],
        "2016-09-23": ["sleep_in_bed_minutes": "96.066667"],
      ])
    let wide = try read("watsonbox-healthkit-parser-export", nil, isWide: true)
    #expect(wide["2017-09-07"]?.records?.workouts.map(\.activity) == ["Cycling"])
    #expect(wide["2017-09-11"]?.records?.workouts.map { $0.figures[.distance] } == [4422])
    // The two records of the correlation stand at the top too.
    #expect(
      wide["2017-09-07"]?.readings.readings.optional == [
        .bloodPressureSystolic: 118, .bloodPressureDiastolic: 66,
      ])
    #expect(wide.tally.leftOut == [:])
    #expect(wide["2016-04-07"]?.readings.readings.optional == [.distance: 21.76])
  }

  @Test func `sleep that ends after the date of the export is left out`() throws {
    let example = try read("tagbug-apple-health-analyzer-example", "UTC")
    #expect(example.table == ["2024-01-02": ["steps": "3000.0"]])
    #expect(example.tally.leftOut == [.afterExport: 1])
    let export = try read("tagbug-apple-health-analyzer-export", "UTC")
    #expect(
      export.table == ["2024-01-01": ["resting_hr_avg": "60.0", "hrv_sdnn_avg": "45.0"]])
    #expect(export.tally.leftOut == [.afterExport: 1])
    // VO2 max in `ml/kg/min`, which HealthKit does not write: the same unit in other words.
    let wide = try read("tagbug-apple-health-analyzer-export", "UTC", isWide: true)
    #expect(wide["2024-01-01"]?.readings.notes == [])
    #expect(wide["2024-01-01"]?.readings.readings.optional[.vo2Max] == 42)
    #expect(wide["2024-01-01"]?.readings.readings.optional[.heartRateMean] == 70)
  }

  @Test func `exports with no required metric have days only of optional ones`() throws {
    #expect(try read("AlekSi-applehealth-testdata", "Europe/Moscow").days.isEmpty)
    let weight = try read("AlekSi-applehealth-testdata", "Europe/Moscow", isWide: true)
    #expect(weight.days.map(\.readings.readings.optional) == [[.height: 168], [.weight: 65]])
    #expect(weight.days.map { "\($0.readings.date)" } == ["2015-12-21", "2017-07-25"])

    let name = "dogsheep-healthkit-to-sqlite-export"
    #expect(try read(name, nil).days.isEmpty)
    let wide = try read(name, nil, isWide: true)
    #expect(wide.zone.name == "America/Los_Angeles")
    #expect(wide["2016-04-18"]?.readings.readings.optional == [.bodyMassIndex: 22.5312])
    // 02:28 in Los Angeles is 09:28 UTC.
    #expect(wide["2018-09-10"]?.readings.readings.optional[.heartRateMean] == 72)
    let run = try #require(wide["2016-11-14"]?.records?.workouts.first)
    // 0.4971749504535062 mi * 1609.344 m.
    #expect(abs((run.figures[.distance] ?? 0) - 800.1255) < 1e-3)
    #expect(abs((run.figures[.totalEnergy] ?? 0) - 48.745) < 1e-9)
  }

  @Test func `workouts alone, and a pulse without a unit`() throws {
    let wide = try read("paulstaab-health-export-cli-export", "UTC", isWide: true)
    #expect(wide.tally.workouts == 8)
    let day = try #require(wide["2023-12-28"])
    #expect(day.readings.readings.optional.isEmpty)
    #expect(wide.tally.leftOut == [.unit: 5])
    // The workout's statistics say 2.5 km and 900 kJ, an attribute of older exports 2 km.
    let run = try #require(day.records?.workouts.first)
    #expect(run.figures[.distance] == 2500)
    #expect(run.figures[.activeEnergy] == 900 / 4.184)
    // 3.10686 mi.
    let miles = try #require(wide["2024-01-05"]?.records?.workouts.first?.figures[.distance])
    #expect(abs(miles - 5000.006) < 1e-2)
  }
}
