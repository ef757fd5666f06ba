import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// R39: what reading again costs where copies are kept.
@Suite(.unit) struct CachedBudgetTests {
  @Test func `R39 a year read again costs its listing, and verified again two more`() async throws {
    let bench = CachedBench()
    let range = try await bench.year()
    let first = bench.reader()
    #expect(try await first.ledger.answers(range).count { $0.latest != nil } == 366)
    #expect(first.store.log.gets == 366 && first.store.log.gets <= 732)
    let second = bench.reader()
    #expect(try await second.ledger.answers(range).count { $0.latest != nil } == 366)
    #expect(second.store.log.gets == 0 && second.store.log.entries.count == 1)
    let third = bench.reader()
    #expect(try await third.ledger.verdicts(range).days.count { $0.status == .ok } == 366)
    #expect(third.store.log.gets == 0 && third.store.log.entries.count == 3)
    // In the same process as well.
    _ = try await third.ledger.verdicts(range, deep: true)
    #expect(third.store.log.gets == 0 && third.store.log.entries.count == 6)
  }

  @Test func `R39 only what has changed is read again`() async throws {
    let bench = CachedBench()
    let range = try await bench.year()
    _ = try await bench.reader().ledger.answers(range)
    let dates = range.dates
    let publisher = HealthLedger(
      store: bench.memory, environment: .test(now: Sample.noon.adding(seconds: 60)))
    for date in dates[100..<103] {
      _ = try await publisher.publish(try Sample.draft(steps: 2, on: date))
    }
    let (ledger, store) = bench.reader()
    let answers = try await ledger.answers(range)
    #expect(answers[100..<103].allSatisfy { $0.latest?.revision.readings[.steps]?.number == 2 })
    #expect(store.log.gets == 3 && store.log.lists == 1)
  }

  @Test func `R39 a store whose etags say nothing beforehand has its pointers copied too`()
    async throws
  {
    let bench = CachedBench()
    let range = try await bench.year()
    let opaque = FaultInjectingStore(WeakStore(base: bench.memory, verdict: .compareAndSwap))
    _ = try await bench.ledger(on: opaque).verdicts(range)
    #expect(opaque.log.gets == 732)
    let again = FaultInjectingStore(WeakStore(base: bench.memory, verdict: .compareAndSwap))
    let verdicts = try await bench.ledger(on: again).verdicts(range, deep: true)
    #expect(verdicts.days.allSatisfy { $0.status == .ok })
    #expect(again.log.gets == 0 && again.log.entries.count == 3)
  }

  @Test(arguments: [RelabellingStore.Labels.none, .weak])
  func `R39 a store that lists no strong etag is read each time`(
    labels: RelabellingStore.Labels
  ) async throws {
    let bench = CachedBench()
    let range = try DateRange(
      from: try Sample.date("2025-03-01"), to: try Sample.date("2025-03-20"))
    _ = try await bench.year()
    for _ in 0..<2 {
      let store = FaultInjectingStore(RelabellingStore(base: bench.memory, labels: labels))
      _ = try await bench.ledger(on: store).answers(range)
      #expect(store.log.gets == 40)
    }
  }

  @Test func `R39 a single day costs what it cost`() async throws {
    let bench = CachedBench()
    let range = try await bench.year()
    _ = try await bench.reader().ledger.answers(range)
    let (ledger, store) = bench.reader()
    _ = try await ledger.resolve(range.from)
    #expect(store.log.entries.count == 3)
    let past = bench.reader()
    _ = try await past.ledger.resolve(range.from, asOf: Sample.noon)
    #expect(past.store.log.entries.count == 1)
  }

  @Test func `R39 publishing and repairing ask for no copy and keep none`() async throws {
    let bench = CachedBench()
    let range = try await bench.year()
    let spy = CacheSpy()
    var ledger = HealthLedger(
      store: bench.memory, environment: .test(now: Sample.noon.adding(seconds: 60)))
    ledger.cache = spy
    let drafts = try range.dates.prefix(30).map { try Sample.draft(steps: 1, on: $0) }
    try await ledger.publish(drafts) { _, _ in }
    for steps in 2...4 {
      _ = try await ledger.publish(try Sample.draft(steps: Double(steps), on: range.from))
    }
    try await bench.memory.delete(ledger.layout.pointerKey(range.from))
    _ = try await ledger.repairPointer(range.from, dryRun: false)
    #expect(spy.calls == 0)
    _ = try await ledger.answers(range)
    #expect(spy.calls > 0)
  }
}
