import AppleExport
import Foundation
import HealthModel
import HealthSources
import TestSupport
import Testing

/// Whole exports that were made up, held against what was put into them.
@Suite(.process) struct TruthTests {
  @Test(arguments: [
    ["--seed", "1"],
    ["--seed", "2", "--offset", "-0700", "--tz", "America/New_York", "--energy-unit", "kJ"],
    ["--seed", "3", "--offset", "+0545", "--tz", "Asia/Kathmandu", "--energy-unit", "Cal"],
    ["--seed", "4", "--offset", "+0530", "--tz", "Asia/Kolkata", "--dtd", "none"],
    ["--seed", "5", "--offset", "+1100", "--tz", "Australia/Lord_Howe", "--dtd", "v12"],
    ["--seed", "6", "--tz", "Europe/Paris", "--end", "2024-04-10", "--dtd", "v13extra"],
    ["--seed", "7", "--tz", "America/New_York", "--end", "2023-11-20", "--energy-unit", "kJ"],
    ["--seed", "8", "--tz", "Australia/Lord_Howe", "--end", "2023-10-15", "--offset", "-0700"],
    ["--seed", "9", "--tz", "Europe/Paris", "--end", "2023-11-10", "--offset", "+0545"],
  ])
  func `R18: every day's figures are what was put in`(arguments: [String]) async throws {
    let folder = try ScratchFolder()
    let truth = try await GeneratedExport.make(
      in: folder.url, arguments + ["--days", "60", "--mb", "4"])
    let result = try CollectedExport(
      reading: folder.url.appending(path: "export.xml"), samplesInMemory: 1000)
    #expect(result.zone.name == truth.tz)
    #expect(truth.days.count == 60)
    let short = try truth.days.keys.filter { try Self.hours($0, truth.tz) < 24 }
    for (date, day) in truth.days {
      let readings = result[date]?.readings.readings ?? [:]
      #expect(readings[.steps]?.number == day.steps_watch + day.steps_phone_exclusive, "\(date)")
      let isWorn = day.rhr != nil
      #expect((readings[.activeEnergy] != nil) == isWorn || Self.follows(short, date), "\(date)")
      // The generator lays 24 hours of energy over a day of 23, so that some is the next day's.
      let dates = [date] + (short.contains(date) ? [Self.after(date)] : [])
      if !Self.follows(short, date) {
        let energy = dates.reduce(0) { $0 + (result.number(.activeEnergy, $1) ?? 0) }
        let put = dates.reduce(0) { $0 + (truth.days[$1]?.energy ?? 0) }
        #expect(abs(energy - put) < 1e-4, "\(date)")
      }
      #expect(readings[.exerciseMinutes]?.number == (isWorn ? day.exercise : nil), "\(date)")
      #expect(readings[.standHours]?.number == (isWorn ? day.stand : nil), "\(date)")
      #expect(readings[.restingHeartRate]?.number == day.rhr, "\(date)")
      let mean = day.hrv.isEmpty ? nil : day.hrv.reduce(0, +) / Double(day.hrv.count)
      let variability = readings[.heartRateVariability]?.number
      #expect((mean == nil) == (variability == nil), "\(date)")
      #expect(abs((mean ?? 0) - (variability ?? 0)) < 1e-5, "\(date)")
      #expect(abs((readings[.sleepAsleep]?.number ?? 0) - day.asleep) < 1e-5, "\(date)")
      #expect(abs((readings[.sleepInBed]?.number ?? 0) - day.inbed) < 1e-5, "\(date)")
    }
    #expect(Set(result.days.map { "\($0.readings.date)" }).subtracting(truth.days.keys).isEmpty)
    #expect(result.crossCheck.days.beyond <= 2 * short.count)
    #expect(result.crossCheck.days.compared > 50)
  }

  private static func hours(_ date: String, _ zone: String) throws -> Double {
    let day = try ReportingDay(date: #require(CalendarDate(date)), timeZoneName: zone)
    return Double(
      day.end.timestamp.secondsSince1970 - day.start.timestamp.secondsSince1970) / 3600
  }

  private static func after(_ date: String) -> String {
    CalendarDate(date)?.adding(days: 1).map { "\($0)" } ?? ""
  }

  private static func follows(_ dates: [String], _ date: String) -> Bool {
    dates.contains { after($0) == date }
  }
}

/// An export that was made up, with the truth about each of its days.
struct GeneratedExport: Decodable {
  /// What the generator put into a day.
  struct Day: Decodable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    let steps_watch: Double
    // swift-format-ignore: AlwaysUseLowerCamelCase
    let steps_phone_exclusive: Double
    /// Kilocalories.
    let energy: Double
    let exercise: Double
    let stand: Double
    let rhr: Double?
    let hrv: [Double]
    /// Minutes of the night that ends on the day.
    let asleep: Double
    let inbed: Double
  }

  let tz: String
  let days: [String: Day]

  /// Makes an export in `folder`; the file is `export.xml` there.
  static func make(in folder: URL, _ arguments: [String]) async throws -> GeneratedExport {
    let file = folder.appending(path: "export.xml")
    _ = try await PeerPython.run("gen_export.py", arguments: [file.path] + arguments)
    let truth = folder.appending(path: "export.truth.json")
    return try JSONDecoder().decode(Self.self, from: Data(contentsOf: truth))
  }
}
