import Foundation
import HealthModel
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@testable import HealthStreams

@Suite(.unit) struct AppendTests {
  @Test func `R46: a batch of three UTC dates becomes three objects that read back`() async throws {
    let streams = try Samples.streams(MemoryStore(), prefix: "me")
    let batch = try Samples.overMidnight()
    let receipt = try await streams.append(batch, feed: "outbox", receivedAt: Samples.received)
    #expect(receipt.parts.map(\.wasStoredBefore) == [false, false, false])
    let stored = try await streams.all()
    #expect(stored.map(\.entries.count) == [2, 1, 1])
    #expect(stored.allSatisfy { $0.receivedAt == Samples.received && $0.feed == "outbox" })
    #expect(stored.allSatisfy { $0.request.deviceID == Samples.device })
    #expect(stored.allSatisfy { $0.request.session == "s-1" })
    let keys = receipt.parts.map(\.key.rawValue)
    #expect(
      keys[0].hasPrefix("me/streams/v0/apple_ios_healthkit/\(Samples.device)/2025/01/30/")
        && keys[2].hasPrefix("me/streams/v0/apple_ios_healthkit/\(Samples.device)/2025/02/02/"))
    #expect(keys.allSatisfy { $0.hasSuffix(".json.gz") })
    #expect(Set(stored.flatMap(\.entries).map(\.bytes)).count == 4)
  }

  @Test func `R46: a batch sent twice is stored once, and keeps its first receipt`() async throws {
    let store = MemoryStore()
    let streams = try Samples.streams(store)
    let batch = try Samples.overMidnight()
    _ = try await streams.append(batch, feed: "first", receivedAt: Samples.received)
    let again = try await streams.append(
      batch, feed: "second", receivedAt: Samples.received.adding(seconds: 60))
    #expect(again.parts.map(\.wasStoredBefore) == [true, true, true])
    let stored = try await streams.all()
    #expect(stored.count == 3)
    #expect(stored.allSatisfy { $0.feed == "first" && $0.receivedAt == Samples.received })
  }

  @Test func `R46: a batch that is never confirmed says why the last write was not`() async throws {
    let full = StoreError(
      .unavailable, "writing failed", remedy: "look at the drives", serverDetail: "planted")
    let store = UnansweringStore(MemoryStore(), toKeysEndingWith: ".gz", because: full)
    let streams = try Samples.streams(store)
    let batch = try Samples.overMidnight()
    let error = try #require(
      await #expect(throws: StreamError.self) {
        _ = try await streams.append(batch, feed: "f", receivedAt: Samples.received)
      })
    #expect(error.code == .unanswered)
    #expect(
      error.message.hasSuffix("8 attempts; lastly writing failed: the server said planted"),
      "\(error)")
    #expect(error.key?.hasSuffix(".json.gz") == true)
  }

  @Test func `R46: a batch whose writes hang ends before its last attempt`() async throws {
    let held = StoreError(.unavailable, "writing got no answer")
    let store = UnansweringStore(MemoryStore(), toKeysEndingWith: ".gz", because: held)
    var impatient = try Samples.streams(store)
    impatient.patience = .zero
    let (streams, batch) = (impatient, try Samples.overMidnight())
    let error = try #require(
      await #expect(throws: StreamError.self) {
        _ = try await streams.append(batch, feed: "f", receivedAt: Samples.received)
      })
    #expect(error.code == .unanswered)
    #expect(
      error.message == "the store gave no clear answer to 3 attempts; lastly writing got no answer")
    #expect(error.key?.hasSuffix(".json.gz") == true)
  }

  @Test func `R46: a part that hangs ends its batch, also where each send takes a new marker`()
    async throws
  {
    let held = StoreError(.unavailable, "writing got no answer")
    let store = UnansweringStore(MemoryStore(), toKeysEndingWith: ".gz", because: held)
    let (clock, start) = (TestClock(), ContinuousClock.now)
    let end = clock.seconds + 3600
    var slow = try Samples.streams(store)
    slow.now = { start + .seconds(clock.seconds) }
    slow.rest = { _ in
      clock.advance(AppendMachine.maximumMarkerAge)
      guard clock.seconds < end else { throw CancellationError() }
    }
    let (streams, batch) = (slow, try Samples.overMidnight())
    let error = try #require(
      await #expect(throws: StreamError.self) {
        _ = try await streams.append(batch, feed: "f", receivedAt: Samples.received)
      })
    #expect(error.key?.hasSuffix(".json.gz") == true)
    #expect(
      error.message == "the store gave no clear answer to 3 attempts; lastly writing got no answer")
    #expect(try await streams.markers().markers.count == 3)
  }

  @Test func `R46: the same entries of another session are another batch`() async throws {
    let streams = try Samples.streams(MemoryStore())
    for session in ["s-1", "s-2"] {
      let batch = Samples.batch([try Samples.heartRate("2025-01-30T10:00:00Z")], session: session)
      _ = try await streams.append(batch, feed: "f", receivedAt: Samples.received)
    }
    #expect(try await streams.all().count == 2)
  }

  @Test func `R49: a marker of all moments precedes a batch of samples, and only of these`()
    async throws
  {
    let store = FaultInjectingStore(MemoryStore())
    let streams = try Samples.streams(store)
    let batch = try Samples.overMidnight()
    _ = try await streams.append(batch, feed: "f", receivedAt: Samples.received)
    let puts = store.log.entries.filter { $0.kind == .put }.map(\.key)
    #expect(puts.count == 4 && puts[0].hasPrefix("streams/v0/.pending/\(batch.id)-"))
    let markers = try await streams.markers()
    #expect(markers.markers.map(\.batchID) == [batch.id] && markers.foreign.isEmpty)
    let marker = try await streams.read(markers.markers[0])?.get()
    #expect(
      marker?.spans.map { "\($0.lowerBound)/\($0.upperBound)" } == [
        "2025-01-30T10:00:00Z/2025-01-30T10:00:00Z", "2025-01-30T23:59:59Z/2025-01-31T00:00:00Z",
        "2025-02-02T10:00:00Z/2025-02-02T10:00:00Z",
      ])
    _ = try await streams.append(
      Samples.batch([try Samples.location("2025-01-30T10:00:00Z")]), feed: "f",
      receivedAt: Samples.received)
    #expect(try await streams.markers().markers.count == 1)
    try await streams.delete(markers.markers[0])
    #expect(try await streams.markers().markers.isEmpty)
  }

  @Test(arguments: [
    // Its sample may be of another date: the dates that read it, as far as they have begun.
    (
      "", "2025-01-30T12:00:00Z",
      ["2025-01-28T09:00:00Z/2025-01-30T12:00:00Z"]
    ),
    ("", "2025-03-01T12:00:00Z", ["2025-01-28T09:00:00Z/2025-01-31T09:00:00Z"]),
    (
      #","end_timestamp":"2025-01-29T10:00:00Z""#, "2025-03-01T12:00:00Z",
      ["2025-01-29T10:00:00Z/2025-01-29T10:00:00Z"]
    ),
    // What another member holds is not said of the sample.
    (
      #","was":{"end_timestamp":"2025-01-29T10:00:00Z"}"#, "2025-03-01T12:00:00Z",
      ["2025-01-28T09:00:00Z/2025-01-31T09:00:00Z"]
    ),
  ])
  func `R49: a deletion's marker names all days that count it, if it does not say its sample's end`(
    end: String, receivedAt: String, expected: [String]
  ) async throws {
    let streams = try Samples.streams(MemoryStore())
    let deletion = try Samples.entry(
      #"{"sample_type":"HKQuantityTypeIdentifierHeartRate","timestamp":"2025-01-29T10:00:00Z","uuid":"\#(Samples.device)","deleted":true\#(end)}"#
    )
    let receipt = try await streams.append(
      Samples.batch([deletion]), feed: "f", receivedAt: try #require(Timestamp(receivedAt)))
    let marker = try await streams.read(streams.markers().markers[0])?.get()
    for spans in [marker?.spans, receipt.spans] {
      #expect(spans?.map { "\($0.lowerBound)/\($0.upperBound)" } == expected)
    }
  }

  /// Faults at every request of an append, then the same batch again, as an outbox does it.
  @Test(arguments: 1...4, Faults.all)
  func `R46: a fault at any request loses and doubles nothing`(ordinal: Int, faults: Faults)
    async throws
  {
    let store = FaultInjectingStore(
      MemoryStore(), plan: FaultPlan(positions: [ordinal: faults.fault]))
    let streams = try Samples.streams(store)
    let batch = try Samples.overMidnight()
    do {
      _ = try await streams.append(batch, feed: "f", receivedAt: Samples.received)
    } catch {
      #expect(error.code == .store)
    }
    _ = try await streams.append(batch, feed: "f", receivedAt: Samples.received)
    await store.settle()
    let stored = try await streams.all()
    #expect(stored.map(\.entries.count) == [2, 1, 1])
    #expect(try await !streams.markers().markers.isEmpty)
  }

  struct Faults: Sendable, CustomTestStringConvertible {
    let fault: Fault
    var testDescription: String { "\(fault)" }
    static let all = [
      Fault.lost, .answerLost, .delayed(requests: 2), .delayed(requests: 100), .resent,
      .duplicatedLate(requests: 1), .refused(.conflict), .refused(.preconditionFailed),
      .refused(.unavailable),
    ].map(Faults.init)
  }

  @Test func `R46: killed between marker, parts and answer, and sent again, it is stored once`()
    async throws
  {
    let batch = try Samples.overMidnight()
    // A process that ends after the n-th request leaves what the first n did.
    for survived in 0...4 {
      let memory = MemoryStore()
      let dying = DyingStore(memory, after: survived)
      await #expect(throws: StreamError.self) {
        try await Samples.streams(dying).append(batch, feed: "f", receivedAt: Samples.received)
      }
      let before = try Samples.streams(memory)
      #expect(try await before.all().count == max(0, survived - 1))
      _ = try await before.append(batch, feed: "f", receivedAt: Samples.received)
      #expect(try await before.all().map(\.entries.count) == [2, 1, 1])
    }
  }

  @Test func `R46: an object with other content is neither replaced nor confirmed`() async throws {
    let store = MemoryStore()
    let streams = try Samples.streams(store)
    let batch = Samples.batch([try Samples.heartRate("2025-01-30T10:00:00Z")])
    let receipt = try await streams.append(batch, feed: "f", receivedAt: Samples.received)
    let key = receipt.parts[0].key
    try await store.delete(key)
    _ = try await store.put(key, Array("other".utf8), if: .absent)
    let error = await #expect(throws: StreamError.self) {
      try await streams.append(batch, feed: "f", receivedAt: Samples.received)
    }
    #expect(error?.code == .occupied && error?.key == key.rawValue)
    #expect(try await store.get(key, limit: 100)?.body == Array("other".utf8))
  }

  @Test func `R46: a batch that is not what it says is refused before anything is stored`()
    async throws
  {
    let store = FaultInjectingStore(MemoryStore())
    let streams = try Samples.streams(store)
    let good = try Samples.overMidnight()
    let wrong = [
      SealedBatch(
        id: String(repeating: "0", count: 64), stream: good.stream, deviceID: good.deviceID,
        recordCount: good.recordCount, body: good.body),
      SealedBatch(
        id: good.id, stream: .location, deviceID: good.deviceID, recordCount: 4, body: good.body),
      SealedBatch(
        id: good.id, stream: good.stream, deviceID: Samples.otherDevice, recordCount: 4,
        body: good.body),
      SealedBatch(
        id: good.id, stream: good.stream, deviceID: good.deviceID, recordCount: 5, body: good.body),
      Samples.batch([], session: "s"),
      Samples.batch(
        try [
          .init(
            JSONValue(
              parsing: Array(
                #"{"sample_type":"T","timestamp":"2025-01-30T10:00:00Z","unit":"","value":1}"#.utf8)
            ), of: .healthKit)
        ], device: "../../x"),
    ]
    for batch in wrong {
      let error = await #expect(throws: StreamError.self) {
        try await streams.append(batch, feed: "f", receivedAt: Samples.received)
      }
      #expect(error?.code == .invalidBatch)
    }
    let error = await #expect(throws: StreamError.self) {
      try await streams.append(good, feed: "a/b", receivedAt: Samples.received)
    }
    #expect(error?.code == .invalidBatch)
    #expect(store.log.entries.isEmpty)
  }

  @Test func `R46: the receiver confirms what is durable, and says why it is not`() async throws {
    let memory = MemoryStore(clockOffset: 100)
    let receiver = BucketReceiver(try Samples.streams(memory), feed: "f") { Samples.received }
    let batch = try Samples.overMidnight()
    #expect(
      await receiver.deliver(batch) == .confirmed(at: Samples.received.adding(seconds: 100)))
    let stored = try await Samples.streams(memory).all()
    #expect(stored.allSatisfy { $0.receivedAt == Samples.received.adding(seconds: 100) })
    for (cause, kind, code) in [
      (StoreError.Cause.noConnection, DeliveryFailure.Kind.offline, "E001"),
      (.timeout, .timeout, "E001"), (.full, .storageFull, "E004"),
      (.permission, .permissionDenied, "E005"),
    ] {
      var failure = StoreError(.unavailable, "x")
      failure.cause = cause
      let dying = DyingStore(memory, after: 0, with: failure)
      let receiver = BucketReceiver(try Samples.streams(dying), feed: "f") { Samples.received }
      guard case .failed(let failed) = await receiver.deliver(batch) else {
        Issue.record("confirmed though nothing answered")
        continue
      }
      #expect(failed.kind == kind && failed.code == code)
    }
  }

  @Test func `R46: the first receipt too goes by the clock of the store, which an answer tells`()
    async throws
  {
    let memory = MemoryStore(clockOffset: 100, now: { Samples.received.secondsSince1970 + 100 })
    let silent = StoreThatTellsTimeLater(memory)
    let receiver = BucketReceiver(try Samples.streams(silent), feed: "f") { Samples.received }
    #expect(
      await receiver.deliver(try Samples.overMidnight())
        == .confirmed(at: Samples.received.adding(seconds: 100)))
    let stored = try await Samples.streams(memory).all()
    #expect(stored.allSatisfy { $0.receivedAt == Samples.received.adding(seconds: 100) })
  }
}

/// The order of receipts (R46).
@Suite(.unit) struct ReceiptClockTests {
  @Test func `R46: receipts that wait for another program keep no other task waiting`() async {
    let isFirst = Mutex(true)
    let wasInTime = Mutex(false)
    let released = DispatchSemaphore(value: 0)
    let clock = ReceiptClock(sharing: { moment in
      let waits = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if waits {
        let result = released.wait(timeout: .now() + 20)
        wasInTime.withLock { $0 = result == .success }
      }
      return moment
    })
    // More than Swift's pool has threads.
    let receipts = (0..<4 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Task { await clock.next() }
    }
    await Task.detached { _ = released.signal() }.value
    var given: Set<PreciseMoment> = []
    for receipt in receipts { given.insert(await receipt.value) }
    #expect(given.count == receipts.count)
    #expect(wasInTime.withLock { $0 })
  }
}

/// A store whose clock is not known before its first answer, as a server's.
private final class StoreThatTellsTimeLater: ForwardingStore {
  let base: any ObjectStore
  private let hasAnswered = Mutex(false)

  init(_ base: any ObjectStore) { self.base = base }

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    defer { hasAnswered.withLock { $0 = true } }
    return try await base.get(key, limit: limit)
  }

  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    defer { hasAnswered.withLock { $0 = true } }
    return try await base.put(key, body, if: precondition)
  }

  func clockOffset() async -> Int? {
    hasAnswered.withLock { $0 } ? await base.clockOffset() : nil
  }
}
