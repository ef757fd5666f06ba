import Foundation
import HealthModel
import Testing

@testable import HealthLedger

/// An export made after the end of a day is published over a derived revision; some of its samples were
/// received after the export was made (R20, R49).
@Suite(.unit) struct FinishedDayExportTests {
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

  @Test(arguments: [49.0, 53])
  func `R20 the sums of an export of a finished day are published although a sample came later`(
    resting: Double
  ) async throws {
    _ = try await bench.ledger.publish(try derived(steps: 45, resting: 51, after: 9000))
    let export = try export(steps: 12_000, resting: resting, after: 6000)
    guard case .published(let id) = try await bench.ledger.publish(export) else {
      Issue.record("not published")
      return
    }
    #expect(try await shown() == [.steps: 12_000, .restingHeartRate: 51])
    let latest = try #require(try await bench.ledger.resolve(Sample.date()).latest)
    #expect(latest.id == id && latest.revision.covers.metrics.contains(.steps))
  }

  @Test(arguments: [(-1, true), (0, false)])
  func `R20 an export made before the day's end does not replace a later derived sum`(
    seconds: Int, isOlder: Bool
  ) async throws {
    _ = try await bench.ledger.publish(try derived(steps: 45, resting: 51, after: 9000))
    let export = try export(steps: 12_000, resting: 49, after: seconds)
    #expect(try await keepsNewer(than: export) == isOlder)
  }

  @Test func `R20 a source of a part of a finished day does not replace a later derived sum`()
    async throws
  {
    _ = try await bench.ledger.publish(try derived(steps: 45, resting: 51, after: 9000))
    var part = try export(steps: 12_000, resting: 49, after: 6000)
    part.covers = .metrics([.steps, .restingHeartRate])
    #expect(try await keepsNewer(than: part))
  }

  @Test func `R20 a larger sum that came after an export of a finished day stays`()
    async throws
  {
    _ = try await bench.ledger.publish(try derived(steps: 12_500, resting: 51, after: 9000))
    #expect(try await keepsNewer(than: export(steps: 12_000, resting: 49, after: 6000)))
  }

  @Test(arguments: [(9000, true), (6000, false), (3000, false)])
  func `R20 only what another collector read after an export of a finished day stays`(
    seconds: Int, isLater: Bool
  ) async throws {
    var other = try export(steps: 11_000, resting: 52, after: seconds)
    other.collector = Collector(collectorID: UUID(), deviceID: UUID())
    _ = try await bench.ledger.publish(other)
    _ = try await bench.ledger.publish(try derived(steps: 11_000, resting: 51, after: 9000))
    let export = try export(steps: 12_000, resting: 49, after: 6000)
    #expect(try await keepsNewer(than: export) == isLater)
  }

  @Test func `R20 so are those of a collector that has said another part of the day before`()
    async throws
  {
    var part = try export(steps: 0, resting: 50, after: 3000)
    (part.readings[.steps], part.covers) = (nil, .metrics([.restingHeartRate]))
    _ = try await bench.ledger.publish(part)
    _ = try await bench.ledger.publish(try derived(steps: 45, resting: 50, after: 9000))
    #expect(try await !keepsNewer(than: export(steps: 12_000, resting: 50, after: 6000)))
    #expect(try await shown() == [.steps: 12_000, .restingHeartRate: 50])
  }

  @Test func `R20 a later collector that has no number does not keep back an export`() async throws
  {
    var other = try export(steps: 0, resting: 52, after: 9000)
    other.collector = Collector(collectorID: UUID(), deviceID: UUID())
    other.readings[.steps] = .unauthorized
    _ = try await bench.ledger.publish(other)
    _ = try await bench.ledger.publish(try derived(steps: 45, resting: 52, after: 9000))
    #expect(try await !keepsNewer(than: export(steps: 12_000, resting: 49, after: 6000)))
    #expect(try await shown() == [.steps: 12_000, .restingHeartRate: 52])
  }

  @Test func `R20 a newer export that says what was derived in between stores nothing`()
    async throws
  {
    var first = try export(steps: 12_000, resting: 49, after: 6000)
    first.readings[.standHours] = .unauthorized
    let old = try await bench.ledger.publish(first)
    // That nothing was derived of a metric is not another word.
    _ = try await bench.ledger.publish(try derived(steps: 12_000, resting: 49, after: 9000))
    #expect(try await bench.ledger.history(Sample.date()).count == 2)
    first.capturedAt = first.capturedAt.adding(seconds: 90_000)
    #expect(try await bench.ledger.publish(first) == .unchanged(old.revisionID))
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
    // Data captured in the same moment is published.
    _ = try await bench.ledger.publish(try derived(steps: 12_700, resting: 49, after: 180_000))
    guard case .published = try await bench.ledger.publish(newest) else {
      Issue.record("not published")
      return
    }
  }
}
