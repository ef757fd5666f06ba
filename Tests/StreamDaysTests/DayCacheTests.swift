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

/// What a server keeps between recomputes changes no figure (R49).
@Suite(.unit, .slow) struct DayCacheTests {
  private static let day = "2026-03-02"

  private static func sample(_ random: inout SplitMix64) throws -> StreamEntry {
    let number = random.below(60)
    let date = random.chance(5) ? "2026-03-01" : day
    let minute = number < 10 ? "0\(number)" : "\(number)"
    let (start, end) = ("\(date)T12:\(minute):00Z", "\(date)T12:\(minute):30Z")
    let uuid = random.chance(2) ? Entries.uuid(number) : nil
    if let uuid, random.chance(5) { return try Entries.deletion(start, end, uuid: uuid) }
    return try Entries.steps(Double(1 + random.below(500)), start, end, uuid: uuid)
  }

  private static func post(
    _ world: StreamWorld, _ random: inout SplitMix64, isLate: Bool = true
  ) async throws {
    let rows = (0..<1 + random.below(4)).map { _ in
      let minute = random.below(60)
      return
        #"{"date":"\#(day) 13:\#(minute < 10 ? "0" : "")\#(minute):00 +0000","qty":\#(1 + random.below(50))}"#
    }
    let name = random.pick(["flights_climbed", "push_count"])
    let text =
      #"{"data":{"metrics":[{"name":"\#(name)","units":"count","data":[\#(rows.joined(separator: ","))]}]}}"#
    var headers = ["automation-aggregation": "minutes"]
    if random.chance(2) { headers["session-id"] = "s\(random.below(3))" }
    let receivedAt = world.shared.now.adding(seconds: isLate ? -random.below(2400) : 0)
    let payload = try HealthAutoExportBody.read(
      Array(text.utf8), headers: headers, deviceID: StreamWorld.device, receivedAt: receivedAt,
      spans: PayloadMoments.spans)
    _ = try await world.streams.append(
      payload.batch, feed: "health-auto-export", receivedAt: receivedAt)
  }

  /// Everything that can happen to a day, in any order, with a cache that holds all, much or little.
  @Test(arguments: 1...3 as ClosedRange<UInt64>, [1 << 26, 20_000, 0])
  func `a day made with what was kept equals one made from scratch (R49)`(
    seed: UInt64, limit: Int
  ) async throws {
    var random = SplitMix64(seed: seed)
    let world = try StreamWorld(at: "2026-03-02T15:00:00Z")
    let cache = DayCache(limit: limit)
    let kept = DayDeriver(
      ledger: world.ledger, streams: world.streams, zones: ReportingZones("UTC"), cache: cache)
    let date = try world.date(Self.day)
    let others = [
      Collector(collectorID: .init(), deviceID: .init()),
      Collector(collectorID: .init(), deviceID: .init()),
    ]
    for _ in 0..<25 {
      world.advance(random.below(600))
      switch random.below(10) {
      case 0:
        _ = try await world.publish(
          Self.day, [.steps: .value(Double(random.below(3000)))], as: random.pick(others))
      case 1, 2, 3: try await Self.post(world, &random)
      case 4:
        // Somebody removes a batch.
        let keys = try await world.store.keys().filter { $0.hasSuffix(".json.gz") }
        guard !keys.isEmpty else { continue }
        try await world.store.delete(try #require(ObjectKey(random.pick(keys.sorted()))))
      default:
        var entries: [StreamEntry] = []
        for _ in 0..<1 + random.below(8) { entries.append(try Self.sample(&random)) }
        try await world.send(
          entries, feed: random.pick(["phone", "watch"]),
          receivedAt: world.shared.now.adding(seconds: -random.below(3000)))
      }
      let made = try await kept.recompute(date)
      #expect(cache.cost <= limit)
      let basis = try #require(ObjectKey("streams/v0/.derived/\(Self.day)"))
      try await world.store.delete(basis)
      let scratch = try await world.derive(Self.day)
      switch made.outcome {
      case .settled(let id, _): #expect(scratch.outcome == .settled(id, wrote: []))
      default: #expect(scratch.outcome == made.outcome)
      }
      #expect(scratch.leftOut == made.leftOut && scratch.notes == made.notes)
      // Else the next recompute would have nothing to do.
      try await world.store.delete(basis)
    }
  }

  @Test func `one more batch reads one batch and no revision (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T15:00:00Z")
    let counting = CountingReads(base: world.store)
    let kept = DayDeriver(
      ledger: HealthLedger(store: counting),
      streams: StreamStore(store: counting, compression: ZlibCompression()),
      zones: ReportingZones("UTC"),
      cache: DayCache(limit: 1 << 26))
    var random = SplitMix64(seed: 7)
    for turn in 0..<12 {
      world.advance(60)
      try await world.send([
        Entries.steps(
          Double(10 + turn), "2026-03-02T12:\(10 + turn):00Z", "2026-03-02T12:\(10 + turn):30Z",
          uuid: Entries.uuid(turn))
      ])
      if turn % 3 == 0 { try await Self.post(world, &random, isLate: false) }
      _ = counting.taken()
      _ = try await kept.recompute(world.date(Self.day))
      let read = counting.taken()
      #expect(read.count { $0.contains("apple_ios_healthkit") } == 1, "\(read)")
      #expect(read.count { $0.contains("health_auto_export") } == (turn % 3 == 0 ? 1 : 0))
      // That of the recompute before, which was not read yet, and what publishing reads of it.
      #expect(read.count { $0.contains("/revisions/") } <= 2, "\(read)")
    }
  }
}
