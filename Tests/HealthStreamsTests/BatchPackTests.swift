import Gzip
import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthStreams

/// Packs of batches, read through the same door as the batches themselves (R66).
@Suite(.unit) struct BatchPackTests {
  /// A store whose clock tests move, with batches of 2025-01-30 in it.
  final class World: Sendable {
    let store: FaultInjectingStore<MemoryStore>
    let streams: StreamStore
    let clock = TestClock()

    init() throws {
      let clock = clock
      store = FaultInjectingStore(MemoryStore(now: { clock.seconds }))
      streams = try Samples.streams(store)
    }

    func scope(
      _ stream: StreamName = .healthKit, days: Int = 30, isDryRun: Bool = false
    ) -> CompactionScope {
      CompactionScope(
        stream: stream, now: Timestamp(secondsSince1970: clock.seconds), age: days * 86_400,
        isDryRun: isDryRun)
    }

    /// One run. Returns what it did and what it left alone.
    @discardableResult
    func compact(
      _ stream: StreamName = .healthKit, days: Int = 30, isDryRun: Bool = false
    ) async throws -> (days: [CompactedMonth], left: [LeftAlone]) {
      var (done, left): ([CompactedMonth], [LeftAlone]) = ([], [])
      try await streams.compact(
        scope(stream, days: days, isDryRun: isDryRun), done: { done.append($0) },
        left: { left.append($0) })
      return (done, left)
    }

    func send(
      _ number: Int, value: Double = 72, feed: String = "f", after seconds: Int = 0,
      on date: String = "2025-01-30"
    ) async throws {
      let minute = number < 10 ? "0\(number)" : "\(number)"
      let batch = Samples.batch(
        [try Samples.heartRate("\(date)T10:\(minute):00Z", value)], session: "s-\(number)")
      let receipt = try await streams.append(
        batch, feed: feed, receivedAt: Samples.received.adding(seconds: number + seconds))
      for marker in receipt.markers { try await streams.deleteMarker(marker) }
    }

    func keys(_ suffix: String) async throws -> [String] {
      try await store.listAll(ListRequest(prefix: "streams/v0/")).map(\.key)
        .filter { $0.hasSuffix(suffix) }
    }

    var packs: [String] { get async throws { try await keys(".pack.gz") } }
    var smalls: [String] { get async throws { try await keys(".json.gz") } }

    /// How many packs there are, and how many objects of batches.
    func counts() async throws -> [Int] { [try await packs.count, try await smalls.count] }

    /// What readers see: each batch with its receipt, and the entries that count.
    func seen() async throws -> Seen {
      var (batches, tally): (Set<StoredBatch>, EntryTally) = ([], EntryTally())
      let listing = try await streams.batches(of: .healthKit)
      for try await reading in streams.readings(of: listing.batches) {
        let batch = try #require(try reading.result?.get())
        #expect(batches.insert(batch).inserted)
        tally.add(batch)
      }
      #expect(listing.foreign.isEmpty)
      return Seen(batches: batches, entries: tally.entries)
    }

    struct Seen: Hashable {
      let batches: Set<StoredBatch>
      let entries: [StreamEntry]
    }
  }

  /// Packs twelve batches and lets the small objects go.
  private func packed(_ count: Int = 12) async throws -> World {
    let world = try World()
    for number in 0..<count { try await world.send(number) }
    world.clock.advance(40 * 86_400)
    try await world.compact()
    world.clock.advance(1201)
    try await world.compact()
    #expect(try await world.counts() == [1, 0])
    return world
  }

  @Test func `R66: old batches become one object that reads as they did`() async throws {
    let world = try World()
    for number in 0..<12 { try await world.send(number, feed: number < 6 ? "a" : "b") }
    try await world.send(3, value: 75, after: 90)
    let before = try await world.seen()
    // Not yet old enough.
    world.clock.advance(29 * 86_400)
    #expect(try await world.compact().days.isEmpty)
    world.clock.advance(3 * 86_400)
    let first = try await world.compact()
    #expect(first.days.count == 1 && first.left.isEmpty)
    #expect(first.days[0].outcome.packed == 13 && first.days[0].outcome.packs == 1)
    #expect(first.days[0].outcome.waiting == 13 && first.days[0].objects == (13, 14))
    #expect(try await world.counts() == [1, 13])
    #expect(try await world.seen() == before)
    // The small objects stay while a listing may have missed the pack.
    world.clock.advance(1200)
    #expect(try await world.compact().days.allSatisfy { $0.outcome.removedBatches == 0 })
    world.clock.advance(1)
    #expect(try await world.compact().days[0].objects == (14, 1))
    #expect(try await world.counts() == [1, 0])
    #expect(try await world.seen() == before)
    #expect(try await world.compact().days.isEmpty)
  }

  @Test func `R66: a batch that is sent again beside its pack counts once, with its first receipt`()
    async throws
  {
    let world = try await packed()
    let before = try await world.seen()
    try await world.send(4, feed: "again", after: 86_400 * 40)
    #expect(try await world.smalls.count == 1)
    #expect(try await world.seen() == before)
    world.clock.advance(40 * 86_400)
    try await world.compact()
    #expect(try await world.smalls.isEmpty)
    #expect(try await world.packs.count == 1)
    #expect(try await world.seen() == before)
  }

  @Test func `R66: late batches go into a new pack, and the old one goes after it`() async throws {
    let world = try await packed()
    try await world.send(20)
    let all = try await world.seen()
    #expect(all.batches.count == 13)
    world.clock.advance(40 * 86_400)
    try await world.compact()
    #expect(try await world.counts() == [2, 1])
    #expect(try await world.seen() == all)
    world.clock.advance(1201)
    try await world.compact()
    #expect(try await world.counts() == [1, 0])
    #expect(try await world.seen() == all)
  }

  @Test func `R66: a reader that listed small objects finds them in the pack`() async throws {
    let world = try World()
    for number in 0..<5 { try await world.send(number) }
    let before = try await world.seen()
    let listing = try await world.streams.batches(of: .healthKit)
    world.clock.advance(40 * 86_400)
    try await world.compact()
    world.clock.advance(1201)
    try await world.compact()
    var found: Set<StoredBatch> = []
    for try await reading in world.streams.readings(of: listing.batches) {
      found.insert(try #require(try reading.result?.get()))
    }
    #expect(found == before.batches)
    // The pack that this listing shows goes into another one.
    let packed = try await world.streams.batches(of: .healthKit)
    try await world.send(9)
    world.clock.advance(40 * 86_400)
    try await world.compact()
    world.clock.advance(1201)
    try await world.compact()
    let fresh = try Samples.streams(world.store)
    for (_, samples) in await fresh.samples(of: packed.batches) {
      #expect(try samples.get()?.get().samples.count == 1)
    }
  }

  @Test func `R66: a pack is read once, for its names and for its batches`() async throws {
    let world = try await packed()
    let fresh = try Samples.streams(world.store)
    let before = world.store.log.gets
    let listing = try await fresh.batches(of: .healthKit)
    var count = 0
    for try await _ in fresh.readings(of: listing.batches) { count += 1 }
    #expect(count == 12 && world.store.log.gets - before == 1)
    #expect(listing.batches.reduce(0) { $0 + $1.size } == listing.packs[0].size)
  }

  @Test func `R66: what is not old enough yet is named, with the time from which it can be packed`()
    async throws
  {
    let world = try World()
    func waits(days: Int = 30) async throws -> [CompactionWait] {
      var waits: [CompactionWait] = []
      try await world.streams.compact(
        world.scope(days: days), done: { _ in }, left: { _ in }, waiting: { waits.append($0) })
      return waits
    }
    #expect(try await waits().isEmpty)
    let began = world.clock.seconds
    for number in 0..<3 { try await world.send(number) }
    try await world.send(3, on: "2025-01-29")
    // The date is new. One object alone would not be packed.
    world.clock.advance(86_400)
    let date = try #require(CalendarDate("2025-01-30"))
    let recent = try #require(try await waits().first)
    #expect(try await waits().count == 1)
    #expect(recent.dates == date...date && recent.count == 1 && !recent.isLate)
    // The date is old, and the objects were uploaded 20 days ago.
    world.clock.advance(60 * 86_400)
    for number in 4..<6 { try await world.send(number, on: "2025-01-28") }
    let uploaded = world.clock.seconds
    world.clock.advance(20 * 86_400)
    let late = try await waits()
    #expect(late.map(\.isLate) == [true] && late.map(\.count) == [1])
    #expect(late.map(\.dates.lowerBound.description) == ["2025-01-28"])
    #expect(late.map(\.until.lowerBound.secondsSince1970) == [uploaded + 30 * 86_400 + 1])
    #expect(began < uploaded)
    // From then on it is packed, as this says.
    world.clock.advance(10 * 86_400)
    #expect(try await waits().count == 1)
    world.clock.advance(1)
    #expect(try await waits().isEmpty)
    #expect(try await world.packs.count == 2)
  }

  @Test func `R66: a dry run writes nothing`() async throws {
    let world = try World()
    for number in 0..<5 { try await world.send(number) }
    world.clock.advance(40 * 86_400)
    let (puts, deletes) = (world.store.log.puts, world.store.log.deletes)
    let run = try await world.compact(isDryRun: true)
    #expect(run.days[0].outcome.packed == 5 && run.days[0].objects == (5, 1))
    #expect(world.store.log.puts == puts && world.store.log.deletes == deletes)
  }

  @Test func `R66: what is marked, foreign, damaged or alone is left alone`() async throws {
    let world = try World()
    for number in 0..<4 { try await world.send(number) }
    try await world.send(5, on: "2025-01-29")
    // A batch whose content is not what its key says.
    let bad = try #require(
      ObjectKey(
        "streams/v0/apple_ios_healthkit/\(Samples.device)/2025/01/30/"
          + String(repeating: "a", count: 64) + ".json.gz"))
    _ = try await world.store.put(bad, [1, 2, 3], if: .absent)
    world.clock.advance(40 * 86_400)
    let marker = try #require(
      ObjectKey("streams/v0/.pending/\(String(repeating: "b", count: 64))-0123456789abcdef"))
    let span = #"[["2025-01-30T10:00:00Z","2025-01-30T11:00:00Z"]]"#
    let text =
      #"{"batch_id":"\#(String(repeating: "b", count: 64))","received_at":"2025-01-30T10:00:00Z","spans":\#(span)}"#
    _ = try await world.store.put(marker, Array(text.utf8), if: .absent)
    var run = try await world.compact()
    #expect(run.days.isEmpty)
    #expect(run.left == [.marked(marker.rawValue, try #require(CalendarDate("2025-01-30")))])
    try await world.store.delete(marker)
    run = try await world.compact()
    #expect(run.days.map(\.month.description) == ["2025-01"])
    #expect(run.days[0].outcome.packed == 5)
    #expect(run.days[0].outcome.faults.keys.map(\.id) == [String(repeating: "a", count: 64)])
    let copy = try #require(
      ObjectKey(
        "streams/v0/apple_ios_healthkit/\(Samples.device)/2025/01/30/"
          + String(repeating: "a", count: 64) + " 2.json.gz"))
    _ = try await world.store.put(copy, [1], if: .absent)
    world.clock.advance(1201)
    run = try await world.compact()
    // The other date of the month has none.
    #expect(run.days.map(\.outcome.removedBatches) == [1])
    #expect(run.left == [.foreign(copy.rawValue)])
    try await world.store.delete(copy)
    try await world.compact()
    #expect(try await world.smalls.count == 1)
    // A marker that can't be read may name any date.
    let unknown = try #require(ObjectKey("streams/v0/.pending/what"))
    _ = try await world.store.put(unknown, [1], if: .absent)
    try await world.send(8)
    try await world.send(9)
    world.clock.advance(40 * 86_400)
    run = try await world.compact()
    #expect(run.days.isEmpty && run.left == [.unreadableMarker(unknown.rawValue)])
  }

  enum Damage: String, CaseIterable { case flipped, cut, renamed, emptied }

  @Test(arguments: Damage.allCases)
  func `R66: a damaged pack is an error, and never a date with fewer batches`(
    damage: Damage
  ) async throws {
    let world = try await packed()
    let key = try #require(ObjectKey(try await world.packs[0]))
    var bytes = try #require(try await world.store.get(key, limit: 1 << 20)).body
    var target = key
    switch damage {
    case .flipped: bytes[bytes.count / 2] ^= 1
    case .cut: bytes.removeLast(bytes.count / 3)
    case .emptied: bytes = []
    case .renamed:
      let digits = key.rawValue.split(separator: "/").last?.prefix(64) ?? ""
      target = try #require(
        ObjectKey(key.rawValue.replacing(digits, with: String(digits.reversed()))))
    }
    try await world.store.delete(key)
    _ = try await world.store.put(target, bytes, if: .absent)
    let streams = try Samples.streams(world.store)
    let listing = try await streams.batches(of: .healthKit)
    #expect(listing.batches.isEmpty)
    #expect(listing.foreign.first?.obstacle?.code == .unreadable)
    var findings: [StreamFinding] = []
    _ = try await streams.inspect(.healthKit) { findings.append($0) }
    #expect(findings.count == 1 && findings[0].code.isError)
    #expect(findings[0].key == target.rawValue)
    switch damage {
    case .renamed: #expect(findings[0].code == .notABatch(.wrongDigest))
    default: #expect(findings[0].code == .notABatch(.notGzip))
    }
    // It says what it can't do, and touches nothing.
    try await world.send(30)
    world.clock.advance(40 * 86_400)
    let keys = try await world.keys("")
    let run = try await world.compact()
    guard case .damagedPack = run.days[0].outcome.obstacle else {
      Issue.record("\(run.days[0].outcome)")
      return
    }
    #expect(try await world.keys("") == keys)
  }

  @Test
  func
    `R66: of two packs that tell a batch differently the first receipt counts, and verify says so`()
    async throws
  {
    let world = try await packed(3)
    let before = try await world.seen()
    let first = try #require(before.batches.first)
    let date = try #require(CalendarDate("2025-01-30"))
    // A pack of the same batches, as a program would make it that had lost their receipts.
    let later = before.batches.map { batch in
      let object = Samples.object(
        of: SealedBatch(
          id: batch.id, stream: .healthKit, deviceID: Samples.device, recordCount: 1,
          body: batch.request.value.canonicalBytes), feed: "late",
        receivedAt: batch.receivedAt.adding(seconds: 5))
      return (
        member: BatchPack.Member(
          date: date, id: batch.id, bytes: object.count,
          order: PreciseMoment(batch.receivedAt.adding(seconds: 5)), feed: "late"), object: object
      )
    }
    let pack = BatchPack(
      of: later, PackedSpan(stream: .healthKit, deviceID: Samples.device, dates: .date(date)))
    let place = PackPlace(
      stream: .healthKit, deviceID: first.request.deviceID, dates: .date(date), id: pack.id)
    let key = world.streams.layout.key(of: place)
    _ = try await world.store.put(key, try world.streams.packed(pack), if: .absent)
    #expect(try await world.seen() == before)
    var findings: [StreamFinding] = []
    _ = try await world.streams.inspect(.healthKit) { findings.append($0) }
    #expect(findings.map(\.code) == [.disputed, .disputed, .disputed])
    world.clock.advance(1201)
    try await world.compact()
    // The one that says less goes.
    #expect(try await world.packs.count == 1)
    #expect(try await world.seen() == before)
  }

  @Test func `R66: a listing that took longer than a pack needs to settle is not believed`()
    async throws
  {
    let world = try World()
    for number in 0..<3 { try await world.send(number) }
    var streams = world.streams
    let clock = TestClock()
    streams.elapsed = {
      clock.advance(601)
      return .seconds(clock.seconds)
    }
    let error = await #expect(throws: StreamError.self) {
      try await streams.batches(of: .healthKit)
    }
    #expect(error?.cause?.isRetryable == true)
  }
}
