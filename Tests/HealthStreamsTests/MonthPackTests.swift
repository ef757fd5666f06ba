import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthStreams

/// Packs of a whole month, made of those of its dates and of what lies beside them (R66).
@Suite(.unit, .slow) struct MonthPackTests {
  private typealias World = BatchPackTests.World

  private static let dates = ["2025-01-05", "2025-01-20", "2025-01-29"]

  /// Three batches on each of three dates.
  private func world() async throws -> World {
    let world = try World()
    for (place, date) in Self.dates.enumerated() {
      for number in 0..<3 { try await world.send(place * 3 + number, on: date) }
    }
    return world
  }

  /// Runs, and then lets so much time pass that the next run removes what is not needed any more.
  private func compact(_ world: World, days: Int = 30) async throws {
    try await world.compact(days: days)
    world.clock.advance(1201)
  }

  private func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  private func firstPack(_ world: World) async throws -> ObjectKey {
    let name = try #require(try await world.packs.first)
    return try #require(ObjectKey(name))
  }

  @Test func `R66: packs of dates become one pack of their month, and read the same at each step`()
    async throws
  {
    let world = try await world()
    let before = try await world.seen()
    // The dates are old enough, and the last of the month is not.
    world.clock.advance(25 * 86_400 + 43_200)
    for counts in [[3, 9], [3, 0], [3, 0]] {
      try await compact(world, days: 25)
      #expect(try await world.counts() == counts)
      #expect(try await world.seen() == before)
    }
    #expect(try await world.keys(".pack.gz").allSatisfy { !$0.contains("/month/") })
    world.clock.advance(40 * 86_400)
    for counts in [[4, 0], [1, 0], [1, 0]] {
      try await compact(world)
      #expect(try await world.counts() == counts)
      #expect(try await world.seen() == before)
    }
    let pack = try #require(try await world.packs.first)
    #expect(pack.hasPrefix("streams/v0/apple_ios_healthkit/\(Samples.device)/2025/01/month/"))
    #expect(try await world.compact().days.isEmpty)
  }

  @Test func `R66: each date is read from the pack of its month, alone and in any range`()
    async throws
  {
    let world = try await world()
    world.clock.advance(70 * 86_400)
    // A later month, with so many objects that the packs of January's are on another page.
    for number in 0..<20 { try await world.send(number, on: "2025-02-03") }
    try await compact(world)
    try await compact(world)
    #expect(try await world.counts() == [1, 20])
    for limit in [1, 2, 1000] {
      let streams = try Samples.streams(PagedStore(base: world.store, limit: limit))
      for (first, last, count) in [
        ("2025-01-05", "2025-01-05", 3), ("2025-01-06", "2025-01-19", 0),
        ("2025-01-06", "2025-01-29", 6), ("2025-01-29", "2025-02-03", 23),
        ("2025-01-31", "2025-01-31", 0), ("2025-02-03", "2025-02-03", 20),
        ("2025-01-20", "2025-02-01", 6), ("2024-12-31", "2025-01-05", 3),
      ] {
        let range = try date(first)...date(last)
        let listing = try await streams.batches(of: .healthKit, on: range)
        #expect(listing.batches.count == count, "\(range), pages of \(limit)")
        #expect(listing.batches.allSatisfy { range.contains($0.place.date) })
        #expect(listing.foreign.isEmpty)
        for try await reading in streams.readings(of: listing.batches) {
          #expect(try reading.result?.get().id == reading.listed.place.id)
        }
      }
    }
  }

  @Test func `R66: a listing of the newest date asks once, packs of months or not`() async throws {
    let world = try await world()
    world.clock.advance(70 * 86_400)
    try await compact(world)
    try await compact(world)
    try await world.send(1, on: "2025-04-09")
    let before = world.store.log.lists
    let range = try date("2025-04-09")...date("2025-04-09")
    _ = try await world.streams.batches(of: .healthKit, device: Samples.device, on: range)
    #expect(world.store.log.lists - before == 1)
  }

  @Test func `R66: a batch that arrives while its month is packed counts once, whoever packs it`()
    async throws
  {
    for days in [30, 45] {
      let world = try await world()
      world.clock.advance(40 * 86_400)
      try await compact(world)
      try await compact(world)
      #expect(try await world.counts() == [1, 0])
      // A new one, and one again, by a server whose clock is behind.
      try await world.send(30, on: Self.dates[0])
      let all = try await world.seen()
      #expect(all.batches.count == 10)
      try await world.send(0, feed: "again", after: -900, on: Self.dates[0])
      #expect(try await world.seen() == all)
      // For the one who asks for older ones, the month is not over.
      world.clock.advance(days == 30 ? 40 * 86_400 : 86_400)
      for _ in 0..<3 {
        try await compact(world, days: days)
        #expect(try await world.seen() == all)
      }
      world.clock.advance(50 * 86_400)
      for _ in 0..<3 {
        try await compact(world)
        #expect(try await world.seen() == all)
      }
      #expect(try await world.counts() == [1, 0])
    }
  }

  @Test func `R66: of a date's pack and its month's that hold the same the month's stays`()
    async throws
  {
    let world = try World()
    for number in 0..<3 { try await world.send(number, on: Self.dates[0]) }
    let before = try await world.seen()
    var copies: [(ObjectKey, [UInt8])] = []
    for days in [60, 30] {
      // One run packs the date, and another the month, at the same moment.
      world.clock.advance(days == 60 ? 100 * 86_400 : 0)
      if days == 60 {
        let scope = CompactionScope(
          stream: .healthKit, dates: try date("2025-01-05")...date("2025-01-05"),
          now: Timestamp(secondsSince1970: world.clock.seconds), age: 30 * 86_400)
        try await world.streams.compact(scope, done: { _ in }, left: { _ in })
      } else {
        try await world.compact()
      }
      let key = try await firstPack(world)
      copies.append((key, try #require(try await world.store.get(key, limit: 1 << 20)).body))
      try await world.store.delete(key)
    }
    #expect(copies.map { $0.0.rawValue.contains("/month/") } == [false, true])
    for (key, bytes) in copies { _ = try await world.store.put(key, bytes, if: .absent) }
    #expect(try await world.seen() == before)
    world.clock.advance(1201)
    try await compact(world)
    #expect(try await world.keys("") == [copies[1].0.rawValue])
    #expect(try await world.seen() == before)
  }

  @Test func `R66: a damaged pack of a month is an error for each of its dates, and stays`()
    async throws
  {
    let world = try await world()
    world.clock.advance(40 * 86_400)
    try await compact(world)
    try await compact(world)
    let key = try await firstPack(world)
    var bytes = try #require(try await world.store.get(key, limit: 1 << 20)).body
    bytes[bytes.count / 2] ^= 1
    try await world.store.delete(key)
    _ = try await world.store.put(key, bytes, if: .absent)
    for text in Self.dates + ["2025-01-31"] {
      let streams = try Samples.streams(world.store)
      let listing = try await streams.batches(of: .healthKit, on: date(text)...date(text))
      #expect(listing.batches.isEmpty)
      #expect(listing.foreign.map(\.key) == [key.rawValue])
    }
    let other = try await world.streams.batches(
      of: .healthKit, on: date("2025-02-01")...date("2025-02-01"))
    #expect(other.foreign.isEmpty)
    try await world.send(30, on: Self.dates[0])
    try await world.send(31, on: Self.dates[0])
    world.clock.advance(40 * 86_400)
    let keys = try await world.keys("")
    let streams = try Samples.streams(world.store)
    var obstacles: [CompactionMachine.Obstacle?] = []
    try await streams.compact(
      world.scope(), done: { obstacles.append($0.outcome.obstacle) }, left: { _ in })
    guard case .damagedPack = obstacles.first else {
      Issue.record("\(obstacles)")
      return
    }
    #expect(try await world.keys("") == keys)
  }

  @Test func `R66: an unknown object beside a month's packs leaves the month alone`() async throws {
    let world = try await world()
    world.clock.advance(70 * 86_400)
    let copy = try #require(
      ObjectKey(
        "streams/v0/apple_ios_healthkit/\(Samples.device)/2025/01/month/"
          + String(repeating: "a", count: 64) + " 2.pack.gz"))
    _ = try await world.store.put(copy, [1], if: .absent)
    for number in 0..<2 { try await world.send(number, on: "2025-02-03") }
    world.clock.advance(40 * 86_400)
    let run = try await world.compact()
    #expect(run.left == [.foreign(copy.rawValue)])
    #expect(run.days.map(\.month.description) == ["2025-02"])
  }

  @Test(arguments: [false, true])
  func `R66: of two packs that say the same in other bytes one stays`(isMonth: Bool) throws {
    let date = try #require(CalendarDate("2025-01-03"))
    let order = PreciseMoment(Timestamp(secondsSince1970: 1_735_905_600))
    func members(_ bytes: Int) -> [BatchPack.Member] {
      ["a", "b"].map {
        .init(
          date: date, id: String(repeating: $0, count: 64), bytes: bytes, order: order, feed: "f")
      }
    }
    let dates: PackedDates = isMonth ? .month(of: date) : .date(date)
    let packs = ["c", "d"].map { BatchPack.Address(dates, String(repeating: $0, count: 64)) }
    var machine = CompactionMachine(isWhole: isMonth)
    #expect(machine.start() == .list)
    let listing = CompactionMachine.Listing(
      smalls: [], packs: packs.map { .init(address: $0, isSettled: true) })
    #expect(machine.handle(.listed(listing)) == .readPack(packs[0]))
    #expect(machine.handle(.pack(.found(members(10)))) == .readPack(packs[1]))
    #expect(machine.handle(.pack(.found(members(11)))) == .removePack(packs[0]))
    guard case .finish(let outcome) = machine.handle(.removed) else {
      Issue.record("it removes more")
      return
    }
    #expect(outcome.removedPacks == 1)
  }

  /// Random batches of two months, packed by runs that ask for different ages and die anywhere.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `R66: whatever is sent, packed and killed, in any order, every batch counts once`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let world = try World()
    var (sent, levels): (Set<String>, Set<Bool>) = ([], [])
    func send() async throws {
      let number = random.below(24)
      let date = "2025-0\(1 + number % 2)-\(["03", "04", "27"][number % 3])"
      try await world.send(
        number, feed: random.pick(["f", "g"]), after: random.below(7200) - 3600, on: date)
      sent.insert("\(number)")
    }
    for _ in 0..<12 { try await send() }
    var receipts: [String: StoredBatch] = [:]
    for turn in 0..<40 {
      switch random.below(6) {
      case 0: try await send()
      case 1: world.clock.advance(86_400 * (1 + random.below(20)))
      default:
        let streams = try Samples.streams(
          EndingStore(
            base: world.store, at: 1 + random.below(12),
            of: random.pick([.put, .delete, .get, .list]), isApplied: random.chance(2)))
        let scope = world.scope(days: random.pick([8, 30, 60]))
        try? await streams.compact(scope, done: { _ in }, left: { _ in })
        if random.chance(2) { world.clock.advance(1201) }
      }
      for batch in try await world.seen().batches {
        #expect(receipts[batch.id] == nil || receipts[batch.id] == batch, "turn \(turn)")
        receipts[batch.id] = batch
      }
      #expect(try await world.seen().batches.count == sent.count, "turn \(turn)")
      for key in try await world.packs { levels.insert(key.contains("/month/")) }
    }
    world.clock.advance(100 * 86_400)
    for _ in 0..<4 { try await compact(world) }
    #expect(Set(try await world.seen().batches) == Set(receipts.values))
    #expect(try await world.counts() == [2, 0])
    #expect(levels.contains(true))
  }
}

/// A store whose listings have pages of few entries.
private final class PagedStore: ForwardingStore {
  let base: any ObjectStore
  private let limit: Int

  init(base: any ObjectStore, limit: Int) { (self.base, self.limit) = (base, limit) }

  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    var request = request
    request.limit = min(request.limit, limit)
    return try await base.list(request)
  }
}
