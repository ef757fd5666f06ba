import HealthModel
import HealthSources
import Testing

/// R19: which moments an input of rows has, which are those of the phone's days.
@Suite(.unit) struct InputMomentsTests {
  @Test(arguments: [
    ("2026-11-20 08:00:00 +0100", "2026-11-19T23:00:00Z", 24),
    // `Z` does not show where the phone was: its day is that of the zone.
    ("2026-11-20T07:00:00Z", "2026-11-19T23:00:00Z", 24),
    ("2026-11-20T23:30:00Z", "2026-11-20T23:00:00Z", 24),
    // Another offset does.
    ("2026-11-20 08:00:00 +0900", "2026-11-19T15:00:00Z", 24),
    // A day on which clocks change, before the change and after it.
    ("2026-10-25 01:00:00 +0200", "2026-10-24T22:00:00Z", 25),
    ("2026-10-25 12:00:00 +0100", "2026-10-24T22:00:00Z", 25),
    ("2026-03-29 12:00:00 +0200", "2026-03-28T23:00:00Z", 23),
  ])
  func `R19: a row has the day of the phone on which it begins`(
    date: String, start: String, hours: Int
  ) throws {
    let text = Payloads.export([("step_count", "count", [Payloads.row(date, "100")])])
    var series = try PayloadSeries(timeZoneName: "Europe/Berlin")
    try series.add(SourceDocument(parsing: Array(text.utf8)))
    let moments = try #require(try series.result().days.first?.moments)
    let first = try #require(Timestamp(start)).secondsSince1970
    #expect(moments.reach(in: first - 86_400..<first + 200_000) == first..<first + hours * 3600)
  }
}
