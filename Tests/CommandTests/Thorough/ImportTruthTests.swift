import Foundation
import TestSupport
import Testing

/// Imports of generated exports, whose truth is known, read back day by day.
@Suite(.process) struct ImportTruthTests {
  /// An export, and what makes it worth a test.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let arguments: [String]
    /// A day of 23 hours, over whose end the generator's 24 hours of energy run into the next.
    var shortDay: String?
  }

  static let cases: [Case] = [
    Case(testDescription: "summer", arguments: ["--days", "12"]),
    Case(
      testDescription: "winter days in an export of summer",
      arguments: ["--days", "9", "--end", "2024-01-10", "--seed", "5"]),
    Case(
      testDescription: "the change to summer time, in kilojoules, with the broken DTD of iOS 16",
      arguments: [
        "--days", "9", "--end", "2024-04-04", "--seed", "6", "--energy-unit", "kJ", "--dtd", "v12",
      ], shortDay: "2024-03-31"),
    Case(
      testDescription: "the change to winter time, in Cal, with a surplus bracket in the DTD",
      arguments: [
        "--days", "9", "--end", "2023-11-02", "--seed", "7", "--energy-unit", "Cal", "--dtd",
        "v13extra",
      ]),
    Case(
      testDescription: "a life in New York exported in Paris, without a DTD",
      arguments: [
        "--days", "10", "--end", "2024-03-15", "--seed", "8", "--tz", "America/New_York", "--dtd",
        "none",
      ], shortDay: "2024-03-10"),
    Case(
      testDescription: "half-hour shifts on Lord Howe",
      arguments: [
        "--days", "8", "--end", "2024-04-10", "--seed", "9", "--tz", "Australia/Lord_Howe",
        "--offset", "+1030",
      ]),
  ]

  @Test(arguments: cases)
  func `every day's eight metrics are what was generated, from XML and from the zip`(
    _ test: Case
  ) async throws {
    let program = try Program().asOneCollector().withoutZone()
    defer { program.removeHome() }
    let export = try await GeneratedExport(program, test.arguments)
    let run = try await program.succeeds(["import", export.xml, "--output", "json"]).json()
    #expect(run["timezone"] as? String == export.timeZoneName)
    #expect(run["timezone_reason"] as? String == "export")
    #expect(run["counts"] as? [String: Int] == ["published": export.days.count])
    try expectAgreementWithApple(run, export, mayDiffer: test.shortDay == nil ? 0 : 2)
    var documents: [String: [String: Any]] = [:]
    for date in export.dates { documents[date] = try await program.day(date) }
    for (date, truth) in export.days {
      let energy = try energy(of: date, export, shortDay: test.shortDay, documents)
      try expect(truth, try #require(documents[date]), date, energy: energy)
    }
    let again = try await program.succeeds(["import", export.zip, "--output", "json"]).json()
    #expect(again["counts"] as? [String: Int] == ["unchanged": export.days.count])
    #expect(again["entry"] as? String == "apple_health_export/export.xml")
  }

  /// Our figures are within 2 % of Apple's own summary on every day worn.
  private func expectAgreementWithApple(
    _ run: [String: Any], _ export: GeneratedExport, mayDiffer: Int
  ) throws {
    let check = try #require(run["activity_check"] as? [String: Any])
    let days = try #require(check["days"] as? [String: Int])
    let worn = export.days.values.count { $0.rhr != nil }
    #expect(worn > 0)
    #expect(days["compared"] == worn)
    #expect(days["missing"] == 0)
    #expect(try #require(days["beyond"]) <= mayDiffer, "\(days)")
  }

  /// The energy that a day must have: of a short day and the next, only the sum is known.
  private func energy(
    of date: String, _ export: GeneratedExport, shortDay: String?,
    _ documents: [String: [String: Any]]
  ) throws -> Double {
    let truth = try #require(export.days[date]).energy
    guard let shortDay, let next = export.dates.first(where: { $0 > shortDay }),
      date == shortDay || date == next
    else { return truth }
    let other = date == shortDay ? next : shortDay
    let metrics = try #require(documents[other]?["metrics"] as? [String: Any])
    let found = metrics["active_energy_kcal"] as? Double ?? 0
    return truth + (try #require(export.days[other])).energy - found
  }

  private func expect(
    _ truth: GeneratedExport.Truth, _ document: [String: Any], _ date: String, energy: Double
  ) throws {
    let metrics = try #require(document["metrics"] as? [String: Any])
    func check(_ name: String, _ number: Double?, within tolerance: Double = 1e-4) {
      let found = metrics[name] as? Double
      guard let number else {
        #expect(metrics[name] is NSNull, "\(date) \(name): \(found ?? .nan), not no_data")
        return
      }
      #expect(
        abs((found ?? .infinity) - number) <= tolerance,
        "\(date) \(name): \(found ?? .nan), not \(number)")
    }
    let worn = truth.rhr != nil
    check("steps", truth.watchSteps + truth.phoneSteps, within: 0.5)
    check("active_energy_kcal", worn ? energy : nil)
    check("exercise_minutes", worn ? truth.exercise : nil)
    check("stand_hours", worn ? truth.stand : nil)
    check("resting_hr_avg", truth.rhr)
    check(
      "hrv_sdnn_avg",
      truth.hrv.isEmpty ? nil : truth.hrv.reduce(0, +) / Double(truth.hrv.count))
    check("sleep_asleep_minutes", worn ? truth.asleep : nil)
    check("sleep_in_bed_minutes", truth.inbed > 0 ? truth.inbed : nil)
  }
}
