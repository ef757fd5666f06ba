import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import Synchronization
import Testing

@testable import StreamDays

/// A sweep makes the days that markers name, and deletes a marker when its days are settled (R49).
@Suite(.unit) struct MarkerSweepTests {
  @Test func `a marker leads to its days and goes when it is old (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.send([
      Entries.steps(40, "2026-01-05T17:00:00Z", "2026-01-05T17:01:00Z"),
      Entries.steps(50, "2026-01-07T20:00:00Z", "2026-01-07T20:01:00Z"),
    ])
    let (young, days) = try await world.sweep("2026-03-02")
    #expect(young.kept == 1 && young.deleted == 0)
    // After 18:00 the next date's night has begun.
    #expect(
      days.map(\.description).filter { $0 != "2026-01-06" } == [
        "2026-01-05", "2026-01-07", "2026-01-08",
      ])
    #expect(try await world.steps("2026-01-05") == 40)
    #expect(try await world.steps("2026-01-07") == 50)
    world.advance(20 * 60 + 1)
    let (old, _) = try await world.sweep("2026-03-02")
    #expect(old.kept == 0 && old.deleted == 1)
    #expect(try await world.store.keys().allSatisfy { !$0.contains(".pending/") })
  }

  @Test func `the age of a marker is that of the store's clock (R49)`() async throws {
    let stored = try #require(Timestamp("2026-03-02T11:00:00Z"))
    let store = MemoryStore(clockOffset: -3600, now: { stored.secondsSince1970 })
    let world = try StreamWorld(store, at: "2026-03-02T12:00:00Z")
    try await world.send([Entries.steps(40, "2026-01-05T10:00:00Z", "2026-01-05T10:01:00Z")])
    // This machine's clock is an hour ahead, and the marker is new.
    let (swept, _) = try await world.sweep("2026-03-02")
    #expect(swept.kept == 1 && swept.deleted == 0)
  }

  @Test func `the marker of a night that began today waits for tomorrow (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T20:00:00Z")
    try await world.send([Entries.steps(40, "2026-03-02T19:00:00Z", "2026-03-02T19:01:00Z")])
    world.advance(2 * 3600)
    #expect(try await world.sweep("2026-03-02").0.kept == 1)
    world.advance(4 * 3600)
    #expect(try await world.sweep("2026-03-03").0.deleted == 1)
  }

  /// A sweep by a deriver that does something after each day.
  private func sweep(
    _ world: StreamWorld, isDryRun: Bool = false,
    follow: @escaping @Sendable (CalendarDate) async throws(LedgerError) -> Void
  ) async throws -> MarkerSweep.Result {
    let deriver = DayDeriver(
      ledger: world.ledger, streams: world.streams, zones: ReportingZones("UTC"),
      isDryRun: isDryRun, follow: follow)
    let sweep = MarkerSweep(
      deriver, today: try world.date("2026-03-03"), now: { world.shared.now }, isDryRun: isDryRun)
    return try await sweep.run([]) { _, _ in }
  }

  @Test func `a dry run writes nothing and deletes no marker, and nothing follows it (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.send(40, hour: 10)
    world.advance(3600)
    // Days whose basis is there would count as settled.
    for date in ["2026-03-02", "2026-03-03"] { _ = try await world.derive(date) }
    let basis = try #require(ObjectKey("streams/v0/.derived/2026-03-02"))
    try await world.store.delete(basis)
    let keys = try await world.store.keys()
    let followed = Mutex(0)
    _ = try await sweep(world, isDryRun: true) { _ in followed.withLock { $0 += 1 } }
    #expect(try await world.store.keys() == keys)
    #expect(followed.withLock(\.self) == 0)
  }

  @Test func `markers stay until what has to follow a day is done (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.send(40, hour: 10)
    world.advance(3600)
    let failure = LedgerError(.storageUnavailable, "the database is down")
    let swept = try await sweep(world) { _ throws(LedgerError) in throw failure }
    // The marker of the batch, and the cover of the recompute that published.
    #expect(swept.kept == 1 && swept.deleted == 0)
    let markers = try await world.store.keys().count { $0.contains("/.pending/") }
    #expect(markers == 2)
    world.advance(3600)
    let followed = Mutex<Set<String>>([])
    let again = try await sweep(world) { date in followed.withLock { _ = $0.insert("\(date)") } }
    #expect(again.kept == 0 && again.deleted == 2)
    #expect(followed.withLock(\.self).contains("2026-03-02"))
  }

  @Test func `the markers of a day that newer rules have made stay for newer programs (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.send(40, hour: 10)
    let basis = DerivationBasis(
      RevisionID(at: world.shared.now, entropy: 1), rules: DerivationBasis.currentRules + 1,
      of: DerivationInputs(batches: [], zones: "", revisions: []))
    _ = try await world.store.put(
      try #require(ObjectKey("streams/v0/.derived/2026-03-02")), basis.encoded, if: .absent)
    world.advance(3600)
    let (swept, _) = try await world.sweep("2026-03-03")
    #expect(swept.kept == 1 && swept.deleted == 0)
  }

  @Test func `an object that is not a marker is named, and stays (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let marker = String(repeating: "a", count: 64) + "-0123456789abcdef"
    let names = ["streams/v0/.pending/\(marker)", "streams/v0/.pending/notes"]
    for name in names {
      _ = try await world.store.put(try #require(ObjectKey(name)), [1, 2], if: .absent)
    }
    world.advance(3600)
    let (swept, days) = try await world.sweep("2026-03-02")
    #expect(swept.unreadable.sorted() == names && days.isEmpty)
    #expect(try await world.store.keys().sorted() == names)
  }
}
