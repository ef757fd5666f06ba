import Foundation
import Testing

@testable import HealthModel

/// R33: which numbers of a day are of a part of it.
@Suite(.unit) struct PartialNumbersTests {
  /// 2026-03-10, with the figures of some words.
  private func revision(_ words: [Word], zone: String = WordSample.zone) throws -> DailyRevision {
    let all = DayWords(words)
    return DailyRevision(
      day: try ReportingDay(date: #require(CalendarDate("2026-03-10")), timeZoneName: zone),
      generatedAt: WordSample.moment(100), capturedAt: nil, collector: nil,
      readings: Fold(all).readings, words: all, parent: nil)
  }

  @Test func `R33: a number is whole if the words that it is made of have all of the day`()
    throws
  {
    func captured(_ words: Word...) throws -> String? {
      PartialNumbers(try revision(words)).words
    }
    let morning = WordSample.steps(1200, at: 8, loose: true)
    #expect(try captured(morning) == "captured at 08:00")
    #expect(try captured(WordSample.steps(1200, at: 23.9)) == "captured at 23:54")
    #expect(try captured(WordSample.steps(1200, at: 24)) == nil)
    // A later word of the whole day, of the same source or another one, whatever its number is.
    #expect(try captured(morning, WordSample.steps(9000, at: 30, loose: true)) == nil)
    #expect(try captured(morning, WordSample.steps(900, .appleHealthExport, at: 30)) == nil)
    // Parts that follow one another, the last of them captured after the day.
    let (head, tail) = (WordSample.steps(1200, at: 8, 0, 8), WordSample.steps(300, at: 30, 8, 24))
    #expect(try captured(head, tail) == nil)
    // One that says nothing of it does not make it whole.
    #expect(
      try captured(
        morning, WordSample.word(.weight, [.noData], .appleHealthExport, at: 30)) != nil)
  }

  @Test func `R33 what a source insists on reaches no further than it was read`() throws {
    // Said on the next day, of an export of noon.
    let forced = WordSample.steps(1200, at: 36, 0, 12, authority: true)
    #expect(PartialNumbers(try revision([forced])).words == "captured at 12:00")
    #expect(
      PartialNumbers(try revision([WordSample.steps(1200, at: 36, authority: true)])).isEmpty)
    // So does an app whose phone had its midnight an hour before that of the day.
    let early = WordSample.steps(1200, at: 36, 0, 23)
    #expect(PartialNumbers(try revision([early])).words == "captured at 23:00")
  }

  @Test func `R33: a number that begins late, or has a gap, is of a part, and says so`()
    throws
  {
    func words(_ words: Word...) throws -> String? { PartialNumbers(try revision(words)).words }
    let tail = WordSample.steps(100, at: 36, 23.5, 24, loose: true)
    #expect(try words(tail) == "from 23:30")
    #expect(try words(WordSample.steps(100, at: 36, 10, 12)) == "from 10:00 to 12:00")
    #expect(try words(WordSample.steps(900, at: 8), tail) == "captured at 08:00")
    func night(_ from: Double, _ to: Double, at hour: Double) -> Word {
      WordSample.word(.sleepAsleep, [.value(390)], .healthAutoExport, at: hour, from, to)
    }
    #expect(try words(night(-6, 18, at: 8)) == "captured at 08:00")
    // The night is over at 18:00, hours before its day.
    #expect(try words(night(-6, 18, at: 19)) == nil)
    // Nobody sleeps from 18:00 on.
    #expect(try words(night(0, 18, at: 19)) == nil)
    #expect(try words(night(0, 18, at: 8)) == "captured at 08:00")
    let energy = WordSample.word(.activeEnergy, [.value(9)], .healthAutoExport, at: 36, -1, 18)
    let water = WordSample.word(.water, [.value(9)], .healthAutoExport, at: 36, 23, 24)
    #expect(
      try words(energy, water) == "active energy captured at 18:00; water from 23:00")
  }

  @Test func `R33: a part is read again from its text`() throws {
    let date = try #require(CalendarDate("2026-03-10"))
    for word in [
      WordSample.steps(100, at: 36, 23.5, 24), WordSample.steps(100, at: 36, 10, 12),
      WordSample.steps(100, at: 36, 0, 12),
    ] {
      let part = try #require(PartialNumbers(try revision([word])).furthest())
      #expect(PartialNumbers.Part("\(part)", on: date) == part)
    }
    for text in ["", "..", "/", "../..", "2026-03-10T23:30:00Z/", "2026-03-10T23:30:00Z/../.."] {
      #expect(PartialNumbers.Part(text, on: date) == nil, "\(text)")
    }
  }

  @Test func `R33: a level is whole whenever it was taken, a total or an extreme is not`()
    throws
  {
    let weight = WordSample.word(.weight, [.value(71)], .metricsJSON, at: 7)
    let alone = PartialNumbers(try revision([weight]))
    #expect(alone.isEmpty && !alone.areAll && alone.words == nil && alone[.weight] == nil)
    let beside = PartialNumbers(try revision([weight, WordSample.steps(1200, at: 8)]))
    #expect(beside.words == "captured at 08:00" && beside.areAll)
    #expect(beside[.weight] == nil && beside.words(of: [.weight]) == nil)
    let levels = DailyMetric.allCases.filter(\.isLevel)
    #expect(levels.contains(.restingHeartRate) && levels.contains(.weightLatestTime))
    #expect(levels.allSatisfy { [.mean, .latest, .latestTime].contains($0.aggregation) })
    let moving: [DailyMetric] = [
      .steps, .standHours, .sleepAsleep, .heartRateMaximum, .heartRateMean,
    ]
    #expect(moving.allSatisfy { !$0.isLevel })
  }

  @Test func `each number is judged by itself, and named where others are whole`() throws {
    let steps = WordSample.steps(1200, at: 8)
    let water = WordSample.word(.water, [.value(250)], .metricsJSON, at: 12.5)
    let whole = WordSample.word(.restingHeartRate, [.value(58)], .appleHealthExport, at: 30)
    let both = PartialNumbers(try revision([steps, water]))
    #expect(both.words == "captured from 08:00 to 12:30" && both.areAll)
    #expect(both.words(of: [.water, .restingHeartRate]) == "captured at 12:30")
    let mixed = PartialNumbers(try revision([steps, water, whole]))
    #expect(mixed.words == "steps, water captured from 08:00 to 12:30" && !mixed.areAll)
    #expect(mixed[.steps]?.words == "captured at 08:00" && mixed[.restingHeartRate] == nil)
    #expect(mixed.words(of: [.restingHeartRate]) == nil)
  }

  @Test func `the day's end is that of its date in the word's zone, and its clocks tell the time`()
    throws
  {
    // The tenth ends at 15:00 UTC in Tokyo, and at 23:00 UTC in Berlin.
    let words = [WordSample.steps(9000, at: 16, -9, 15, zone: "Asia/Tokyo")]
    #expect(PartialNumbers(try revision(words, zone: "Asia/Tokyo")).isEmpty)
    #expect(PartialNumbers(try revision(words, zone: "Europe/Berlin")).isEmpty)
    let berlin = [WordSample.steps(9000, at: 16, -1, 16, zone: "Europe/Berlin")]
    #expect(
      PartialNumbers(try revision(berlin, zone: "Europe/Berlin")).words == "captured at 17:00")
    let early = [WordSample.steps(5, at: -2, -9, -2, zone: "UTC")]
    #expect(PartialNumbers(try revision(early)).words == "captured at 2026-03-09 22:00")
  }

  @Test func `a document without sources is captured as a whole, and a day without a number, too`()
    throws
  {
    func partial(_ readings: [DailyMetric: MetricReading], at hour: Double) throws -> String? {
      PartialNumbers(
        DailyRevision(
          day: try ReportingDay(date: #require(CalendarDate("2026-03-10")), timeZoneName: "UTC"),
          generatedAt: WordSample.moment(100), capturedAt: WordSample.moment(hour), collector: nil,
          readings: readings)
      ).words
    }
    #expect(try partial([.steps: .value(5), .weight: .value(71)], at: 8) == "captured at 08:00")
    #expect(try partial([.steps: .value(5)], at: 24) == nil)
    #expect(try partial([.steps: .noData], at: 8) == "captured at 08:00")
  }
}
