import Foundation
import HealthModel
import HealthStreams
import Testing

@testable import Outbox

@Suite(.unit) struct OutboxSyncTests {
  @Test func `R48: 45 entries of three streams make three requests, and an empty queue makes none`()
    async throws
  {
    let bench = try Bench()
    for number in 0..<15 {
      try await bench.outbox.add([
        Sample.audio(number), Sample.location(number), Sample.heartRate(number),
      ])
    }
    let receiver = Receiver()
    let report = try await bench.sync(receiver)
    #expect(report.requests == 3)
    #expect(report.streams.map(\.entries) == [15, 15, 15])
    #expect(report.failures.isEmpty)
    #expect(try receiver.entries.count == 45)
    #expect(try await bench.sync(receiver).requests == 0)
    #expect(report.status.uploadStats.uploaded == 45)
    #expect(report.status.uploadStats.pending == 0)
  }

  @Test func `R46: a batch is sent again byte for byte, whatever was added after its sealing`()
    async throws
  {
    let bench = try Bench()
    try await bench.outbox.add([Sample.location(1), Sample.location(2)])
    let down = Receiver(failing: .offline)
    _ = try await bench.sync(down)
    try await bench.outbox.add([Sample.location(3)])
    let other = try bench.reopened()
    let receiver = Receiver()
    _ = try await OutboxSync(other, to: receiver).run()
    #expect(receiver.sent.count == 2)
    #expect(receiver.sent[0] == down.sent[0])
    #expect(receiver.sent.map(\.recordCount) == [2, 1])
    #expect(receiver.sent[0].id == SealedBatch.digest(of: receiver.sent[0].body))
  }

  @Test func `R46: a value that comes back is another batch`() async throws {
    let bench = try Bench()
    let receiver = Receiver()
    for _ in 0..<3 {
      try await bench.outbox.add([Sample.location(1)])
      _ = try await bench.sync(receiver)
    }
    #expect(Set(receiver.sent.map(\.id)).count == 3)
  }

  @Test func `R48: five failures make a batch failed, and the next success revives it`()
    async throws
  {
    let bench = try Bench()
    try await bench.outbox.add([Sample.location(1)])
    let down = Receiver(failing: .server)
    for attempt in 1...5 {
      let report = try await bench.sync(down)
      #expect(report.requests == 1)
      #expect(report.status.uploadStats.failed == (attempt == 5 ? 1 : 0))
      // Not due yet.
      #expect(try await bench.sync(down).requests == 0)
      bench.now += 240
    }
    #expect(try await bench.sync(down).requests == 0)
    bench.now += 30 * 86_400
    try await bench.outbox.add([Sample.audio(1)])
    let report = try await bench.sync(Receiver(), [.audio, .location])
    #expect(report.status.uploadStats.failed == 0)
    #expect(report.status.uploadStats.uploaded == 2)
    #expect(report.status.gapCount == 0)
  }

  @Test func `R48: being offline for a week costs no attempt`() async throws {
    let bench = try Bench()
    try await bench.outbox.add([Sample.location(1)])
    for _ in 0..<20 {
      let report = try await bench.sync(Receiver(failing: .offline))
      #expect(report.status.uploadStats.pending == 1)
      #expect(report.status.lastError?.code == "E001")
      bench.now += 8 * 3600
    }
    let report = try await bench.sync(Receiver())
    #expect(report.entries == 1)
    #expect(report.status.lastSuccessfulSyncDate == bench.outbox.file.now())
  }

  @Test func `R48: one bad entry is set aside, and the others lose no attempt`() async throws {
    let bench = try Bench()
    let count = 200
    try await bench.outbox.add((0..<count).map { try Sample.audio($0) })
    let receiver = Receiver(refusing: "chunk-137.")
    let report = try await bench.sync(receiver)
    #expect(report.streams[1].quarantined == 1)
    #expect(report.status.uploadStats.uploaded == count - 1)
    #expect(report.status.uploadStats.failed == 1)
    #expect(report.requests <= 2 * 9)
    let ids = try receiver.entries.compactMap { $0["id"]?.stringValue }
    #expect(Set(ids) == Set((0..<count).map { "chunk-\($0)." }).subtracting(["chunk-137."]))
    #expect(ids.count == count - 1)
    #expect(try bench.outbox.entries(limit: 1000).allSatisfy { $0.attempts == 0 })
    let bad = try bench.outbox.entries(limit: 1000).filter { $0.status == "failed" }
    #expect(bad.map(\.entryID) == ["chunk-137."])
    #expect(bad.first?.lastError == "there is a chunk-137. in it")
    // No success revives it; the user does.
    #expect(try await bench.sync(receiver).requests == 0)
    #expect(try bench.outbox.retry() == 1)
    #expect(try await bench.sync(Receiver()).entries == 1)
  }

  @Test func `R48: a sync by hand and a revival make what waits due now`() async throws {
    let bench = try Bench()
    try await bench.outbox.add([Sample.audio(1)])
    let failing = Receiver { _ in .failed(DeliveryFailure(.server, "503")) }
    #expect(try await bench.sync(failing).requests == 1)
    #expect(try await bench.sync(failing).requests == 0)
    try bench.outbox.makeDue()
    #expect(try await bench.sync(failing).requests == 1)
    #expect(try bench.outbox.entries(limit: 9).map(\.attempts) == [2], "its attempts count")
    #expect(try bench.outbox.retry() == 1)
    #expect(try await bench.sync(Receiver()).entries == 1)
  }

  @Test func `R48: a batch that is too large for the receiver is halved`() async throws {
    let bench = try Bench()
    try await bench.outbox.add((0..<64).map { try Sample.audio($0) })
    let receiver = Receiver { batch in
      batch.recordCount > 10
        ? .failed(DeliveryFailure(.tooLarge, "413")) : .confirmed(at: nil)
    }
    let report = try await bench.sync(receiver)
    #expect(report.status.uploadStats.uploaded == 64)
    #expect(report.streams[1].succeeded)
  }

  @Test func `R48: uploaded entries leave after three days by the receiver's clock`() async throws {
    let bench = try Bench()
    let receiverClock = Box(1_600_000_000)
    let receiver = Receiver { _ in
      .confirmed(at: Timestamp(secondsSince1970: receiverClock.value))
    }
    try await bench.outbox.add([Sample.location(1)])
    _ = try await bench.sync(receiver)
    // This machine's clock says that a year has passed.
    bench.now += 365 * 86_400
    try await bench.outbox.add([Sample.location(2)])
    #expect(try await bench.sync(receiver).status.uploadStats.uploaded == 2)
    receiverClock.value += 259_200
    try await bench.outbox.add([Sample.location(3)])
    let report = try await bench.sync(receiver)
    #expect(report.aged.uploaded == 2)
    #expect(report.status.uploadStats.uploaded == 1)
    #expect(report.status.gapCount == 0)
  }

  @Test
  func `R48: a refused entry leaves after three days with its gap, and its feed is read again`()
    async throws
  {
    let bench = try Bench()
    try await bench.outbox.enqueue(
      [Sample.audio(1), Sample.audio(2)], feed: "f", movingAnchorFrom: nil, to: [1])
    let receiver = Receiver(refusing: "chunk-1.")
    _ = try await bench.sync(receiver)
    #expect(try await bench.outbox.anchor(of: "f") == [1])
    bench.now += 259_200
    try await bench.outbox.add([Sample.audio(3)])
    // The three days begin when a sync that heard the receiver saw it refused: at the first.
    let report = try await bench.sync(receiver)
    #expect(report.aged.failed == 1)
    #expect(report.status.uploadStats.failed == 0)
    #expect(report.status.gaps.map(\.entries) == [1])
    #expect(report.status.gaps.first?.feed == "f")
    #expect(report.status.gaps.first?.reason == "refused")
    #expect(try await bench.outbox.anchor(of: "f") == nil)
  }

  @Test func `R48: a receiver's clock that is set back does not keep a refused entry forever`()
    async throws
  {
    let bench = try Bench()
    try await bench.outbox.add([Sample.audio(1)])
    let clock = Box(1_800_000_000)
    let receiver = Receiver { batch in
      String(decoding: batch.body, as: UTF8.self).contains("chunk-1.")
        ? .failed(DeliveryFailure(.refused, "as planned"))
        : .confirmed(at: Timestamp(secondsSince1970: clock.value))
    }
    var aged: [Int] = []
    for (number, moment) in [1_800_000_000, 1_700_000_000, 1_700_259_199, 1_700_259_200]
      .enumerated()
    {
      clock.value = moment
      try await bench.outbox.add([Sample.audio(2 + number)])
      aged.append(try await bench.sync(receiver).aged.failed)
    }
    #expect(aged == [0, 0, 0, 1])
  }

  @Test func `R48: an initial sync sends the last days first, and then all`() async throws {
    let bench = try Bench()
    // 12,000 entries, of which the last 2,000 are recent: three batches.
    try await bench.outbox.add((0..<12_000).map { try Sample.heartRate($0) })
    let receiver = Receiver()
    let report = try await OutboxSync(
      bench.outbox, to: receiver, streams: [.healthKit],
      recentFirst: Timestamp(secondsSince1970: 1_700_000_000 + 10_000)
    ).run()
    #expect(receiver.sent.map(\.recordCount) == [2000, 5000, 5000])
    #expect(report.status.uploadStats.uploaded == 12_000)
  }

  @Test func `R47: the anchor and the entries that it covers are queued together, or neither`()
    async throws
  {
    let bench = try Bench()
    let outbox = bench.outbox
    #expect(try await outbox.anchor(of: "f") == nil)
    try await outbox.enqueue([Sample.audio(1)], feed: "f", movingAnchorFrom: nil, to: [])
    #expect(try await outbox.anchor(of: "f") == [])
    // Another collector read from the same anchor.
    await #expect(throws: AnchorMoved(feed: "f")) {
      try await outbox.enqueue([Sample.audio(1)], feed: "f", movingAnchorFrom: nil, to: [2])
    }
    #expect(try outbox.status().uploadStats.total == 1)
    try await outbox.enqueue([Sample.audio(2)], feed: "f", movingAnchorFrom: [], to: [2])
    #expect(try outbox.resetAnchors { $0 == "f" } == ["f"])
    await #expect(throws: AnchorMoved.self) {
      try await outbox.enqueue([Sample.audio(3)], feed: "f", movingAnchorFrom: [2], to: [3])
    }
  }

  @Test func `R48: dropped entries are a gap, and a late confirmation changes nothing`()
    async throws
  {
    let bench = try Bench()
    try await bench.outbox.enqueue(
      [Sample.audio(1), Sample.audio(2)], feed: "f", movingAnchorFrom: nil, to: [1])
    let taken = try bench.outbox.take(.audio)
    try await bench.outbox.add([Sample.audio(3)])
    #expect(try bench.outbox.drop(stream: nil, onlyFailed: false) == 3)
    let batch = try #require(taken)
    try bench.outbox.apply(
      .confirm(
        batch: batch.state.id, receivedAt: bench.outbox.file.now(), now: bench.outbox.file.now()))
    let status = try bench.outbox.status()
    #expect(status.uploadStats.total == 0)
    #expect(Set(status.gaps.map(\.entries)) == [2, 1])
    #expect(try await bench.outbox.anchor(of: "f") == nil)
    // Numbers are not used again: a new entry is in no batch of old.
    try await bench.outbox.add([Sample.audio(4)])
    #expect(try bench.outbox.take(.audio)?.state.entries == 1)
  }

  @Test func `R48: two syncs of one outbox count one failure once`() async throws {
    let bench = try Bench()
    try await bench.outbox.add([Sample.audio(1)])
    let other = try bench.reopened()
    let (one, two) = (
      try #require(try bench.outbox.take(.audio)), try #require(try other.take(.audio))
    )
    #expect(one.batch == two.batch)
    let failure = DeliveryResult.failed(DeliveryFailure(.server, "500"))
    let now = bench.outbox.file.now()
    try bench.outbox.apply(DeliveryRule.change(after: failure, of: one.state, now: now))
    try other.apply(DeliveryRule.change(after: failure, of: two.state, now: now))
    #expect(try bench.outbox.entries(limit: 10).map(\.attempts) == [1])
    // One splits what the other got confirmed.
    try other.apply(.confirm(batch: one.state.id, receivedAt: now, now: now))
    try bench.outbox.apply(
      .split(batch: one.state.id, failure: DeliveryFailure(.refused, "400"), now: now))
    #expect(try bench.outbox.status().uploadStats.uploaded == 1)
  }

  @Test func `R48: a result that comes late does not take attempts back`() async throws {
    let bench = try Bench()
    try await bench.outbox.add([Sample.audio(1)])
    let late = try #require(try bench.outbox.take(.audio))
    let failure = DeliveryResult.failed(DeliveryFailure(.server, "500"))
    for attempt in 1...3 {
      let taken = try #require(try bench.outbox.take(.audio))
      let now = bench.outbox.file.now()
      try bench.outbox.apply(DeliveryRule.change(after: failure, of: taken.state, now: now))
      #expect(try bench.outbox.entries(limit: 10).map(\.attempts) == [attempt])
      bench.now += 300
    }
    let now = bench.outbox.file.now()
    try bench.outbox.apply(DeliveryRule.change(after: failure, of: late.state, now: now))
    #expect(try bench.outbox.entries(limit: 10).map(\.attempts) == [3])
  }

  @Test func `R48: a batch that was given up, and is confirmed after all, is uploaded`()
    async throws
  {
    let bench = try Bench()
    try await bench.outbox.add([Sample.audio(1)])
    let taken = try #require(try bench.outbox.take(.audio))
    let now = bench.outbox.file.now()
    try bench.outbox.apply(
      .giveUp(
        batch: taken.state.id, attempts: 1, failure: DeliveryFailure(.server, "500"), now: now))
    #expect(try bench.outbox.status().uploadStats.failed == 1)
    try bench.outbox.apply(.confirm(batch: taken.state.id, receivedAt: now, now: now))
    let stats = try bench.outbox.status().uploadStats
    #expect(stats.uploaded == 1 && stats.failed == 0)
  }

  @Test func `R48: a delivery that is broken off at the end of the program costs no attempt`()
    async throws
  {
    struct Endless: BatchReceiver {
      let begun: AsyncStream<Void>.Continuation

      func deliver(_ batch: consuming SealedBatch) async -> DeliveryResult {
        begun.yield()
        try? await Task.sleep(for: .seconds(60))
        return .failed(DeliveryFailure(.timeout, "broken off"))
      }
    }
    let bench = try Bench()
    try await bench.outbox.add([Sample.audio(1)])
    let (stream, begun) = AsyncStream<Void>.makeStream()
    let sync = OutboxSync(bench.outbox, to: Endless(begun: begun), streams: [.audio])
    let running = Task { try await sync.run() }
    for await _ in stream { break }
    running.cancel()
    let report = try await running.value
    #expect(report.failures.isEmpty && report.status.lastError == nil)
    #expect(try bench.outbox.entries(limit: 10).map(\.attempts) == [0])
  }
}
