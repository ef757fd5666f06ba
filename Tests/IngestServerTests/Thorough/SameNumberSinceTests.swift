import Foundation
import HealthExports
import HealthLedger
import HealthModel
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@testable import IngestServer

/// Since when the ledger has had the number of a row (R56).
@Suite(.unit) struct SameNumberSinceTests {
  private static let pulse = "Resting Heart Rate (bpm)"
  private static let start = 1_770_811_200

  private final class Clock: Sendable {
    private let state = Mutex(SameNumberSinceTests.start)
    var now: Int { state.withLock { $0 } }
    func advance() { state.withLock { $0 += 10 } }
  }

  /// The resting heart rate in the revisions of a day, ten seconds apart; -1 for no number. Other
  /// numbers change each time.
  ///
  /// - Parameter lag: how many seconds before each revision its data was received.
  private func day(
    _ pulses: [Double], by collector: Collector = Collector(collectorID: UUID(), deviceID: UUID()),
    lag: Int = 0
  ) async throws -> (HealthLedger, StoredRevision) {
    let clock = Clock()
    var environment = LedgerEnvironment.system
    environment.now = { Timestamp(secondsSince1970: clock.now) }
    let ledger = HealthLedger(store: MemoryStore(now: { clock.now }), environment: environment)
    let date = try #require(CalendarDate("2026-02-08"))
    for (place, pulse) in pulses.enumerated() {
      _ = try await ledger.publish(
        DayDraft(
          day: ReportingDay(date: date, timeZoneName: "UTC"), collector: collector,
          source: collector == .derivation ? .streams : .healthKit,
          readings: [
            .steps: .value(Double(place)),
            .restingHeartRate: pulse < 0 ? .noData : .value(pulse),
          ], capturedAt: Timestamp(secondsSince1970: clock.now - lag)))
      clock.advance()
    }
    return (ledger, try #require(try await ledger.resolve(date).latest))
  }

  @Test(
    arguments: [
      // The ledger had 50 before 60 was posted, and repeats it: 60 is newer.
      ([50, 50, 50], 60, 15, 10), ([40, 50, 50, 50], 60, 25, 20),
      // It had 50 only after that.
      ([40, 50, 50], 60, 5, 10), ([50, 40, 50], 60, 15, 20), ([50, -1, 50], 60, 15, 20),
      // Nothing to tell apart.
      ([50, 50], 50, 5, 10), ([50, 50], 60, 95, 10), ([50, -1], 60, 5, nil),
    ] as [([Double], Double, Int, Int?)])
  func `R56: a number that a revision repeats is as old as the first revision that has it`(
    pulses: [Double], posted: Double, at second: Int, since: Int?
  ) async throws {
    let (ledger, latest) = try await day(pulses)
    let number = PostedNumber(
      receivedAt: PreciseMoment(secondsSince1970: Int64(Self.start + second)), number: posted)
    let found = try await ledger.sameNumberSince(
      latest, beside: ["2026-02-08_\(Self.pulse)": number])
    #expect(
      found[Self.pulse] == since.map { PreciseMoment(secondsSince1970: Int64(Self.start + $0)) })
  }

  @Test func `R56: a derived number is as old as its samples, not as its revision`() async throws {
    // Received at 2, and made at 10, after 60 was posted.
    let (ledger, latest) = try await day([40, 50], by: .derivation, lag: 8)
    for (posted, isNewer) in [(5, true), (1, false)] {
      let received = PreciseMoment(secondsSince1970: Int64(Self.start + posted))
      let found = try await ledger.sameNumberSince(
        latest,
        beside: ["2026-02-08_\(Self.pulse)": PostedNumber(receivedAt: received, number: 60)])
      let since = try #require(found[Self.pulse])
      #expect((received > since) == isNewer)
    }
  }
}
