import Foundation
import Gzip
import HealthModel
import HealthStreams
import ObjectStore
import Testing

@testable import Outbox

/// What was queued earlier for a sample is never sent after what was queued later for it (R48).
@Suite(.unit) struct OutboxOrderTests {
  /// What readers count of a bucket, as times and values.
  private func counted(_ streams: StreamStore) async throws -> [[JSONValue?]] {
    var tally = EntryTally()
    for try await reading in streams.readings(
      of: try await streams.batches(of: .healthKit).batches)
    { tally.add(try #require(reading.result).get()) }
    return try tally.entries.map { entry in
      let members = try JSONValue(parsing: entry.bytes)
      return [members["feed"], members["value"]]
    }
  }

  @Test func `R45, R48: a sample that was corrected after it was given up counts as corrected`()
    async throws
  {
    let bench = try Bench()
    try await bench.outbox.add([
      Sample.heartRate(1, bpm: 60), Sample.heartRate(1, bpm: 61, feed: "other"),
      Sample.heartRate(2, bpm: 62),
    ])
    let down = Receiver(failing: .server)
    for _ in 1...5 {
      _ = try await bench.sync(down)
      bench.now += 240
    }
    #expect(try bench.outbox.status().uploadStats.failed == 3)
    try await bench.outbox.add([Sample.heartRate(1, bpm: 70)])
    let streams = StreamStore(
      store: MemoryStore(), layout: .root, compression: ZlibCompression())
    let report = try await bench.sync(
      BucketReceiver(streams, feed: "outbox") { Timestamp(secondsSince1970: 1_700_000_000) })
    // The new batch, and what is left of the old one.
    #expect(report.requests == 2 && report.entries == 3 && report.failures.isEmpty)
    #expect(
      try await counted(streams)
        == [[.string("other"), .number(61)], [nil, .number(70)], [nil, .number(62)]])
    #expect(report.status.uploadStats.total == 3 && report.status.gapCount == 0)
  }

  @Test func `R45, R48: a correction that goes first with recent entries counts`() async throws {
    let bench = try Bench()
    try await bench.outbox.add([Sample.heartRate(1, bpm: 60)])
    try bench.outbox.sealAll(.healthKit)
    try await bench.outbox.add([Sample.heartRate(1, bpm: 70), Sample.heartRate(9_000)])
    let receiver = Receiver()
    let report = try await OutboxSync(
      bench.outbox, to: receiver, streams: [.healthKit],
      recentFirst: Timestamp(secondsSince1970: 1_700_009_000)
    ).run()
    // Nothing is left of the first batch.
    #expect(receiver.sent.map(\.recordCount) == [2] && report.failures.isEmpty)
    #expect(report.status.uploadStats.total == 2)
  }

  @Test func `R45, R48: a deletion and its sample are both sent, because the deletion counts`()
    async throws
  {
    func entry(_ name: String, _ value: JSONValue) throws -> StreamEntry {
      try StreamEntry(
        .object([
          "sample_type": .string("HKQuantityTypeIdentifierStepCount"), "unit": .string("count"),
          "timestamp": .string("2025-01-30T10:00:00Z"),
          "uuid": .string("9e000000-0000-4000-8000-000000000001"), name: value,
        ]), of: .healthKit)
    }
    let (sample, deletion) = (try entry("value", .number(5)), try entry("deleted", .bool(true)))
    for (first, second) in [(sample, deletion), (deletion, sample)] {
      let bench = try Bench()
      try await bench.outbox.add([first])
      _ = try await bench.sync(Receiver(failing: .server))
      try await bench.outbox.add([second])
      let receiver = Receiver()
      #expect(try await bench.sync(receiver).requests == 1)
      bench.now += 30
      #expect(try await bench.sync(receiver).requests == 1)
      #expect(try receiver.entries.count { $0["deleted"] == .bool(true) } == 1)
      #expect(receiver.sent.count == 2)
    }
  }
}
