import CSQLite
import Foundation
import HealthModel
import HealthStreams
import Testing

@testable import Outbox

/// Deletions are filed where their samples are (R44, R47).
@Suite(.unit) struct SampleMemoryTests {
  private let feed = "HKQuantityTypeIdentifierStepCount"

  private func uuid(_ number: Int, from first: String = "9E") -> String {
    first + "000000-0000-4000-8000-" + String(1_000_000_000_000 + number).dropFirst()
  }

  private func entry(_ members: [String: JSONValue]) throws -> StreamEntry {
    try StreamEntry(
      .object(members.merging(["sample_type": .string(feed)]) { own, _ in own }), of: .healthKit)
  }

  /// A sample of a minute.
  private func sample(
    _ number: Int, daysAgo: Int, with others: [String: JSONValue] = [:], id: String? = nil
  ) throws -> StreamEntry {
    let start = Timestamp(secondsSince1970: 1_700_000_000 - daysAgo * 86_400)
    return try entry(
      [
        "uuid": .string(id ?? uuid(number)), "value": .number(100), "unit": .string("count"),
        "timestamp": .string(start.description.dropLast() + ".2345Z"),
        "end_timestamp": .string(start.adding(seconds: 60).description),
      ].merging(others) { $1 })
  }

  /// A deletion as HealthKit's adapter makes it.
  private func deletion(
    _ number: Int, at seconds: Int = 1_700_000_000, id: String? = nil
  ) throws -> StreamEntry {
    try entry([
      "uuid": .string(id ?? uuid(number)), "deleted": .bool(true),
      "timestamp": .string("\(Timestamp(secondsSince1970: seconds))"),
    ])
  }

  private func enqueue(_ entries: [StreamEntry], in outbox: Outbox) async throws {
    let anchor = try await outbox.anchor(of: feed)
    try await outbox.enqueue(
      entries, feed: feed, movingAnchorFrom: anchor, to: (anchor ?? []) + [1])
  }

  /// The start and the end of each deletion in the queue, as its entry says them.
  private func deletions(in outbox: Outbox) throws -> [[String?]] {
    try outbox.database.withLock { database in
      let select = try database.statement(
        "SELECT payload, starts_at, ends_at FROM entries WHERE is_deletion = 1 ORDER BY id")
      var found: [[String?]] = []
      while try select.step() {
        let entry = try JSONValue(parsing: select.blob(0))
        let read = try StreamEntry(entry, of: .healthKit)
        #expect(read.bytes == select.blob(0) && read.isDeletion)
        #expect(read.start.secondsSince1970 == select.int(1))
        #expect(read.end.secondsSince1970 == select.int(2))
        found.append([entry["timestamp"]?.stringValue, entry["end_timestamp"]?.stringValue])
      }
      return found
    }
  }

  private let reported: [String?] = ["2023-11-14T22:13:20.000Z", nil]
  private let tenDaysAgo: [String?] = ["2023-11-04T22:13:20.234Z", "2023-11-04T22:14:20.000Z"]

  private func count(in outbox: Outbox) throws -> Int {
    try outbox.database.withLock { try $0.number("SELECT count(*) FROM samples") }
  }

  @Test func `R47: a deletion gets the times of its sample, also after that was uploaded and left`()
    async throws
  {
    let bench = try Bench()
    try await enqueue([sample(1, daysAgo: 10)], in: bench.outbox)
    let clock = Box(1_700_000_000)
    let receiver = Receiver { _ in .confirmed(at: Timestamp(secondsSince1970: clock.value)) }
    _ = try await bench.sync(receiver)
    clock.value += 259_200
    try await bench.outbox.add([Sample.audio(1)])
    _ = try await bench.sync(receiver)
    #expect(try bench.outbox.entries(stream: .healthKit, limit: 10).isEmpty)
    let opened = try bench.reopened()
    try await enqueue([deletion(1)], in: opened)
    #expect(try deletions(in: opened) == [tenDaysAgo])
    // Again, with the id written otherwise, and added without an anchor.
    try await opened.add([deletion(1, at: 1_700_000_500, id: uuid(1).lowercased())])
    #expect(try deletions(in: opened) == [tenDaysAgo, tenDaysAgo])
  }

  @Test func `R47: a deletion of a sample that was never queued stays as it came`() async throws {
    let bench = try Bench()
    try await enqueue([sample(1, daysAgo: 10)], in: bench.outbox)
    try await enqueue([deletion(2), deletion(1)], in: bench.outbox)
    #expect(try deletions(in: bench.outbox) == [reported, tenDaysAgo])
  }

  @Test func `R47: a deletion may come in one call with its sample, before or after it`()
    async throws
  {
    let bench = try Bench()
    try await enqueue(
      [sample(1, daysAgo: 10), deletion(1), deletion(2), sample(2, daysAgo: 10)],
      in: bench.outbox)
    #expect(try deletions(in: bench.outbox) == [tenDaysAgo, tenDaysAgo])
    // However old the sample is.
    try await enqueue([deletion(3), sample(3, daysAgo: 800)], in: bench.outbox)
    #expect(try deletions(in: bench.outbox).last?.first == "2021-09-05T22:13:20.234Z")
    try await enqueue([deletion(3)], in: bench.outbox)
    #expect(try deletions(in: bench.outbox).last == reported)
  }

  @Test func `R44: a deletion has no end if its sample has none, and the last times of several`()
    async throws
  {
    let bench = try Bench()
    try await enqueue([sample(1, daysAgo: 10, with: ["end_timestamp": .null])], in: bench.outbox)
    try await enqueue([deletion(1)], in: bench.outbox)
    #expect(try deletions(in: bench.outbox) == [[tenDaysAgo[0], nil]])
    try await enqueue([sample(1, daysAgo: 11), sample(1, daysAgo: 10)], in: bench.outbox)
    try await enqueue([deletion(1)], in: bench.outbox)
    #expect(try deletions(in: bench.outbox).last == tenDaysAgo)
  }

  @Test func `R47: the times are the sample's own, whatever else its entry has`() async throws {
    let bench = try Bench()
    let others: [String: JSONValue] = [
      "a": .object(["timestamp": .string("1999-01-01T00:00:00.000Z"), "uuid": .string("x")]),
      "source": .string(#"Ann "timestamp":"1999-01-01T00:00:00.000Z""#),
    ]
    try await enqueue([sample(1, daysAgo: 10, with: others), deletion(1)], in: bench.outbox)
    #expect(try deletions(in: bench.outbox) == [tenDaysAgo])
  }

  @Test func `R47: samples with ids of their own are remembered for 400 days`() async throws {
    let bench = try Bench()
    try await enqueue(
      [
        sample(1, daysAgo: 399), sample(2, daysAgo: 401),
        entry([
          "timestamp": .string("2023-11-14T22:13:20Z"), "value": .number(1),
          "unit": .string("count"),
        ]),
      ], in: bench.outbox)
    #expect(try count(in: bench.outbox) == 1)
  }

  @Test func `R47: old samples are forgotten by the receiver's clock, within 64 days of syncs`()
    async throws
  {
    let bench = try Bench()
    // Ids of every part.
    for first in 0..<256 {
      let hex = String(256 + first, radix: 16).dropFirst()
      try await enqueue(
        [
          sample(1, daysAgo: 399, id: uuid(1, from: String(hex))),
          sample(2, daysAgo: 100, id: uuid(2, from: String(hex))),
        ], in: bench.outbox)
    }
    let clock = Box(1_700_000_000)
    let receiver = Receiver { _ in .confirmed(at: Timestamp(secondsSince1970: clock.value)) }
    // This machine's clock may be wrong.
    bench.now += 1_000_000_000
    func syncs(_ days: Int) async throws {
      for day in 0..<days {
        try await bench.outbox.add([Sample.audio(clock.value + day)])
        _ = try await bench.sync(receiver)
        clock.value += 86_400
      }
    }
    try await syncs(1)
    #expect(try count(in: bench.outbox) == 512)
    clock.value += 86_400
    try await syncs(1)
    #expect(try count(in: bench.outbox) == 508)
    try await syncs(63)
    #expect(try count(in: bench.outbox) == 256)
  }

  @Test func `R47: an outbox of version 1 keeps its entries, and their samples are remembered`()
    async throws
  {
    let bench = try Bench()
    try await enqueue([sample(1, daysAgo: 10), sample(2, daysAgo: 800)], in: bench.outbox)
    try await bench.outbox.add([Sample.audio(1)])
    let before = try bench.outbox.entries(limit: 10)
    // All that version 2 has added.
    try bench.outbox.database.withLock {
      try $0.execute("DROP TABLE samples; PRAGMA user_version = 1;")
    }
    let opened = try bench.reopened()
    #expect(try opened.entries(limit: 10) == before)
    #expect(try await opened.anchor(of: feed) == [1])
    try await enqueue([deletion(1), deletion(2)], in: opened)
    #expect(try deletions(in: opened) == [tenDaysAgo, reported])
    #expect(try opened.database.withLock { try $0.number("PRAGMA user_version") } == 2)
    let receiver = Receiver()
    _ = try await OutboxSync(opened, to: receiver).run()
    #expect(try receiver.entries.count == 5)
  }

  @Test func `R47: what is not queued is not remembered`() async throws {
    let bench = try Bench()
    await #expect(throws: AnchorMoved.self) {
      try await bench.outbox.enqueue(
        [sample(1, daysAgo: 10)], feed: feed, movingAnchorFrom: [7], to: [8])
    }
    #expect(try count(in: bench.outbox) == 0)
  }

  @Test func `R48: remembered samples do not count as entries that may be dropped`() async throws {
    let bench = try Bench()
    try await bench.outbox.add((0..<19).map { Sample.megabyte($0) })
    try bench.outbox.database.withLock { database in
      try database.execute(
        """
        WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
        INSERT INTO samples SELECT randomblob(16), 1700000000000 + i, 60000 FROM n
        """)
    }
    bench.freeDisk = 0
    _ = try await bench.sync(Receiver(failing: .offline))
    #expect(try bench.outbox.entries(limit: 100).count == 19)
  }
}
