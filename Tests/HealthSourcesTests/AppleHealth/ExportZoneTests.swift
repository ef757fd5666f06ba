import AppleExport
import HealthLedger
import HealthModel
import HealthSources
import Testing

/// Whose days an export's are where its records name more than one zone.
@Suite(.unit) struct ExportZoneTests {
  /// Names a zone on each of some dates at noon UTC.
  private func names(
    _ zone: String, from first: String, days: Int, in export: inout SampleExport
  ) {
    let start = SampleExport.moment("\(first) 12:00+00:00")
    for day in 0..<days {
      export.datedZones.append((zone, start + Int64(day) * 86_400))
    }
  }

  @Test func `R4: a stay in another zone has that zone's days, and a journey has not`() throws {
    var export = SampleExport()
    names("Europe/Paris", from: "2024-01-01", days: 61, in: &export)
    names("America/New_York", from: "2024-03-02", days: 7, in: &export)
    names("Asia/Tokyo", from: "2024-03-09", days: 6, in: &export)
    names("Europe/Paris", from: "2024-03-15", days: 10, in: &export)
    // Of a date the zone that most records name counts.
    names("Asia/Tokyo", from: "2024-03-04", days: 1, in: &export)
    names("America/New_York", from: "2024-03-04", days: 1, in: &export)
    let zone = try export.days(nil).zone
    #expect(zone.name == "Europe/Paris, America/New_York@2024-03-02, Europe/Paris@2024-03-15")
    #expect(zone.reason == .byPeriod(records: 86))
    #expect(
      zone.zones.sentence
        == "Europe/Paris until 2024-03-01, America/New_York from 2024-03-02 to 2024-03-14 and "
        + "Europe/Paris from 2024-03-15")
    // What is asked for comes first, and the evidence is reported all the same.
    let asked = try export.days("Asia/Tokyo").zone
    #expect(asked.name == "Asia/Tokyo")
    #expect(asked.evidence == zone.zones)
    #expect(try export.days(nil).zone == export.reversingSources().days(nil).zone)
  }

  /// Names a zone in each of some nights, in bed at 23:00 by its own clock.
  private func sleeps(
    in zone: String, _ offset: String, from first: String, nights: Int, _ export: inout SampleExport
  ) {
    let start = SampleExport.moment("\(first) 23:00\(offset)")
    for night in 0..<nights { export.nightZones.append((zone, start + Int64(night) * 86_400)) }
  }

  @Test func `R19: three nights that all name a zone are a stay, and the way back ends it`() throws
  {
    var export = SampleExport()
    sleeps(in: "Europe/Paris", "+01:00", from: "2024-01-01", nights: 20, &export)
    sleeps(in: "America/New_York", "-05:00", from: "2024-01-21", nights: 3, &export)
    sleeps(in: "Europe/Paris", "+01:00", from: "2024-01-24", nights: 2, &export)
    sleeps(in: "Asia/Tokyo", "+09:00", from: "2024-01-26", nights: 5, &export)
    sleeps(in: "Europe/Paris", "+01:00", from: "2024-01-31", nights: 20, &export)
    #expect(
      try export.days(nil).zone.name
        == "Europe/Paris, America/New_York@2024-01-21, Europe/Paris@2024-01-24, "
        + "Asia/Tokyo@2024-01-26, Europe/Paris@2024-01-31")
  }

  @Test(arguments: [
    "two nights", "a night without a name", "a night of two zones", "UTC", "no sleep",
  ])
  func `R19: less than three nights of one place are a journey`(why: String) throws {
    var export = SampleExport()
    sleeps(in: "Europe/Paris", "+01:00", from: "2024-01-01", nights: 20, &export)
    let name = why == "UTC" ? "Etc/UTC" : "America/New_York"
    switch why {
    case "two nights": sleeps(in: name, "-05:00", from: "2024-01-21", nights: 2, &export)
    case "no sleep": names(name, from: "2024-01-21", days: 6, in: &export)
    case "a night without a name":
      sleeps(in: name, "-05:00", from: "2024-01-21", nights: 2, &export)
      sleeps(in: name, "-05:00", from: "2024-01-24", nights: 2, &export)
    default: sleeps(in: name, "+00:00", from: "2024-01-21", nights: 5, &export)
    }
    if why == "a night of two zones" {
      sleeps(in: "Europe/Paris", "+01:00", from: "2024-01-23", nights: 1, &export)
    }
    sleeps(in: "Europe/Paris", "+01:00", from: "2024-01-27", nights: 20, &export)
    #expect(try export.days(nil).zone.name == "Europe/Paris")
  }

  @Test func `one zone named on and off is not a move`() throws {
    var export = SampleExport()
    names("Europe/Paris", from: "2024-01-01", days: 61, in: &export)
    for day in 1...9 { names("UTC", from: "2024-03-0\(day)", days: 1, in: &export) }
    for day in 1...9 {
      names("Europe/Paris", from: "2024-03-0\(day)", days: day % 2 * 2, in: &export)
    }
    #expect(try export.days(nil).zone.name == "Europe/Paris")
  }

  @Test func `R18: at a change of zones every moment counts, and once`() throws {
    var export = SampleExport()
    // Two days of one step a minute.
    export.add(.stepCount, "2024-03-01 00:00+01:00", "2024-03-03 00:00-05:00", 3240, .count)
    let zones = "Europe/Paris, America/New_York@2024-03-02"
    let west = try export.days(zones)
    #expect(west.table == ["2024-03-01": ["steps": "1440.0"], "2024-03-02": ["steps": "1800.0"]])
    let days = west.days.map(\.readings)
    #expect(days.map(\.timeZoneName) == ["Europe/Paris", "America/New_York"])
    #expect(
      days.map(\.notes) == [
        [],
        ["the first day in America/New_York: the 360 minutes since the day before count, too"],
      ])
    let east = try export.days("America/New_York, Europe/Paris@2024-03-02")
    #expect(
      east.table == [
        "2024-02-29": ["steps": "360.0"], "2024-03-01": ["steps": "1440.0"],
        "2024-03-02": ["steps": "1080.0"], "2024-03-03": ["steps": "360.0"],
      ])
  }

  @Test func `where Apple's own figures agree on one side of a date alone, that date is reported`()
    throws
  {
    var export = SampleExport()
    for day in 0..<40 {
      let date = try #require(CalendarDate("2024-06-01")?.adding(days: day))
      let next = try #require(date.adding(days: 1))
      let offset = day < 20 ? "+02:00" : "+09:00"
      let energy = day % 2 == 0 ? 300.0 : 500
      export.add(
        .activeEnergyBurned, "\(date) 00:00\(offset)", "\(next) 00:00\(offset)", energy,
        .kilocalorie)
      export.summaries.append(
        ActivitySummary(date: "\(date)", activeEnergy: energy, activeEnergyGoal: 400))
    }
    let turn = try #require(try export.days().crossCheck.turn)
    #expect("\(turn.firstAfter)" == "2024-06-20" || "\(turn.firstAfter)" == "2024-06-21")
    #expect(turn.agreesBefore)
    #expect(try export.days("Asia/Tokyo").crossCheck.turn?.agreesBefore == false)
    #expect(try export.days("Europe/Paris, Asia/Tokyo@2024-06-21").crossCheck.turn == nil)
  }

  @Test func `a zone by another name is refused, and so are zones without order`() throws {
    let cases = [
      ("europe/paris", "the time zone database has no \"europe/paris\""),
      ("", "the time zone database has no \"\""),
      ("Europe/Paris,", "the time zone database has no \"\""),
      ("Europe/Paris, Asia/Tokyo", "the time zone Asia/Tokyo has no first date"),
      ("Asia/Tokyo@2024-03-02", "no time zone is given for the time before the first date"),
      (
        "UTC, Asia/Tokyo@2024-02-30",
        "\"2024-02-30\" is not a valid first date of a time zone"
      ),
      (
        "UTC, Asia/Tokyo@2024-03-02, Asia/Seoul@2024-03-02",
        "two time zones begin on 2024-03-02"
      ),
    ]
    for (text, message) in cases {
      let error = #expect(throws: LedgerError.self) { try ReportingZones(parsing: text) }
      #expect(error?.message == message)
      #expect(error?.code == .invalidArguments && error?.remedy != nil)
    }
    let text = "Europe/Paris, America/New_York@2024-03-02"
    #expect(try ReportingZones(parsing: text).description == text)
    let unordered = "America/New_York @ 2024-03-02 ,Europe/Paris"
    #expect(try ReportingZones(parsing: unordered).description == text)
    #expect(try ReportingZones(parsing: "UTC, UTC@2024-03-02").description == "UTC")
  }

  @Test func `a machine's zone that contradicts the export's offset is seen`() throws {
    let moment = Timestamp(secondsSince1970: Int(SampleExport.moment("2024-06-15 20:30+09:00")))
    let machine = ZoneChoice(name: "Europe/Berlin", reason: .system)
    #expect(machine.contradiction(to: 9 * 3600, at: moment) == 2 * 3600)
    #expect(machine.contradiction(to: 2 * 3600, at: moment) == nil)
    let asked = ZoneChoice(name: "Europe/Berlin", reason: .asked)
    #expect(asked.contradiction(to: 9 * 3600, at: moment) == nil)
  }
}
