import Foundation
import HealthLedger
import HealthModel
import Testing

@testable import HealthSources

/// Which of an input's days are published, and in which zone.
@Suite(.unit) struct DaySelectionTests {
  private let week = Array(
    """
    {"days": [{"date": "2026-02-06", "metrics": {"steps": 6}},
              {"date": "2026-02-07", "metrics": {"steps": 7}},
              {"date": "2026-02-08", "metrics": {"steps": 8}}]}
    """.utf8)
  private let zones = ReportingZones("Europe/Berlin")
  private let request = Input.Request(
    in: ZoneSetting(given: "Europe/Berlin", origin: "--timezone"), at: .testNow)
  private let collector = Collector(collectorID: UUID(), deviceID: UUID())

  private func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  private func dates(_ selection: DaySelection) throws -> [String] {
    try selection.read(week, named: "week.json", request).days.map(\.date.description)
  }

  @Test func `of several days those asked for are selected`() throws {
    #expect(try dates(.all) == ["2026-02-06", "2026-02-07", "2026-02-08"])
    #expect(
      try dates(.dates(try date("2026-02-07")...(try date("2026-03-01"))))
        == ["2026-02-07", "2026-02-08"])
  }

  @Test func `of several days none is selected unless it is said which`() throws {
    let error = try #require(throws: LedgerError.self) { try dates(.onlyDay) }
    #expect(error.message == "week.json holds 3 days, 2026-02-06 to 2026-02-08")
    #expect(error.remedy == .input(.chooseDates(last: try date("2026-02-08"))))
  }

  @Test func `dates that the input does not hold have no data`() throws {
    let day = try date("2026-02-09")
    let error = try #require(throws: LedgerError.self) { try dates(.dates(day...day)) }
    #expect(error.code == .dataNotFound && error.remedy == .input(.askForHeldDate))
  }

  @Test func `an input without a date is of the one date asked for`() throws {
    let undated = Array(#"{"metrics": {"steps": 1}}"#.utf8)
    let day = try date("2026-02-09")
    let selected = try DaySelection.dates(day...day).read(undated, named: "-", request)
    #expect(selected.days.map(\.date) == [day])
    #expect(throws: LedgerError.self) {
      try DaySelection.all.read(undated, named: "-", request)
    }
  }

  @Test func `R19: dates still to come are left out and told; none but those is refused`() throws {
    // In no zone has 2026-02-08 begun.
    let now = Timestamp(secondsSince1970: 1_770_400_000)
    var selected = try DaySelection.all.read(week, named: "week.json", request)
    try selected.leaveOutFuture(at: now)
    #expect(selected.days.map(\.date.description) == ["2026-02-06", "2026-02-07"])
    let last = try date("2026-02-08")
    #expect(selected.notes == [.leftOutFuture(count: 1, first: last, last: last)])
    var future = try DaySelection.dates(last...last).read(week, named: "week.json", request)
    let error = try #require(throws: LedgerError.self) { try future.leaveOutFuture(at: now) }
    #expect(error.remedy == .input(.allowFuture) && error.rule == "R19")
  }

  @Test func `R19: dates before 1900 are left out and told; none but those is refused`() throws {
    let old = Array(
      #"{"days": [{"date": "1582-10-10", "metrics": {}}, {"date": "1900-01-01", "metrics": {}}]}"#
        .utf8)
    var selected = try DaySelection.all.read(old, named: "-", request)
    try selected.leaveOutPast()
    #expect(selected.days.map(\.date.description) == ["1900-01-01"])
    let first = try date("1582-10-10")
    #expect(selected.notes.last == .leftOutPast(count: 1, first: first, last: first))
    var past = try DaySelection.dates(first...first).read(old, named: "-", request)
    let error = try #require(throws: LedgerError.self) { try past.leaveOutPast() }
    #expect(error.remedy == .input(.allowPast) && error.rule == "R19")
  }

  @Test func `a number that no living person has is reported by date and metric (R9)`() throws {
    let day = Array(
      #"{"date": "2026-02-08", "metrics": {"resting_hr_avg": 5000, "steps": 8432, "weight": 9000}}"#
        .utf8)
    let selected = try DaySelection.all.read(day, named: "-", request)
    #expect(
      selected.notes == [
        .text(
          "2026-02-08: resting_hr_avg: 5,000 bpm is not between 20 and 200; check the unit and the source"
        ),
        .text(
          "2026-02-08: weight: 9,000 kg is not between 1 and 700; check the unit and the source"
        ),
      ])
    #expect(selected.days.count == 1)
  }

  @Test func `drafts are cut in the input's zone, else in that of the reader`() throws {
    let dated = Array(
      """
      {"date": "2026-02-08", "timezone": "Asia/Tokyo", "captured_at": "2026-02-08T12:00:00Z",
       "metrics": {"steps": 8}}
      """.utf8)
    let drafts = try DaySelection.onlyDay.read(dated, named: "day.json", request)
      .drafts(collector: collector, in: zones, at: .testNow)
    #expect(drafts.map(\.day.timeZoneName) == ["Asia/Tokyo"])
    // It says when it was made, so that newer data stays.
    #expect(drafts.map(\.isReadNow) == [false])
    let plain = try DaySelection.all.read(week, named: "week.json", request)
      .drafts(collector: collector, in: zones, at: .testNow)
    #expect(plain.map(\.day.timeZoneName) == Array(repeating: "Europe/Berlin", count: 3))
    #expect(plain.allSatisfy { $0.capturedAt == .testNow && $0.isReadNow })
  }

  @Test func `a zone is taken by its name, or told by what was meant (R4)`() throws {
    let good = ZoneSetting(given: "Europe/Paris, America/New_York@2024-03-02", origin: "the test")
    #expect(good.failure == nil && good.zones.periods.count == 2)
    let bad = ZoneSetting(given: "Middle/Earth", origin: "the test")
    #expect(bad.failure?.remedy == .input(.nameZone) && bad.failure?.rule == "R4")
    #expect(throws: LedgerError.self) { try bad.usable }
    let machine = ZoneSetting(machine: "berlin")
    #expect(machine.failure?.remedy == .input(.setZone(meant: "Europe/Berlin")))
    #expect(!machine.isGiven && machine.origin == "TZ")
    #expect(ZoneSetting(machine: ":Asia/Tokyo").text == "Asia/Tokyo")
  }
}
