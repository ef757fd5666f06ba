import Gzip
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import StoreTesting
import StreamDays
import Synchronization
import Testing

@testable import IngestServer

/// Days that a server makes again by itself (R54).
@Suite(.unit) struct DayRecomputeTests {
  @Test func `R33, R54: a date's first batch shows that the day before is whole`() async throws {
    let clock = Mutex(try #require(Timestamp("2026-03-02T22:35:00Z")))
    @Sendable func now() -> Timestamp { clock.withLock(\.self) }
    let store = MemoryStore(now: { now().secondsSince1970 })
    let (ledger, streams) = (
      HealthLedger(
        store: store, environment: LedgerEnvironment(now: now, entropy: { 1 }, backOff: { _ in })),
      StreamStore(store: store, compression: ZlibCompression())
    )
    let deriver = DayDeriver(ledger: ledger, streams: streams, zones: ReportingZones("UTC"))
    let terms = PersonTerms(
      zones: ReportingZones("UTC"), isZoneSet: true, goals: [:], units: .stored)
    let recompute = DayRecompute(deriver, terms: TermsCache(terms), now: now, report: { _ in })
    func receive(_ minute: String) async throws {
      let entry = try StreamEntry(
        JSONValue(
          parsing: Array(
            #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"\#(minute):00Z","end_timestamp":"\#(minute):30Z","value":100,"unit":"count"}"#
              .utf8)), of: .healthKit)
      let batch = try SealedBatch(
        sealing: [entry], of: .healthKit, deviceID: "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11",
        session: "1", appVersion: "1")
      _ = try await streams.append(
        batch, feed: "phone", receivedAt: PreciseMoment(now()), keeping: nil)
      let moment = try #require(Timestamp("\(minute):00Z"))
      recompute.touched([moment...moment.adding(seconds: 30)], receivedAt: now())
      await recompute.completeDayBefore()
      await recompute.finish(seconds: 60)
    }
    let date = try #require(CalendarDate("2026-03-02"))
    func partial() async throws -> String? {
      PartialNumbers(try #require(try await ledger.resolve(date).latest).revision).words
    }
    try await receive("2026-03-02T22:30")
    #expect(try await partial() == "captured at 22:35")
    // The phone was still until the morning: nothing touches the day any more.
    clock.withLock { $0 = $0.adding(seconds: 8 * 3600) }
    try await receive("2026-03-03T06:30")
    #expect(try await partial() == nil)
    let revisions = try await ledger.history(date)
    // Once is enough.
    clock.withLock { $0 = $0.adding(seconds: 3600) }
    try await receive("2026-03-03T07:30")
    #expect(try await ledger.history(date) == revisions)
  }
}
