import Foundation
import HealthModel
import Testing

@testable import HealthLedger

/// An export made after the end of a day is published over a derived revision; some of its samples were
/// received after the export was made (R20, R49).
@Suite(.tags(.unit)) struct FinishedDayExportTests {
  private let bench = LedgerBench(now: Sample.noon.adding(seconds: 5 * 86_400))

  /// An export made this many seconds after the end of the day.
  private func export(
    steps: Double, resting: Double, after seconds: Int
  ) throws -> DayDraft {
    var draft = try Sample.draft(steps: steps)
    draft.capturedAt = draft.day.end.timestamp.adding(seconds: seconds)
    draft.readings[.restingHeartRate] = .value(resting)
    (draft.covers, draft.keepsNewer) = (.everything, true)
    return draft
  }

  private func derived(steps: Double, resting: Double, after seconds: Int) throws -> DayDraft {
    var draft = try Sample.draft(steps: steps)
    draft.collector = .derivation
    draft.readings[.restingHeartRate] = .value(resting)
    draft.capturedAt = draft.day.end.timestamp.adding(seconds: seconds)
    return draft
  }

  /// Publishes a draft. Returns whether the day stayed as it was, because it is newer.
  private func keepsNewer(than draft: DayDraft) async throws -> Bool {
    guard case .keptNewer = try await bench.ledger.publish(draft) else { return false }
    return true
  }

  private func shown() async throws -> [DailyMetric: Double] {
    try #require(try await bench.ledger.resolve(Sample.date()).latest).revision.readings.numbers
  }

  @Test func `R20 an export of a finished day is published although a sample came later`()
    async throws
  {
    _ = try await bench.ledger.publish(try derived(steps: 45, resting: 51, after: 9000))
    let export = try export(steps: 12_000, resting: 49, after: 6000)
    guard case .published(let id) = try await bench.ledger.publish(export) else {
      Issue.record("not published")
      return
    }
    #expect(try await shown() == [.steps: 12_000, .restingHeartRate: 51])
    let latest = try #require(try await bench.ledger.resolve(Sample.date()).latest)
    #expect(latest.id == id && latest.revision.covers.metrics.contains(.steps))
  }

  @Test func `R20 a larger sum that came after an export of a finished day stays`()
    async throws
  {
    _ = try await bench.ledger.publish(try derived(steps: 12_500, resting: 51, after: 9000))
    #expect(try await keepsNewer(than: export(steps: 12_000, resting: 49, after: 6000)))
  }

  @Test func `R20 what another collector read after an export of a finished day stays`()
    async throws
  {
    var other = try export(steps: 11_000, resting: 52, after: 9000)
    other.collector = Collector(collectorID: UUID(), deviceID: UUID())
    _ = try await bench.ledger.publish(other)
    _ = try await bench.ledger.publish(try derived(steps: 11_000, resting: 51, after: 9000))
    #expect(try await keepsNewer(than: export(steps: 12_000, resting: 49, after: 6000)))
  }

  @Test func `R20 a newer export that says the same again corrects what came between`() async throws
  {
    let first = try export(steps: 12_000, resting: 49, after: 6000)
    let old = try await bench.ledger.publish(first)
    _ = try await bench.ledger.publish(try derived(steps: 12_500, resting: 49, after: 9000))
    #expect(try await bench.ledger.publish(first) == .unchanged(old.revisionID))
    let newer = try export(steps: 12_000, resting: 49, after: 90_000)
    guard case .published(let again) = try await bench.ledger.publish(newer) else {
      Issue.record("not published")
      return
    }
    #expect(try await shown()[.steps] == 12_000)
    // A day that is derived differently again, with no later data, does not lead to another revision.
    _ = try await bench.ledger.publish(try derived(steps: 12_600, resting: 49, after: 90_000))
    let newest = try export(steps: 12_000, resting: 49, after: 180_000)
    #expect(try await bench.ledger.publish(newest) == .unchanged(again))
  }
}
