import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import TestSupport
import Testing

@testable import s3health

/// What `put` says of its days (R27).
@Suite(.process) struct PutReportTests {
  @Test(arguments: [
    (0, []),
    (1, ["failed  2026-02-01"]),
    (3, ["failed  2026-02-01 to 2026-02-03 (3 days)", "3 days: 3 failed"]),
  ])
  func `R27: several days have a summary, however few lines they take`(
    days: Int, lines: [String]
  ) throws {
    let program = try TestSupport.Program()
    defer { program.removeHome() }
    let settings = try StoreSettings(
      GivenSettings(), environment: ["HOME": program.home.path])
    let opened = try OpenedStore(settings)
    var outcomes = DayOutcomes()
    let first = try #require(CalendarDate("2026-02-01"))
    for offset in 0..<days {
      let error = LedgerError(.storageUnavailable, "the store is away")
      let date = try #require(first.adding(days: offset))
      outcomes.add(DayOutcomes.Row(date: date, outcome: .failed, error: error))
    }
    let report = PutReport(opened, notes: [], outcomes, isDryRun: false)
    #expect(report.lines(Terminal(isTerminal: false, usesColor: false, width: 80)) == lines)
  }

  @Test func `R27: days on end that are unchanged take one line`() throws {
    let program = try TestSupport.Program()
    defer { program.removeHome() }
    let settings = try StoreSettings(GivenSettings(), environment: ["HOME": program.home.path])
    let opened = try OpenedStore(settings)
    var outcomes = DayOutcomes()
    let first = try #require(CalendarDate("2026-02-01"))
    for offset in 0..<8 {
      let date = try #require(first.adding(days: offset))
      outcomes.add(DayOutcomes.Row(date: date, outcome: .unchanged))
    }
    let report = PutReport(opened, notes: [], outcomes, isDryRun: false)
    #expect(
      report.lines(Terminal(isTerminal: false, usesColor: false, width: 80))
        == ["unchanged  2026-02-01 to 2026-02-08 (8 days)", "8 days: 8 unchanged"])
  }
}
