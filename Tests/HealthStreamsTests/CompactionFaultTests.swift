import Foundation
import Gzip
import HealthModel
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@testable import HealthStreams

/// Compaction that ends anywhere, readers that it overtakes anywhere, folders, and a year (R66).
@Suite(.unit) struct CompactionFaultTests {
  private typealias World = BatchPackTests.World

  private static let batches = 5

  private func world() async throws -> World {
    let world = try World()
    for number in 0..<Self.batches { try await world.send(number) }
    world.clock.advance(40 * 86_400)
    return world
  }

  @Test(arguments: [true, false], [StoreRequest.Kind.put, .delete])
  func `R66: a run that dies at any write or removal loses nothing, and the next one goes on`(
    isApplied: Bool, kind: StoreRequest.Kind
  ) async throws {
    for number in 1...(kind == .put ? 3 : 2 * Self.batches) {
      let world = try await world()
      let before = try await world.seen()
      let dying = EndingStore(base: world.store, at: number, of: kind, isApplied: isApplied)
      let streams = try Samples.streams(dying)
      var isOver = false
      func run() async throws {
        do {
          try await (isOver ? world.streams : streams)
            .compact(world.scope(), done: { _ in }, left: { _ in })
        } catch {
          isOver = true
        }
        world.clock.advance(1201)
      }
      for turn in 0..<2 {
        try await run()
        #expect(try await world.seen() == before, "\(kind) \(number), turn \(turn)")
      }
      // So that a pack is packed again, too.
      try await world.send(9)
      world.clock.advance(40 * 86_400)
      let all = try await world.seen()
      #expect(before.batches.isSubset(of: all.batches) && all.batches.count == Self.batches + 1)
      for _ in 0..<4 {
        try await run()
        #expect(try await world.seen() == all, "\(kind) \(number)")
      }
      #expect(try await world.counts() == [1, 0], "\(kind) \(number)")
      #expect(isOver == dying.hasEnded)
    }
  }

  /// Everything at once: packing, removing, a batch sent again by a server whose clock is behind, and
  /// packing it all again.
  private func disturb(_ world: World) async throws {
    try await world.compact()
    world.clock.advance(1201)
    try await world.compact()
    try await world.send(0, feed: "again", after: -900)
    world.clock.advance(60)
  }

  @Test(arguments: 1...12)
  func
    `R66: a reader that packing overtakes at any request reads every batch with its first receipt`(
      request: Int
    ) async throws
  {
    let world = try await world()
    let before = try await world.seen()
    for packsFirst in [false, true] {
      if packsFirst {
        try await world.compact()
        try await world.send(20)
        world.clock.advance(40 * 86_400)
      }
      let expected = packsFirst ? try await world.seen() : before
      let store = InterruptedStore(base: world.store, at: request) { try await disturb(world) }
      let streams = try Samples.streams(store)
      var found: Set<StoredBatch> = []
      let listing = try await streams.batches(of: .healthKit)
      for try await reading in streams.readings(of: listing.batches) {
        found.insert(try #require(try reading.result?.get()))
      }
      #expect(found == expected.batches, "request \(request)")
      var samples = 0
      for (_, read) in await streams.samples(of: listing.batches) {
        samples += try #require(try read.get()).get().samples.count
      }
      #expect(samples == expected.entries.count)
      #expect(try await world.seen() == expected)
    }
  }

  @Test func `R66: packs in a folder`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "packs-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    let streams = try Samples.streams(try DirectoryStore(path: folder.path, createsRoot: true))
    var sent: Set<String> = []
    for number in 0..<30 {
      let batch = Samples.batch(
        [try Samples.location("2025-01-30T10:\(10 + number):00Z")], session: "s-\(number)")
      sent.insert(batch.id)
      _ = try await streams.append(batch, feed: "f", receivedAt: Samples.received)
    }
    // By a clock that is forty days ahead of the files'.
    let now = Timestamp(secondsSince1970: Int(Date().timeIntervalSince1970) + 40 * 86_400)
    let scope = CompactionScope(stream: .location, now: now, age: 30 * 86_400)
    for turn in 0..<3 {
      var days: [CompactedMonth] = []
      try await streams.compact(scope, done: { days.append($0) }, left: { _ in })
      #expect(days.map(\.objects.after) == [[31], [1], []][turn])
      let fresh = try Samples.streams(streams.store)
      #expect(Set(try await fresh.all(.location).map(\.id)) == sent)
    }
  }

  /// Of a year with S3HEALTH_YEAR, which takes minutes.
  @Test(.nightly)
  func `R66: uploads every five minutes are read with 100 times fewer requests`()
    async throws
  {
    let days = ProcessInfo.processInfo.environment["S3HEALTH_YEAR"] == nil ? 14 : 365
    let clock = TestClock()
    let store = CountedStore(MemoryStore(now: { clock.seconds }))
    let streams = try Samples.streams(store)
    let start = try #require(Timestamp("2025-01-01T00:00:00Z"))
    let place = streams.layout
    for number in 0..<days * 288 {
      let moment = EntryMoment(
        milliseconds: (start.secondsSince1970 + number * 300) * 1000
      ).text
      let body = Array(
        #"{"batch_metadata":{"app_version":"1","session":"s","total_records":1},"data":[{"sample_type":"HKQuantityTypeIdentifierHeartRate","timestamp":"\#(moment)","unit":"bpm","value":60}],"device_id":"\#(Samples.device)","stream_name":"apple_ios_healthkit"}"#
          .utf8)
      let batch = SealedBatch(
        id: SealedBatch.digest(of: body), stream: .healthKit, deviceID: Samples.device,
        recordCount: 1, body: body)
      let received = start.adding(seconds: number * 300)
      let pieces = StoredBatch.pieces(
        of: batch, feed: "f", receivedAt: PreciseMoment(received))
      let key = place.key(
        of: .healthKit, device: Samples.device, on: received.utcDate, id: batch.id)
      _ = try await store.put(key, try ZlibCompression().gzip(pieces), if: .absent)
    }
    let before = store.taken()
    #expect(before == days * 288)
    func read() async throws -> Int {
      let fresh = try Samples.streams(store)
      let listing = try await fresh.batches(of: .healthKit)
      var count = 0
      for (_, read) in await fresh.samples(of: listing.batches) {
        if case .success(.success) = read { count += 1 }
      }
      return count
    }
    #expect(try await read() == days * 288)
    let single = store.taken()
    clock.advance(500 * 86_400)
    for _ in 0..<2 {
      let scope = CompactionScope(
        stream: .healthKit, now: Timestamp(secondsSince1970: clock.seconds), age: 30 * 86_400)
      try await streams.compact(scope, done: { _ in }, left: { _ in })
      clock.advance(1201)
    }
    _ = store.taken()
    #expect(try await read() == days * 288)
    let packed = store.taken()
    #expect(packed * 100 <= single, "\(single) requests, and \(packed) of packs")
    print("\(days) days: \(single) requests, and \(packed) of packs")
  }
}

/// A store whose caller ends at a request of a kind: it is applied or not, and everything fails from
/// then on.
final class EndingStore: ForwardingStore {
  let base: any ObjectStore
  private let left: Mutex<Int>
  private let kind: StoreRequest.Kind
  private let isApplied: Bool
  private static let failure = StoreError(.unavailable, "the process has ended")

  init(base: any ObjectStore, at number: Int, of kind: StoreRequest.Kind, isApplied: Bool) {
    (self.base, self.kind, self.isApplied) = (base, kind, isApplied)
    left = Mutex(number)
  }

  var hasEnded: Bool { left.withLock { $0 <= 0 } }

  /// Whether the request is applied; throws if the caller has ended.
  private func arrive(_ kind: StoreRequest.Kind) throws(StoreError) -> Bool {
    let place = left.withLock { left in
      if left > 0, kind == self.kind {
        left -= 1
        return left == 0 ? 0 : 1
      }
      return left > 0 ? 1 : -1
    }
    if place < 0 { throw Self.failure }
    return place > 0 || isApplied
  }

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    _ = try arrive(.get)
    return try await base.get(key, limit: limit)
  }

  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    _ = try arrive(.list)
    return try await base.list(request)
  }

  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    if try arrive(.put) {
      let outcome = try await base.put(key, body, if: precondition)
      if !hasEnded { return outcome }
    }
    throw Self.failure
  }

  func delete(_ key: ObjectKey) async throws(StoreError) {
    if try arrive(.delete) {
      try await base.delete(key)
      if !hasEnded { return }
    }
    throw Self.failure
  }
}

/// A store in which something happens before a reader's request of a number.
private final class InterruptedStore: ForwardingStore {
  let base: any ObjectStore
  private let left: Mutex<Int>
  private let happens: @Sendable () async throws -> Void

  init(
    base: any ObjectStore, at number: Int, _ happens: @escaping @Sendable () async throws -> Void
  ) {
    (self.base, self.happens) = (base, happens)
    left = Mutex(number)
  }

  private func arrive() async {
    let isNow = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isNow { await #expect(throws: Never.self) { try await happens() } }
  }

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    await arrive()
    return try await base.get(key, limit: limit)
  }

  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    await arrive()
    return try await base.list(request)
  }
}

/// A store that counts requests.
private final class CountedStore: ForwardingStore {
  let base: any ObjectStore
  private let count = Mutex(0)

  init(_ base: any ObjectStore) { self.base = base }

  /// How many there were since the last call.
  func taken() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    count.withLock { $0 += 1 }
    return try await base.get(key, limit: limit)
  }

  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    count.withLock { $0 += 1 }
    return try await base.put(key, body, if: precondition)
  }

  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    count.withLock { $0 += 1 }
    return try await base.list(request)
  }
}
