import TestSupport
import Testing

@testable import HealthModel

/// Where each number of a day comes from, and what the others say.
@Suite(.unit) struct MetricSourcesTests {
  private func revision(_ words: [Word]) throws -> DailyRevision {
    let fold = Fold(DayWords(words))
    let date = try #require(CalendarDate("2026-03-10"))
    var revision = DailyRevision(
      day: try ReportingDay(date: date, timeZoneName: "UTC"), generatedAt: WordSample.moment(60),
      capturedAt: nil, collector: nil, readings: fold.readings)
    revision.words = DayWords(words)
    return revision
  }

  @Test func `R20: a number has the parts that it is the sum of, and the others, the latest first`()
    throws
  {
    let parts = [WordSample.steps(240, at: 30, 0, 6), WordSample.steps(180, at: 40, 6, 24)]
    let others = [
      WordSample.steps(200, .streams, at: 20, loose: true),
      WordSample.steps(nil, .appleHealthExport, at: 10),
    ]
    let sources = try revision((parts + others).shuffled()).metricSources
    #expect(sources == [MetricSources(metric: .steps, shown: parts, others: others)])
  }

  @Test func `R20: of a metric of which nobody has a number there is nothing to say`() throws {
    let pressure = WordSample.word(
      .bloodPressureSystolic, [.value(120), .noData], .healthAutoExport, at: 30)
    let sources = try revision([WordSample.steps(nil, at: 30), pressure]).metricSources
    #expect(sources.map(\.metric) == [.bloodPressureSystolic])
    #expect(sources.map(\.shown) == [[pressure]])
  }

  @Test(
    arguments: [
      (0, 24, 30, "all of the day, read 2026-03-11T06:00:00Z"),
      (0, 24, 8.25, "the day until 08:15, read 2026-03-10T08:15:00Z"),
      (6, 24, 30, "the day from 06:00, read 2026-03-11T06:00:00Z"),
      (6, 7, 30, "06:00 to 07:00, read 2026-03-11T06:00:00Z"),
    ] as [(Double, Double, Double, String)])
  func `R20: an extent is said by the clock of the day`(
    from: Double, to: Double, at: Double, said: String
  ) throws {
    let day = try revision([]).day
    #expect(WordSample.steps(1, at: at, from, to).seen(on: day) == said)
  }

  @Test func `R20: a night and another zone are named, by the clock of the day's zone`() throws {
    let night = WordSample.word(.sleepAsleep, [.value(400)], .streams, at: 30, -6, 18)
    let day = try revision([]).day
    #expect(night.seen(on: day) == "all of the night, read 2026-03-11T06:00:00Z")
    let tokyo = WordSample.steps(5, at: 12, -9, 15, zone: "Asia/Tokyo")
    #expect(
      tokyo.seen(on: day) == "the day until 12:00 in Asia/Tokyo, read 2026-03-10T12:00:00Z")
  }
}
