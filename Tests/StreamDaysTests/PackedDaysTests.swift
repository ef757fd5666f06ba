import Foundation
import Gzip
import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import StoreTesting
import Testing

@testable import StreamDays

/// Days that are made of packs are those that were made of the batches (R49, R66).
@Suite(.unit, .slow) struct PackedDaysTests {
  private static let dates = ["2026-03-01", "2026-03-02", "2026-03-03"]

  /// Corrections, deletions and samples without ids, of three dates and two feeds.
  private static func entries(_ random: inout SplitMix64) throws -> [StreamEntry] {
    try (0..<1 + random.below(6)).map { _ in
      let number = random.below(30)
      let date = random.pick(dates)
      let minute = number < 10 ? "0\(number)" : "\(number)"
      let (start, end) = ("\(date)T12:\(minute):00Z", "\(date)T12:\(minute):30Z")
      let uuid = random.chance(2) ? Entries.uuid(number) : nil
      if let uuid, random.chance(5) { return try Entries.deletion(start, end, uuid: uuid) }
      return try Entries.steps(Double(1 + random.below(500)), start, end, uuid: uuid)
    }
  }

  private struct Seen: Hashable {
    var batches: Set<StoredBatch> = []
    var counted: [[StreamEntry]] = []
  }

  private func seen(_ world: StreamWorld) async throws -> Seen {
    let streams = StreamStore(store: world.store, compression: ZlibCompression())
    let listing = try await streams.batches(of: .healthKit)
    #expect(listing.foreign.isEmpty)
    var (seen, tallies): (Seen, [CalendarDate: EntryTally]) = (Seen(), [:])
    for try await reading in streams.readings(of: listing.batches) {
      let batch = try #require(try reading.result?.get())
      #expect(seen.batches.insert(batch).inserted)
      tallies[reading.listed.place.date, default: EntryTally()].add(batch)
    }
    seen.counted = tallies.sorted { $0.key < $1.key }.map(\.value.entries)
    return seen
  }

  private func basis(_ world: StreamWorld, _ date: String) async throws -> [UInt8]? {
    let key = try #require(ObjectKey("streams/v0/.derived/\(date)"))
    return try await world.store.get(key, limit: 4096)?.body
  }

  private func compact(_ world: StreamWorld) async throws -> [CompactedMonth] {
    var days: [CompactedMonth] = []
    try await world.streams.compact(
      CompactionScope(stream: .healthKit, now: world.shared.now, age: 30 * 86_400),
      done: { days.append($0) }, left: { Issue.record("left alone: \($0)") })
    return days
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `R66: entries, receipts, bases and days are the same before and after packing`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let world = try StreamWorld(at: "2026-03-04T15:00:00Z")
    var sent: [([StreamEntry], String, String, Timestamp)] = []
    for number in 0..<25 {
      let batch = (
        try Self.entries(&random), "s\(number)", random.pick(["phone", "watch"]),
        world.shared.now.adding(seconds: -random.below(3000))
      )
      sent.append(batch)
      try await world.send(batch.0, session: batch.1, feed: batch.2, receivedAt: batch.3)
    }
    world.advance(1300)
    _ = try await world.sweep("2026-03-05", Set(try Self.dates.map(world.date)))
    let cache = DayCache(limit: 1 << 26)
    let hub = DayDeriver(
      ledger: world.ledger, streams: world.streams, zones: ReportingZones("UTC"), cache: cache)
    for date in Self.dates { _ = try await hub.recompute(world.date(date)) }
    let (before, revisions) = (try await seen(world), try await latest(world))
    var bases: [[UInt8]?] = []
    for date in Self.dates { bases.append(try await basis(world, date)) }
    world.advance(40 * 86_400)
    for turn in 0..<5 {
      if turn == 2 {
        // Some are sent again, with another receipt and feed, while packs hold them.
        for batch in sent where random.chance(3) {
          try await world.send(
            batch.0, session: batch.1, feed: "again",
            receivedAt: random.chance(2)
              ? world.shared.now : batch.3.adding(seconds: -9000))
        }
        #expect(try await seen(world) == before)
        world.advance(1300)
        _ = try await world.sweep("2026-06-01")
      }
      _ = try await compact(world)
      #expect(try await seen(world) == before, "turn \(turn)")
      for date in Self.dates {
        let made = try await hub.recompute(world.date(date))
        guard case .settled(_, let wrote) = made.outcome else {
          Issue.record("\(String(describing: made.outcome))")
          return
        }
        #expect(wrote.isEmpty)
      }
      world.advance(turn == 2 ? 40 * 86_400 : 1300)
    }
    let keys = try await world.store.keys()
    // Of each date at first, and in the end of the month.
    #expect(keys.filter { $0.hasSuffix(".pack.gz") }.map { $0.contains("/month/") } == [true])
    #expect(!keys.contains { $0.hasSuffix(".json.gz") })
    #expect(try await latest(world) == revisions)
    for (date, old) in zip(Self.dates, bases) {
      #expect(try await basis(world, date) == old)
      // Made from scratch of the packs alone, they say the same.
      try await world.store.delete(try #require(ObjectKey("streams/v0/.derived/\(date)")))
      guard case .settled(_, let wrote) = try await world.derive(date).outcome else {
        Issue.record("\(date) is not settled")
        return
      }
      #expect(wrote.isEmpty)
      #expect(try await basis(world, date) == old)
    }
    #expect(try await latest(world) == revisions)
  }

  private func latest(_ world: StreamWorld) async throws -> [RevisionID?] {
    var ids: [RevisionID?] = []
    for date in Self.dates { ids.append(try await world.latest(date)?.id) }
    return ids
  }

  @Test func `R66: a damaged pack stops its days, and they stay as they were`() async throws {
    let world = try StreamWorld(at: "2026-03-04T15:00:00Z")
    for number in 0..<4 {
      try await world.send([
        Entries.steps(
          10, "2026-03-02T12:0\(number):00Z", "2026-03-02T12:0\(number):30Z",
          uuid: Entries.uuid(number))
      ])
    }
    world.advance(1300)
    _ = try await world.sweep("2026-03-05")
    #expect(try await world.steps("2026-03-02") == 40)
    world.advance(40 * 86_400)
    _ = try await compact(world)
    world.advance(1300)
    _ = try await compact(world)
    let pack = try #require(try await world.store.keys().first { $0.hasSuffix(".pack.gz") })
    let key = try #require(ObjectKey(pack))
    var bytes = try #require(try await world.store.get(key, limit: 1 << 20)).body
    bytes[bytes.count / 2] ^= 1
    try await world.store.delete(key)
    _ = try await world.store.put(key, bytes, if: .absent)
    try await world.send([
      Entries.steps(5, "2026-03-02T13:00:00Z", "2026-03-02T13:00:30Z", uuid: Entries.uuid(9))
    ])
    let fresh = DayDeriver(
      ledger: world.ledger,
      streams: StreamStore(store: world.store, compression: ZlibCompression()),
      zones: ReportingZones("UTC"))
    await #expect(throws: LedgerError.self) {
      try await fresh.recompute(world.date("2026-03-02"))
    }
    #expect(try await world.steps("2026-03-02") == 40)
  }
}
