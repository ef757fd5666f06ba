import HTTPClient
import HealthModel
import Testing

/// The calendar of signatures, against the one of the model, which the program uses for days.
@Suite(.tags(.unit)) struct CivilCalendarTests {
  @Test func `the calendar of signatures agrees with that of the model on every day`() throws {
    let last = try #require(CalendarDate(year: 9999, month: 12, day: 31)).daysSince1970
    let first = try #require(CalendarDate(year: 1, month: 1, day: 1)).daysSince1970
    var disagreements: [Int] = []
    for days in first...last {
      let (year, month, day) = CivilCalendar.date(daysSince1970: days)
      let back = CivilCalendar.daysSince1970(year: year, month: month, day: day)
      let date = CalendarDate(year: year, month: month, day: day)
      if date?.daysSince1970 != days || back != days { disagreements.append(days) }
    }
    #expect(disagreements.isEmpty, "\(disagreements.prefix(5))")
  }
}
