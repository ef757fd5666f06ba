import Foundation
import HealthCollector
import HealthModel
import HealthStreams
import ObjectStore
import StoreTesting
import TestSupport
import Testing

@testable import StreamDays

/// Reordered, repeated, late, corrected and deleted samples over random batches (R45).
@Suite(.process) struct CountingPropertyTests {
  private static let days = ["2026-03-01", "2026-03-02"]

  /// What a person's samples went through, and what must be counted in the end.
  private struct Story {
    /// Batches in the order in which they are received.
    var batches: [[StreamEntry]] = []
    /// Steps of each date.
    var truth: [String: Double] = [:]

    init(seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      var sends: [[StreamEntry]] = []
      for number in 0..<48 {
        let date = days[number % 2]
        let minute = String(number % 60)
        let start = "\(date)T1\(number % 4):\(minute.count < 2 ? "0" : "")\(minute):00Z"
        let end = String(start.dropLast(3)) + "30Z"
        let uuid = random.chance(2) ? Entries.uuid(number) : nil
        var value = Double(1 + random.below(500))
        var history = [try Entries.steps(value, start, end, uuid: uuid)]
        if let uuid, random.chance(4) {
          history.append(try Entries.deletion(start, end, uuid: uuid))
          // A retry of the sample may follow its deletion.
          if random.chance(2) { history.append(history[0]) }
          value = 0
        } else if uuid == nil {
          while random.chance(3) {
            value = Double(1 + random.below(500))
            history.append(try Entries.steps(value, start, end))
          }
        }
        truth[date, default: 0] += value
        sends.append(history)
      }
      // Each sample's own history keeps its order; all else is mixed, and much is repeated.
      while !sends.isEmpty {
        // Of one sample one entry a batch: what one batch says twice has no order.
        sends.shuffle(using: &random)
        let count = min(sends.count, 1 + random.below(12))
        batches.append(sends.prefix(count).compactMap(\.first))
        sends = (sends.prefix(count).map { Array($0.dropFirst()) } + sends.dropFirst(count))
          .filter { !$0.isEmpty }
      }
    }
  }

  /// Sends a story in a random order of arrival, parts of it again and again, and derives in between.
  private func live(_ story: Story, seed: UInt64, in world: StreamWorld) async throws {
    var random = SplitMix64(seed: seed, stream: 2)
    let received = world.shared.now
    var order = Array(story.batches.enumerated())
    order.shuffle(using: &random)
    for (number, batch) in order {
      // The receiver's clock orders what the store's order does not, also within a second.
      let (moment, micros) = (received.adding(seconds: number / 8), number % 8)
      var entries = batch
      entries.shuffle(using: &random)
      try await world.send(
        entries, session: "\(number)", receivedAt: moment, microseconds: micros)
      if random.chance(3) {
        try await world.send(
          entries, session: "\(number)", receivedAt: moment, microseconds: micros)
        try await world.send(
          entries.reversed(), session: "again \(number)", receivedAt: moment, microseconds: micros)
      }
      if random.chance(6) { _ = try await world.derive(random.pick(Self.days)) }
    }
    for day in Self.days { _ = try await world.derive(day) }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `each sample counts exactly once, whatever the order (R45)`(seed: UInt64) async throws {
    let story = try Story(seed: seed)
    let world = try StreamWorld(at: "2026-03-02T23:00:00Z")
    try await live(story, seed: seed, in: world)
    for day in Self.days {
      let counted = try await world.steps(day)
      #expect(counted == story.truth[day], "\(day)")
    }
    // From scratch, without anything that was derived before.
    let scratch = try StreamWorld(MemoryStore(), at: "2026-03-03T12:00:00Z")
    for key in try await world.store.keys() where key.contains("apple_ios_healthkit") {
      let key = try #require(ObjectKey(key))
      let stored = try #require(try await world.store.get(key, limit: 1 << 24))
      _ = try await scratch.store.put(key, stored.body, if: .absent)
    }
    for day in Self.days {
      _ = try await scratch.derive(day)
      let (own, other) = (try await world.latest(day), try await scratch.latest(day))
      #expect(own?.revision.readings == other?.revision.readings)
    }
  }

  @Test(arguments: [21] as [UInt64])
  func `Python counts the same from the stored objects (R45)`(seed: UInt64) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "count-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try DirectoryStore(root: folder, createsRoot: true)
    let world = try StreamWorld(store, at: "2026-03-02T23:00:00Z")
    try await live(try Story(seed: seed), seed: seed, in: world)
    let told = try await PeerPython.run("count_once.py", arguments: [folder.path])
    let days = try JSONDecoder().decode([String: Double].self, from: Data(told))
    for day in Self.days {
      let counted = try await world.steps(day)
      #expect(counted == days[day], "\(day)")
    }
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T21:59:00Z"),
    ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T22:59:00Z"),
    ("Pacific/Kiritimati", "2026-03-02", "2026-03-01T10:00:00Z", "2026-03-02T09:59:00Z"),
    ("Pacific/Pago_Pago", "2026-03-02", "2026-03-02T11:00:00Z", "2026-03-03T10:59:00Z"),
    ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", "2011-12-31T09:59:00Z"),
  ])
  func `a day's first and last minute count, and no other's, in every zone (R49)`(
    zone: String, date: String, first: String, last: String
  ) async throws {
    let world = try StreamWorld(zone: zone, at: "2026-12-01T00:00:00Z")
    func sample(_ moment: String, _ seconds: Int, _ value: Double, _ number: Int) throws
      -> StreamEntry
    {
      let start = try #require(Timestamp(moment)).adding(seconds: seconds)
      return try Entries.steps(
        value, "\(start)", "\(start.adding(seconds: 59))", uuid: Entries.uuid(number))
    }
    try await world.send([
      sample(first, 0, 1, 1), sample(last, 0, 10, 2), sample(first, -60, 100, 3),
      sample(last, 60, 1000, 4),
    ])
    let (_, days) = try await world.sweep("2026-12-01")
    #expect(days.contains(try world.date(date)))
    #expect(try await world.steps(date) == 11)
  }
}
