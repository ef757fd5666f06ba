import Gzip
import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import StoreTesting
import Synchronization
import TestSupport
import Testing

@testable import StreamDays

/// How often days read the payloads that touch them (R49, R55).
@Suite(.unit, .slow) struct PayloadReadingTests {
  private static let dates = (1...20).map { "2026-03-\($0 < 10 ? "0" : "")\($0)" }

  /// Steps of each minute of an hour, a weight and a night of each date.
  private static func payload(steps: Int, dates: [String] = dates) -> String {
    var (rows, weights, nights): ([String], [String], [String]) = ([], [], [])
    for (number, date) in dates.enumerated() {
      for minute in 10..<40 {
        rows.append(
          #"{"date":"\#(date) 10:\#(minute):00 +0000","qty":\#(steps + number),"source":"W"}"#)
      }
      weights.append(#"{"date":"\#(date) 00:00:00 +0000","qty":7\#(number % 10).5}"#)
      nights.append(
        #"{"startDate":"\#(date) 00:10:00 +0000","endDate":"\#(date) 06:\#(10 + number):00 +0000","value":"Core","source":"W"}"#
      )
    }
    func metric(_ name: String, _ units: String, _ rows: [String]) -> String {
      #"{"name":"\#(name)","units":"\#(units)","data":[\#(rows.joined(separator: ","))]}"#
    }
    let metrics = [
      metric("step_count", "count", rows), metric("weight_body_mass", "kg", weights),
      metric("sleep_analysis", "hr", nights),
    ]
    return #"{"data":{"metrics":[\#(metrics.joined(separator: ","))]}}"#
  }

  /// Posts a payload in parts of so many bytes. Returns how many there are.
  private func post(
    _ text: String, session: String, bytes: Int, to world: StreamWorld
  ) async throws -> Int {
    let entries = try HealthAutoExportBody.parts(
      of: Array(text.utf8), digest: SealedBatch.digest(of:), headers: [:],
      receivedAt: world.shared.now, partBytes: bytes, spans: PayloadMoments.spans
    ).entries
    for entry in entries {
      let order = PreciseMoment(world.shared.now)
      let batch = HealthAutoExportBody.sealed(
        entry, headers: ["session-id": session], deviceID: StreamWorld.device, order: order)
      _ = try await world.streams.append(
        batch, feed: "health-auto-export", receivedAt: order, keeping: nil)
    }
    return entries.count
  }

  private func deriver(
    _ world: StreamWorld, over store: any ObjectStore, keeping limit: Int? = nil
  ) -> DayDeriver {
    DayDeriver(
      ledger: world.ledger, streams: StreamStore(store: store, compression: ZlibCompression()),
      zones: ReportingZones("UTC"), cache: limit.map { DayCache(limit: $0) })
  }

  /// The days equal those that are made from scratch.
  private func expectTrue(_ world: StreamWorld) async throws {
    for date in Self.dates {
      guard let id = try await world.latest(date)?.id else {
        Issue.record("\(date) is not made")
        continue
      }
      try await world.store.delete(try #require(ObjectKey("streams/v0/.derived/\(date)")))
      #expect(try await world.derive(date).outcome == .settled(id, wrote: []), "\(date)")
    }
  }

  @Test(arguments: [3000, 1_000_000], TestDepth.full([nil, 0, 1 << 26], usual: [nil]))
  func `R49: a payload of many days is read once for all of them`(
    bytes: Int, limit: Int?
  ) async throws {
    let world = try StreamWorld(at: "2026-03-21T12:00:00Z")
    let count = try await post(
      Self.payload(steps: 5), session: "a", bytes: bytes, to: world)
    #expect(bytes < 100_000 ? count > 5 : count == 1)
    let counting = CountingReads(base: world.store)
    let deriver = deriver(world, over: counting, keeping: limit)
    for date in Self.dates {
      let made = try await deriver.recompute(world.date(date))
      #expect(made.isSettled)
    }
    let read = counting.taken().filter { $0.contains("/health_auto_export/") }
    #expect((read.count, Set(read).count) == (count, count))
    for (number, date) in Self.dates.enumerated() {
      #expect(try await world.steps(date) == Double(30 * (5 + number)))
    }
    try await expectTrue(world)

    // What was let go of is read again, and says the same.
    deriver.rest()
    for date in Self.dates {
      try await world.store.delete(try #require(ObjectKey("streams/v0/.derived/\(date)")))
      let made = try await deriver.recompute(world.date(date))
      #expect(made.published == nil && made.isSettled)
    }
    #expect(counting.taken().count { $0.contains("/health_auto_export/") } <= count)
  }

  @Test func `R49: a sweep reads a payload of many days once`() async throws {
    let world = try StreamWorld(at: "2026-03-21T12:00:00Z")
    let count = try await post(Self.payload(steps: 5), session: "a", bytes: 3000, to: world)
    world.advance(3600)
    let counting = CountingReads(base: world.store)
    let (deriver, shared) = (deriver(world, over: counting), world.shared)
    let sweep = MarkerSweep(
      deriver, today: try world.date("2026-03-21"),
      now: { shared.now })
    var made = 0
    let swept = try await sweep.run([]) { _, result throws(LedgerError) in
      if try result.get().published != nil { made += 1 }
    }
    #expect(made == Self.dates.count && swept.deleted == count && swept.kept == 0)
    #expect(counting.taken().count { $0.contains("/health_auto_export/") } == count)
  }

  @Test func `R49, R55: a newer payload that comes while the days are made wins on all of them`()
    async throws
  {
    let counting = CountingReads(base: MemoryStore())
    let world = try StreamWorld(counting, at: "2026-03-21T12:00:00Z")
    let count = try await post(Self.payload(steps: 5), session: "a", bytes: 3000, to: world)
    let deriver = deriver(world, over: counting, keeping: 1 << 26)
    for (number, date) in Self.dates.enumerated() {
      if number == 7 {
        // Within the recompute of a day: after it has read and before it publishes.
        counting.beforeNextRevision { [self] in
          world.advance(20)
          _ = try await post(Self.payload(steps: 90), session: "b", bytes: 3000, to: world)
        }
      }
      #expect(try await deriver.recompute(world.date(date)).isSettled)
      let expected = (number < 7 ? 5 : 90) + number
      #expect(try await world.steps(date) == Double(30 * expected), "\(date)")
    }
    for (number, date) in Self.dates.enumerated() {
      #expect(try await deriver.recompute(world.date(date)).isSettled)
      #expect(try await world.steps(date) == Double(30 * (90 + number)), "\(date)")
    }
    let read = counting.taken().filter { $0.contains("/health_auto_export/") }
    #expect(Set(read).count == 2 * count && read.count == 2 * count)
    try await expectTrue(world)
  }

  @Test func `R49: parts that arrive while days are made are read twice at most`() async throws {
    let world = try StreamWorld(at: "2026-03-21T12:00:00Z")
    let entries = try HealthAutoExportBody.parts(
      of: Array(Self.payload(steps: 5).utf8), digest: SealedBatch.digest(of:), headers: [:],
      receivedAt: world.shared.now, partBytes: 3000, spans: PayloadMoments.spans
    ).entries
    let counting = CountingReads(base: world.store)
    let deriver = deriver(world, over: counting, keeping: 1 << 26)
    for entry in entries {
      let order = PreciseMoment(world.shared.now)
      let batch = HealthAutoExportBody.sealed(
        entry, headers: ["session-id": "a"], deviceID: StreamWorld.device, order: order)
      _ = try await world.streams.append(
        batch, feed: "health-auto-export", receivedAt: order, keeping: nil)
      for date in Self.dates { _ = try await deriver.recompute(world.date(date)) }
      world.advance(1)
    }
    let read = counting.taken().filter { $0.contains("/health_auto_export/") }
    #expect(Set(read).count == entries.count && read.count <= 2 * entries.count, "\(read.count)")
    try await expectTrue(world)
  }

  @Test(arguments: [[false, true], [true, false]])
  func `R55: parts of a payload that was split in two ways do not make a whole one`(
    fromSecond: [Bool]
  ) async throws {
    let world = try StreamWorld(at: "2026-03-21T12:00:00Z")
    let text = Self.payload(steps: 5, dates: [Self.dates[0]])
    func parts(_ bytes: Int) throws -> [StreamEntry] {
      try HealthAutoExportBody.parts(
        of: Array(text.utf8), digest: SealedBatch.digest(of:), headers: [:],
        receivedAt: world.shared.now, partBytes: bytes, spans: PayloadMoments.spans
      ).entries
    }
    let (first, second) = (try parts(1400), try parts(1000))
    func post(_ entry: StreamEntry) async throws {
      let order = PreciseMoment(world.shared.now)
      let batch = HealthAutoExportBody.sealed(
        entry, headers: ["session-id": "a"], deviceID: StreamWorld.device, order: order)
      _ = try await world.streams.append(
        batch, feed: "health-auto-export", receivedAt: order, keeping: nil)
      world.advance(1)
    }
    try #require(first.count == 2 && second.count == 3, "\(first.count) \(second.count)")
    for isSecond in fromSecond { try await post(isSecond ? second[1] : first[0]) }
    #expect(try await world.derive(Self.dates[0]).outcome == .nothing)
    try await post(first[1])
    #expect(try await world.derive(Self.dates[0]).isSettled)
    #expect(try await world.steps(Self.dates[0]) == 150)
  }

  @Test func `R49: what is kept of payloads is bounded`() throws {
    let cache = PayloadCache(limit: 100_000)
    let root = try JSONValue(parsing: Array(Self.payload(steps: 5).utf8))
    let rows = try CaptureRows(
      parts: [root], rowLength: .day, in: ReportingZones("UTC"), metrics: [.steps])
    let names = (0..<50).map {
      PayloadCache.Capture(ids: ["\($0)"], zones: ReportingZones("UTC"), metrics: [.steps])
    }
    for name in names { cache.keep(rows, name) }
    let held = names.filter { cache.rows($0) != nil }
    #expect(!held.isEmpty && held.count * rows.cost <= 100_000, "\(rows.cost)")
    #expect(held == names.suffix(held.count))
    let small = PayloadCache(limit: rows.cost - 1)
    small.keep(rows, names[0])
    #expect(small.rows(names[0]) == nil)
  }
}

/// A store that notes what is read, and lets something happen before a revision is stored.
final class CountingReads: ForwardingStore {
  let base: any ObjectStore
  private let keys = Mutex<[String]>([])
  private let waiting = Mutex<(@Sendable () async throws -> Void)?>(nil)

  init(base: any ObjectStore) { self.base = base }

  /// The keys that were read since the last call.
  func taken() -> [String] {
    keys.withLock { keys in
      defer { keys = [] }
      return keys
    }
  }

  /// Does something once, before the next revision is stored.
  func beforeNextRevision(_ work: @escaping @Sendable () async throws -> Void) {
    waiting.withLock { $0 = work }
  }

  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    if key.rawValue.contains("/revisions/") {
      let work = waiting.withLock { work in
        defer { work = nil }
        return work
      }
      do { try await work?() } catch { Issue.record(error) }
    }
    return try await base.put(key, body, if: precondition)
  }

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    keys.withLock { $0.append(key.rawValue) }
    return try await base.get(key, limit: limit)
  }
}
