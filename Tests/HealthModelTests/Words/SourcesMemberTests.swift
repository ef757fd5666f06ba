import Foundation
import StoreTesting
import TestSupport
import Testing

@testable import HealthModel

/// The member that is to hold the words of a day: whole, and without a number twice.
@Suite(.unit) struct SourcesMemberTests {
  private let made = WordSample.moment(60)

  private func revision(_ words: DayWords) throws -> DailyRevision {
    let fold = Fold(words)
    let date = try #require(CalendarDate("2026-03-10"))
    return DailyRevision(
      day: try ReportingDay(date: date, timeZoneName: fold.zone ?? "UTC"), generatedAt: made,
      capturedAt: words.all.map(\.capturedAt).max(), collector: nil, readings: fold.readings)
  }

  @Test func `words are read as they were written`() throws {
    var random = SplitMix64(seed: 60)
    for _ in 0..<TestDepth.full(5000, usual: 800) {
      let words = DayWords(
        (0..<Int.random(in: 1...12, using: &random)).map { _ in WordSample.random(&random) })
      let revision = try revision(words)
      let written = try #require(words.encoded(beside: revision))
      let read = try JSONValue(parsing: written.canonicalBytes)
      #expect(DayWords(read, beside: revision) == words, "\(written)")
    }
  }

  @Test func `one source that spoke once adds little to a document`() throws {
    let words = DayWords(
      [.steps, .weight, .heartRateMean].map { metric in
        WordSample.word(
          metric, WordGroup(of: metric).metrics.map { _ in .value(5) }, .healthAutoExport, at: 60)
      })
    let member = try #require(words.encoded(beside: try revision(words)))
    #expect(member.canonicalBytes.count <= 100)
  }

  @Test func `three sources with all metrics stay below the limit of a document`() throws {
    var words = DayWords()
    for (place, source) in [DataSource.healthAutoExport, .metricsJSON, .streams].enumerated() {
      for group in WordGroup.all {
        words.join(
          Word(
            source, group, group.metrics.map { _ in .value(Double(place) + 1234.567891) },
            zone: "UTC", capturedAt: WordSample.moment(30 + Double(place)), readsAll: false))
      }
    }
    let revision = try revision(words)
    let member = try #require(words.encoded(beside: revision))
    let size = member.canonicalBytes.count + revision.encoded.count
    #expect(size < DailyRevision.maximumBytes, "\(size)")
  }

  @Test func `words of another form are not read`() throws {
    let words = DayWords([WordSample.steps(8000, at: 30)])
    let revision = try revision(words)
    let member = try #require(words.encoded(beside: revision))
    let text = String(decoding: member.canonicalBytes, as: UTF8.self)
    for (old, new) in [
      ("\"health_auto_export\"", "\"Health Auto Export\""), ("\"words\":[", "\"words\":[7,"),
      ("\"words\":[{", "\"words\":[{\"from\":\"noon\","),
      ("\"words\":[{", "\"words\":[{\"values\":{\"steps\":-1},"),
    ] {
      #expect(text.contains(old))
      let changed = try JSONValue(parsing: Array(text.replacing(old, with: new).utf8))
      #expect(DayWords(changed, beside: revision) == nil, "\(new)")
    }
  }
}
