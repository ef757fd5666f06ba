import Foundation
import HealthModel
import Testing

@testable import HealthLedger

/// What a collector publishes over a revision that was derived from it and from samples (R20, R49).
@Suite(.unit) struct DerivedRevisionTests {
  private let bench = LedgerBench()

  private func derived(steps: Double, resting: Double) throws -> DayDraft {
    var draft = try Sample.draft(steps: steps)
    draft.collector = .derivation
    draft.readings[.restingHeartRate] = .value(resting)
    return draft
  }

  private func ids() async throws -> [RevisionID] {
    try await bench.ledger.history(Sample.date())
  }

  @Test func `R49 the same data again does not replace what was derived from it`() async throws {
    let draft = try Sample.draft(steps: 100)
    let first = try await bench.ledger.publish(draft)
    let made = try await bench.ledger.publish(try derived(steps: 100, resting: 51))
    #expect(made != first)
    for _ in 0..<3 {
      #expect(try await bench.ledger.publish(draft) == .unchanged(first.revisionID))
      #expect(
        try await bench.ledger.publish(try derived(steps: 100, resting: 51))
          == .unchanged(made.revisionID))
    }
    #expect(try await ids() == [first.revisionID, made.revisionID])
    #expect(try await bench.ledger.resolve(Sample.date()).latest?.id == made.revisionID)
    let previews = Previews()
    try await bench.ledger.preview([draft]) { _, preview in previews.found = preview }
    #expect(previews.found == .wouldBeUnchanged(first.revisionID))
  }

  @Test func `R49 other data of the collector is published, and so is another collector's`()
    async throws
  {
    let first = try await bench.ledger.publish(try Sample.draft(steps: 100))
    _ = try await bench.ledger.publish(try derived(steps: 100, resting: 51))
    // R20: what another collector has said already adds nothing.
    var other = try Sample.draft(steps: 100)
    other.collector = Collector(collectorID: UUID(), deviceID: UUID())
    #expect(try await bench.ledger.publish(other) == .unchanged(first.revisionID))
    other.readings[.steps] = .value(101)
    guard case .published(let second) = try await bench.ledger.publish(other),
      case .published = try await bench.ledger.publish(try derived(steps: 100, resting: 52)),
      case .published(let third) = try await bench.ledger.publish(try Sample.draft(steps: 120))
    else {
      Issue.record("not published")
      return
    }
    #expect(second > first.revisionID && third > second)
    // Between two collectors of whom neither derives, R20 stays as it was.
    guard case .published = try await bench.ledger.publish(other) else {
      Issue.record("not published")
      return
    }
  }

  @Test func `R49 older data of the collector stays behind its own newer data`() async throws {
    let newer = try await bench.ledger.publish(try Sample.draft(steps: 100))
    _ = try await bench.ledger.publish(try derived(steps: 100, resting: 51))
    var older = try Sample.draft(steps: 90, capturedAt: Sample.noon.adding(seconds: -60))
    older.keepsNewer = true
    #expect(
      try await bench.ledger.publish(older)
        == .keptNewer(newer.revisionID, capturedAt: Sample.noon))
  }

  /// An export that was made before the samples came, of which the day was derived.
  private func export(_ readings: [DailyMetric: MetricReading]) throws -> DayDraft {
    var draft = try Sample.draft(steps: 90, capturedAt: Sample.noon.adding(seconds: -60))
    draft.readings = readings
    (draft.covers, draft.keepsNewer) = (.everything, true)
    return draft
  }

  @Test(arguments: [false, true])
  func `R20 an older export brings what the derived day has no number of, and nothing else`(
    hasSpoken: Bool
  ) async throws {
    if hasSpoken {
      var word = try export([.standHours: .value(3)])
      word.covers = .metrics([.standHours])
      _ = try await bench.ledger.publish(word)
    }
    var made = try derived(steps: 100, resting: 51)
    made.covers = .everything
    _ = try await bench.ledger.publish(made)
    let older = try export([
      .steps: .value(90), .restingHeartRate: .value(49), .sleepAsleep: .value(400),
      .standHours: .value(3),
    ])
    guard case .published = try await bench.ledger.publish(older) else {
      Issue.record("not published")
      return
    }
    func shown() async throws -> [DailyMetric: Double] {
      try #require(try await bench.ledger.resolve(Sample.date()).latest).revision.readings.numbers
    }
    let expected: [DailyMetric: Double] = [
      .steps: 100, .restingHeartRate: 51, .sleepAsleep: 400, .standHours: 3,
    ]
    #expect(try await shown() == expected)
    // The day is derived again, with what the export said; the same export then changes nothing.
    made.readings[.sleepAsleep] = .value(400)
    made.readings[.standHours] = .value(3)
    made.readings[.steps] = .value(101)
    _ = try await bench.ledger.publish(made)
    let before = try await ids()
    _ = try await bench.ledger.publish(older)
    #expect(try await ids() == before)
    #expect(try await shown()[.steps] == 101)
  }

  @Test func `R49 a pointer that lags behind the derived revision is moved to it`() async throws {
    let draft = try Sample.draft(steps: 100)
    let first = try await bench.ledger.publish(draft)
    let pointer = bench.ledger.layout.pointerKey(draft.day.date)
    let old = try #require(try await bench.memory.get(pointer, limit: 4096))
    let made = try await bench.ledger.publish(try derived(steps: 100, resting: 51))
    var older = try Sample.draft(steps: 90, capturedAt: Sample.noon.adding(seconds: -60))
    older.keepsNewer = true
    for (offered, outcome) in [
      (draft, PublishOutcome.unchanged(first.revisionID)),
      (older, .keptNewer(first.revisionID, capturedAt: Sample.noon)),
    ] {
      try await bench.place(pointer.rawValue, old.body)
      #expect(try await bench.ledger.publish(offered) == outcome)
      let resolution = try await bench.ledger.resolve(draft.day.date)
      #expect(resolution.pointer.revisionID == made.revisionID)
    }
  }

  private final class Previews { var found: PublishPreview? }
}
