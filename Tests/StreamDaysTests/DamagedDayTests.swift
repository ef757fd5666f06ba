import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import StoreTesting
import Testing

@testable import StreamDays

/// Days with a revision that fails its digest, or a basis that is not there to read (R49, R60).
@Suite(.unit) struct DamagedDayTests {
  private static let basis = "streams/v0/.derived/2026-03-02"

  @Test(arguments: [0, 20_000_000])
  func `R49: a basis that can't be read stops the day, because it may name a batch that was lost`(
    size: Int
  ) async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let basis = try #require(ObjectKey(Self.basis))
    try await world.send(40, hour: 10)
    let first = try #require(
      try await world.store.keys().first { $0.hasSuffix(".json.gz") }.flatMap { ObjectKey($0) })
    try await world.send(60, hour: 11)
    _ = try await world.derive("2026-03-02")
    try await world.store.delete(basis)
    _ = try await world.store.put(basis, [UInt8](repeating: 1, count: size), if: .absent)
    try await world.store.delete(first)
    let error = try #require(
      await #expect(throws: LedgerError.self) { try await world.derive("2026-03-02") })
    #expect(error.key == Self.basis && error.remedy != nil)
    #expect(try await world.steps("2026-03-02") == 100)
    // The person accepts that.
    try await world.store.delete(basis)
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 60)
  }

  @Test(arguments: [Fault.refused(.unavailable), .lost])
  func `R49: a day whose basis can't be stored is not settled`(fault: Fault) async throws {
    let plan = FaultPlan(rules: [.init(fault, on: .put, suffix: Self.basis)])
    let world = try StreamWorld(
      FaultInjectingStore(MemoryStore(), plan: plan), at: "2026-03-02T12:00:00Z")
    try await world.send(40, hour: 10)
    await #expect(throws: LedgerError.self) { try await world.derive("2026-03-02") }
    let again = try await world.derive("2026-03-02")
    #expect(again.isSettled)
    #expect(try await world.store.keys().contains(Self.basis))
  }

  @Test func `R49: where nothing is replaced under a condition, the basis is stored anew`()
    async throws
  {
    struct CreatingStore: ForwardingStore {
      let base: any ObjectStore
      func put(
        _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
      ) async throws(StoreError) -> PutOutcome {
        guard precondition == .absent else { throw StoreError(.unsupported, "no If-Match") }
        return try await base.put(key, body, if: precondition)
      }
      func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .createOnly }
    }
    let world = try StreamWorld(
      CreatingStore(base: MemoryStore()), at: "2026-03-02T12:00:00Z")
    for (hour, steps) in [(10, 40.0), (11, 60)] {
      try await world.send(steps, hour: hour)
      #expect(try await world.derive("2026-03-02").isSettled)
    }
    let bytes = try await world.store.get(try #require(ObjectKey(Self.basis)), limit: 1 << 20)?.body
    let basis = try #require(bytes.flatMap { DerivationBasis($0) })
    let newest = try await world.latest("2026-03-02")?.id
    #expect(basis.revisionID == newest)
  }

  /// Replaces a text in a stored revision of 2 March.
  private func damage(
    _ id: RevisionID, of world: StreamWorld, _ text: String, _ other: String
  ) async throws {
    let key = world.ledger.layout.revisionKey(try world.date("2026-03-02"), id)
    let body = try #require(try await world.store.get(key, limit: 65_536)).body
    try await world.store.delete(key)
    let damaged = String(decoding: body, as: UTF8.self).replacing(text, with: other)
    _ = try await world.store.put(key, Array(damaged.utf8), if: .absent)
  }

  @Test
  func `a damaged revision of another collector stops the day until it publishes again (R60)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T12:00:00Z")
    try await world.send([Entries.steps(40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z")])
    let collector = Collector(collectorID: .init(), deviceID: .init())
    let readings: [DailyMetric: MetricReading] = [.steps: .value(12_000)]
    let id = try await world.publish("2026-03-02", readings, as: collector).revisionID
    try await damage(id, of: world, "12000", "92000")
    await #expect(throws: LedgerError.self) { try await world.derive("2026-03-02") }
    #expect(try await world.latest("2026-03-02")?.id == id)
    _ = try await world.publish("2026-03-02", readings, as: collector)
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 12_000)
  }

  @Test(arguments: [true, false])
  func `a day is published again above a damaged revision, even with earlier figures (R20, R49)`(
    isKept: Bool
  ) async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let cache = DayCache(limit: 1 << 20)
    func derive() async throws {
      _ = try await DayDeriver(
        ledger: world.ledger, streams: world.streams, zones: ReportingZones("UTC"),
        cache: isKept ? cache : nil
      ).recompute(world.date("2026-03-02"))
      world.advance(60)
    }
    try await world.send(40, hour: 10)
    try await derive()
    try await world.send(60, hour: 11)
    try await derive()
    let id = try #require(try await world.latest("2026-03-02")?.id)
    try await damage(id, of: world, ":100", ":900")
    #expect(try await world.steps("2026-03-02") == 900)
    try await world.send([
      Entries.deletion("2026-03-02T11:00:00Z", "2026-03-02T11:01:00Z", uuid: Entries.uuid(11))
    ])
    try await derive()
    #expect(try await world.steps("2026-03-02") == 40)
  }
}
