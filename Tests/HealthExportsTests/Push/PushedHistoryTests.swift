import HealthModel
import StoreTesting
import Testing

@testable import HealthExports

/// Days of the past for Prometheus (R57).
@Suite(.unit) struct PushedHistoryTests {
  @Test func `R57: a sample is never later than its revision, and one of each moment`() throws {
    let midnight = PushedValuesTests.midnight
    let today = try #require(CalendarDate("2026-02-08"))
    var history = PushedHistory(job: "j", instance: "i")
    let now = midnight + 1000
    func day(_ back: Int, _ weight: Double, generated: Int) -> PushedDay {
      let start = midnight - back * 86_400
      return PushedDay(
        date: today.adding(days: -back) ?? today, start: start, end: start + 86_400,
        generatedAt: generated, numbers: [.weight: weight])
    }
    history.add(day(1, 70, generated: midnight - 46_400))
    for (back, weight) in [(0, 71.0), (-5, 72), (-9, 73)] {
      history.add(day(back, weight, generated: now))
    }
    history.add(day(-10, 74, generated: now - 500))
    let samples = history.families().flatMap(\.samples)
    #expect(samples.map(\.value) == [70, 74, 73])
    #expect(samples.map(\.time) == [midnight - 46_400, now - 500, now])
  }
}
