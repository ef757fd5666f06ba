import HealthCollector
import HealthModel
import Testing

@Suite(.unit) struct CollectorRunTests {
  @Test func `R49: a run recomputes today and the seven days before it`() throws {
    let today = try #require(CalendarDate("2026-03-02"))
    let dates = CollectorRun(today: today).dates
    #expect(dates.count == 8)
    #expect(dates.first == CalendarDate("2026-02-23") && dates.last == today)
    #expect(CollectorRun(today: today, catchUpDays: 0).dates == [today])
  }
}
