import Foundation
import HealthLedger
import HealthModel
import ObjectStore
import StoreTesting
import Synchronization
import TestSupport
import Testing

@testable import Race

/// A race's clients over real stores of one process: the sound ledger keeps every promise under
/// faults, and what is broken on purpose is convicted by the same pipeline.
@Suite(.unit) struct LiveRaceTests {
  private static let scratch = "p/.s3health-race/x"

  /// Lines of all journals, in the order of writing.
  private final class Journals: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    func append(_ line: [UInt8]) { bytes.withLock { $0 += line } }
    var all: [UInt8] { bytes.withLock { $0 } }
  }

  /// Two processes of three writers and one of observers, as tasks.
  private func race(
    on store: any ObjectStore, _ subject: LiveSubject = .sound, faults: LiveFaults = .init(),
    quota: Int = 12, movesPointer: Bool = true
  ) async throws -> LiveRecord {
    let date = try #require(CalendarDate("2026-03-10"))
    let journals = Journals()
    let start = ContinuousClock.now
    let clock: @Sendable () -> Int = { Int((ContinuousClock.now - start) / .nanoseconds(1)) }
    func crew(_ role: LiveOrder.Role, _ clients: [Int], _ skew: ClockSkew) -> LiveCrew {
      var order = LiveOrder(role: role, date: date.description, scratch: Self.scratch)
      (order.clients, order.subject, order.faults, order.quota) = (clients, subject, faults, quota)
      order.seed = UInt64(clients.count)
      let skewed = SkewedClock(skew) { .now }
      return LiveCrew(
        order, store: store, directly: [store], clock: clock, now: { skewed.now() },
        journal: { journals.append($0) })
    }
    let observers = crew(.observers, [0, 1], .none)
    let watching = Task { try await observers.run() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (clients, skew) in [([0, 2, 4], ClockSkew.tenYearsAhead), ([1, 3, 5], .backwards)] {
        let writers = crew(.writers, clients, skew)
        group.addTask { try await writers.run() }
      }
      try await group.waitForAll()
    }
    watching.cancel()
    try await watching.value
    var record = LiveRecord(date, movesPointer: movesPointer)
    record.add(journal: journals.all)
    let check = LiveCheck(
      store: store, layout: try LedgerLayout(prefix: Self.scratch), date: date, clock: clock)
    for event in try await check.revisions(record.acknowledged) { record.add(event) }
    for event in try await check.answers() { record.add(event) }
    return record
  }

  private static let everyFault = LiveFaults(
    LiveFaults.Kind.allCases.filter { $0 != .stripped }, perMille: 60)

  @Test func `writers under every fault keep all promises on a store in memory`() async throws {
    let record = try await race(on: MemoryStore(), faults: Self.everyFault)
    #expect(record.history.findings() == [])
    #expect(record.tally.acknowledged == 72)
    // Each revision was noted before it was sent: what a kill leaves open has its bytes' digest. A
    // retry may find its word already stored by a writer that kept it, and is acknowledged with that
    // one's revision.
    var sent: Set<RevisionID> = []
    for event in record.history.events {
      guard case .write(let id, let digest, _, _) = event.observation else { continue }
      if digest != nil { sent.insert(id) } else { #expect(event.to != nil) }
    }
    #expect(record.acknowledged.isSubset(of: sent))
    #expect(record.progress.values.allSatisfy { $0 == LiveProgress(next: 12) })
    #expect(record.tally.faults.values.reduce(0, +) > 0)
    #expect(record.tally.resolves > 1 && record.tally.looks > 1)
    // The bound of the model, in which a fault costs none: here each may cost another request.
    #expect((1...2 * RaceHistory.defaultMaximumRequests).contains(record.tally.mostRequests))
  }

  @Test func `writers under every fault keep all promises on a folder`() async throws {
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "race-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try DirectoryStore(root: folder, createsRoot: true)
    let quota = TestDepth.full(6, usual: 3)
    let record = try await race(on: store, faults: Self.everyFault, quota: quota)
    #expect(record.history.findings() == [])
    #expect(record.tally.acknowledged == 6 * quota)
    let swept = try await ScratchSpace(store: store, prefix: Self.scratch).sweep()
    #expect(swept > 6 * quota)
    #expect(try await store.list(ListRequest(prefix: "")).entries.isEmpty)
  }

  @Test(arguments: TestDepth.one(of: 3, [LiveSubject.checkThenPut, .losesRevisions, .looksOnce]))
  func `what is broken on purpose is convicted`(subject: LiveSubject) async throws {
    // Slow answers let writers overtake each other, which tasks over a memory seldom do unforced.
    let faults = LiveFaults([.slow], perMille: 100)
    for _ in 0..<40 {
      let history = try await race(on: MemoryStore(), subject, faults: faults).history
      guard let finding = history.findings().first else { continue }
      #expect(!history.counterexample(to: finding).findings().isEmpty)
      return
    }
    Issue.record("\(subject.rawValue) was not caught in forty rounds")
  }

  @Test func `lost revisions are noticed where a slow store lets each writer publish once`()
    async throws
  {
    for _ in 0..<40 {
      let record = try await race(on: MemoryStore(), .losesRevisions, quota: 1)
      if !record.history.findings().isEmpty { return }
    }
    Issue.record("lost revisions were not noticed in forty rounds")
  }

  @Test(.nightly) func `a store that ignores conditions is convicted`() async throws {
    let faults = LiveFaults([.stripped, .slow], perMille: 900)
    for _ in 0..<40 {
      if try await !race(on: MemoryStore(), faults: faults).history.findings().isEmpty { return }
    }
    Issue.record("writes without their conditions were not noticed in forty rounds")
  }

  @Test func `without compare-and-swap revisions are raced for, and no pointer is expected`()
    async throws
  {
    let record = try await race(on: CreateOnlyStore(base: MemoryStore()), movesPointer: false)
    #expect(record.history.findings() == [])
    #expect(record.tally.outcomes["pointer_skipped"] ?? 0 > 0)
    #expect(record.tally.outcomes["published"] == nil)
  }
}

/// Creates and lists, and does not claim to compare and swap.
private struct CreateOnlyStore: ForwardingStore {
  let base: any ObjectStore
  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    guard precondition == .absent else {
      throw StoreError(.unsupported, "no replace here", key: key.rawValue)
    }
    return try await base.put(key, body, if: precondition)
  }
  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .createOnly }
}
