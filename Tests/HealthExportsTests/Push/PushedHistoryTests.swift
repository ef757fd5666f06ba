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

  @Test func `R57 a number of a part of the day stands at the moment of its capture`() throws {
    let midnight = PushedValuesTests.midnight
    var day = PushedDay(
      date: try #require(CalendarDate("2026-02-08")), start: midnight, end: midnight + 86_400,
      generatedAt: midnight + 200_000, numbers: [.steps: 500, .weight: 71])
    day.partial = [.steps: midnight + 43_200]
    var history = PushedHistory(job: "j", instance: "i")
    history.add(day)
    let times = history.families().map { ($0.name, $0.samples.map(\.time)) }
    #expect(times.first { $0.0.contains("steps") }?.1 == [midnight + 43_200])
    #expect(times.first { $0.0.contains("weight") }?.1 == [midnight + 86_399])
  }

  @Test func `R57: a day of the past says the latest value that a push would have said`() throws {
    let midnight = PushedValuesTests.midnight
    let first = try #require(CalendarDate("2026-02-08"))
    func history(_ numbers: [[DailyMetric: Double]]) -> [TimedFamily] {
      var history = PushedHistory(job: "j", instance: "i")
      for (place, numbers) in numbers.enumerated() {
        let start = midnight + place * 86_400
        history.add(
          PushedDay(
            date: first.adding(days: place) ?? first, start: start, end: start + 86_400,
            generatedAt: start + 90_000, numbers: numbers))
      }
      return Array(history.families())
    }
    let latest: [DailyMetric: Double] = [.weight: 69.6, .weightLatest: 69, .weightLatestTime: 650]
    let families = history([latest, [.weight: 70]])
    #expect(families.map(\.name) == ["healthkit_body_weight_kg"])
    #expect(families.first?.samples.map(\.value) == [69, 70])
    #expect(families.first?.help == "Weight, a day's latest or mean, in kg.")
    #expect(history([latest]).first?.help == "Latest recorded body weight in kilograms.")
    #expect(history([[.weight: 70]]).first?.help == "Weight, the mean of a day, in kg.")
  }
}
