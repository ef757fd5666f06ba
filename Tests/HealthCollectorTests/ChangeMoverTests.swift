import Dispatch
import HealthCollector
import HealthModel
import HealthStreams
import Synchronization
import TestSupport
import Testing

/// Changes of a source on their way into a queue (R47).
@Suite(.unit) struct ChangeMoverTests {
  @Test func `a source in parts is moved whole, with one part in memory at a time (R47)`()
    async throws
  {
    let (source, queue) = (CountingSource(count: 1003, part: 100), TestQueue())
    let result = try await ChangeMover(from: source, to: queue).move(feed: "steps")
    #expect(result.added == 1003)
    #expect(queue.ids.count == 1003 && Set(queue.ids).count == 1003)
    #expect(queue.calls == 11)
    // Nothing is new, so nothing is queued.
    #expect(try await ChangeMover(from: source, to: queue).move(feed: "steps").added == 0)
    #expect(queue.calls == 11)
  }

  @Test func `an anchor moves also where nothing is new, so that nothing is read twice (R47)`()
    async throws
  {
    let (source, queue) = (CountingSource(count: 0, part: 100), TestQueue())
    let result = try await ChangeMover(from: source, to: queue).move(feed: "steps")
    #expect(result.added == 0 && queue.ids.isEmpty)
    #expect(try await queue.anchor(of: "steps") == Array("0".utf8))
  }

  @Test func `two collectors at once queue each sample once (R47)`() async throws {
    let (source, queue) = (CountingSource(count: 500, part: 10), TestQueue())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { _ = try await ChangeMover(from: source, to: queue).move(feed: "steps") }
      }
      try await group.waitForAll()
    }
    #expect(queue.ids.count == 500 && Set(queue.ids).count == 500)
  }

  @Test func `a move that is cut off goes on where it ended (R47)`() async throws {
    struct CutOff: Error {}
    let (source, queue) = (CountingSource(count: 100, part: 10), TestQueue())
    let mover = ChangeMover(from: source, to: queue)
    await #expect(throws: CutOff.self) {
      try await mover.move(feed: "steps") { if $0.added == 50 { throw CutOff() } }
    }
    #expect(try await mover.move(feed: "steps").added == 50)
    #expect(Set(queue.ids).count == 100 && queue.ids.count == 100)
  }
}

/// An app that shows progress, as its code on the main actor is written.
@Suite(.unit) @MainActor final class ScreenTests {
  var totals: [Int] = []
  var savedBytes = 0

  init() { DispatchQueue.main.setSpecific(key: mainKey, value: true) }

  @Test func `R47: a screen on the main actor shows what was moved, and the queue works elsewhere`()
    async throws
  {
    let (source, queue) = (CountingSource(count: 30, part: 10), TestQueue())
    #expect(isOnMainQueue())
    let result = try await ChangeMover(from: source, to: queue).move(feed: "steps") { result in
      self.totals.append(result.added)
    }
    #expect(result.added == 30 && totals == [10, 20, 30])
    #expect(queue.callsOnMainQueue == 0)
  }

  @Test func `a screen on the main actor keeps what is left of a run, which works elsewhere`()
    async throws
  {
    var budget = RunBudget([.sync])
    #expect(isOnMainQueue())
    let report = try await budget.perform { saved in
      self.savedBytes = saved.count
    } _: { _ in
      #expect(!isOnMainQueue())
      return false
    }
    #expect(report.isComplete && savedBytes == budget.saved.count)
  }
}

private let mainKey = DispatchSpecificKey<Bool>()

/// Whether the main actor is kept busy. On Linux its queue has no thread of its own.
private func isOnMainQueue() -> Bool { DispatchQueue.getSpecific(key: mainKey) == true }

/// Samples 0, 1, 2, ...; the anchor is the number of those told.
private struct CountingSource: SampleSource {
  let count: Int
  let part: Int

  func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges {
    let start = anchor.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    let end = min(count, start + part)
    let added = try (start..<end).map { number in
      let minute = String(number % 60)
      let text =
        #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"2026-03-\#(10 + number / 60)T10:\#(minute.count < 2 ? "0" : "")\#(minute):00Z","value":1,"unit":"count"}"#
      return try StreamEntry(JSONValue(parsing: Array(text.utf8)), of: .healthKit)
    }
    return SampleChanges(
      added: added, deleted: [], newAnchor: Array("\(end)".utf8), isComplete: end == count)
  }
}

private final class TestQueue: EntryQueue {
  private let state = Mutex(
    (anchors: [String: [UInt8]](), ids: [String](), calls: 0, onMainQueue: 0))

  var ids: [String] { state.withLock { $0.ids } }
  var calls: Int { state.withLock { $0.calls } }
  var callsOnMainQueue: Int { state.withLock { $0.onMainQueue } }

  func anchor(of feed: String) async throws -> [UInt8]? { state.withLock { $0.anchors[feed] } }

  func enqueue(
    _ entries: [StreamEntry], feed: String, movingAnchorFrom old: [UInt8]?, to new: [UInt8]
  ) async throws {
    if isOnMainQueue() { state.withLock { $0.onMainQueue += 1 } }
    await Task.yield()
    try state.withLock { state in
      guard state.anchors[feed] == old else { throw AnchorMoved(feed: feed) }
      state.anchors[feed] = new
      state.ids += entries.map(\.id)
      state.calls += 1
    }
  }
}
