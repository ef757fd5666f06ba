import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import Testing

@testable import StreamDays

/// Days with a revision that fails its digest (R49, R60).
@Suite(.unit) struct DamagedDayTests {
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
