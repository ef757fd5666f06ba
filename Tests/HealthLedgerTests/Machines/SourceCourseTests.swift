import HealthModel
import Testing

@testable import HealthLedger

/// R35: which sources have fallen silent.
@Suite(.unit) struct SourceCourseTests {
  /// 2026-03-01, from which days are counted.
  private let first: CalendarDate

  init() throws { first = try Sample.date("2026-03-01") }

  /// What sources say of days, each from a day to another one.
  private func course(
    _ said: [(DataSource, DailyMetric, ClosedRange<Int>)]
  ) throws -> SourceCourse {
    var course = SourceCourse()
    for place in Set(said.flatMap(\.2)).sorted() {
      let date = try #require(first.adding(days: place))
      let day = try ReportingDay(date: date, timeZoneName: "UTC")
      let words = DayWords(
        said.filter { $0.2.contains(place) }.flatMap { source, metric, _ in
          DayDraft(
            day: day, collector: Sample.collector, source: source, readings: [metric: .value(5)],
            capturedAt: day.end.timestamp
          ).words
        })
      course.add(
        DailyRevision(
          day: day, generatedAt: day.end.timestamp, capturedAt: nil, collector: nil,
          readings: Fold(words).readings.documented, words: words, parent: nil))
    }
    return course
  }

  /// Who is silent at the end of a day, until which day, and of what.
  private func silent(
    _ said: [(DataSource, DailyMetric, ClosedRange<Int>)], on day: Int
  ) throws -> [String] {
    let end = try ReportingDay(
      date: #require(first.adding(days: day)), timeZoneName: "UTC"
    ).end.timestamp
    return try course(said).silences(at: end).map {
      "\($0.source.rawValue) \(first.days(until: $0.last)) "
        + $0.metrics.map(\.rawValue).joined(separator: " ")
    }
  }

  private let phone = DataSource.healthAutoExport
  private let hand = DataSource.metricsJSON

  @Test func `R35 a source of each day that is silent for a week is named, with what is missed`()
    throws
  {
    let said = [(phone, DailyMetric.steps, 0...9), (hand, .weight, 0...40)]
    #expect(try silent(said, on: 15).isEmpty)
    #expect(try silent(said, on: 16) == ["health_auto_export 9 steps"])
    #expect(try silent(said, on: 40) == ["health_auto_export 9 steps"])
    // Who has been silent for two months has been given up.
    #expect(try silent([(phone, .steps, 0...9), (hand, .weight, 0...80)], on: 69).isEmpty)
    // A range that ends with the silence has no other source.
    #expect(try silent([(phone, .steps, 0...9)], on: 20) == ["health_auto_export 9 steps"])
    // Six days do not make a habit.
    #expect(try silent([(phone, .steps, 0...5), (hand, .weight, 0...40)], on: 20).isEmpty)
  }

  @Test func `R35 a source whose metrics another one has since is not missed`() throws {
    let said = [
      (phone, DailyMetric.steps, 0...9), (phone, .weight, 0...9), (.healthKit, .steps, 5...40),
    ]
    #expect(try silent(said, on: 20) == ["health_auto_export 9 weight"])
    #expect(try silent(said + [(hand, .weight, 15...15)], on: 20).isEmpty)
  }

  @Test func `R35 a day without data is not an end, and one day back is not a habit`() throws {
    let paused = [(phone, DailyMetric.steps, 0...9), (phone, .steps, 11...13)]
    #expect(try silent(paused, on: 25) == ["health_auto_export 13 steps"])
    let back = [(phone, DailyMetric.steps, 0...9), (phone, .steps, 20...20)]
    #expect(try silent(back, on: 30).isEmpty)
  }
}
