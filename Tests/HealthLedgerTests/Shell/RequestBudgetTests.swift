import HealthModel
import ObjectStore
import StoreTesting
import TestSupport
import Testing

@testable import HealthLedger

/// What reading costs.
@Suite(.unit, .slow) struct RequestBudgetTests {
  private func year() async throws -> (LedgerBench, DateRange) {
    let bench = LedgerBench()
    let first = try Sample.date("2025-03-01")
    let last = try #require(first.adding(days: 365))
    let range = try DateRange(from: first, to: last)
    let drafts = try range.dates.map { try Sample.draft(steps: 1, on: $0) }
    try await bench.ledger.publish(drafts) { _, _ in }
    return (bench.recounted(), range)
  }

  @Test func `R30 a sound day costs at most three requests`() async throws {
    let bench = LedgerBench()
    let draft = try Sample.draft(steps: 1)
    _ = try await bench.ledger.publish(draft)
    let reader = bench.recounted()
    _ = try await reader.ledger.resolve(draft.day.date)
    #expect(reader.store.log.entries.count <= 3)
  }

  @Test func `R34 verifying a sound year reads each revision and no pointer`() async throws {
    let (bench, range) = try await year()
    var sound = 0
    try await bench.ledger.verify(range) { if $0.status == .ok { sound += 1 } }
    #expect(sound == 366)
    #expect(bench.store.log.gets == 366)
    // The year, and what lies before and after the data.
    #expect(bench.store.log.lists <= 4)
    #expect(bench.store.log.puts == 0)
  }

  @Test func `R34 a store that can't tell etags beforehand costs a pointer read a day`()
    async throws
  {
    let (bench, range) = try await year()
    let weak = FaultInjectingStore(WeakStore(base: bench.memory, verdict: .compareAndSwap))
    let ledger = HealthLedger(store: weak, environment: .test(now: Sample.noon))
    var sound = 0
    try await ledger.verify(range) { if $0.status == .ok { sound += 1 } }
    #expect(sound == 366)
    #expect(weak.log.gets == 732)
  }

  @Test func `R33 a first read of 366 days costs at most two reads a day, and the listings`()
    async throws
  {
    let (bench, range) = try await year()
    var found = 0
    try await bench.ledger.resolve(range) { if $0.latest != nil { found += 1 } }
    #expect(found == 366)
    #expect(bench.store.log.gets == 366)
    #expect(bench.store.log.lists <= 2)
    // A store whose etags say nothing beforehand: a pointer and a revision each.
    let weak = FaultInjectingStore(WeakStore(base: bench.memory, verdict: .compareAndSwap))
    let ledger = HealthLedger(store: weak, environment: .test(now: Sample.noon))
    try await ledger.resolve(range) { if $0.latest != nil { found += 1 } }
    #expect(found == 732)
    #expect(weak.log.gets == 732)
    #expect(weak.log.lists <= 2)
  }

  @Test func `R35 a deep look reads every revision once, and no pointer of a sound day`()
    async throws
  {
    let bench = LedgerBench()
    let draft = try Sample.draft(steps: 1)
    for index in 0..<5 { try await bench.placeRevision(draft, Sample.id(index)) }
    try await bench.placePointer(draft.day.date, to: Sample.id(4))
    let range = try DateRange(from: draft.day.date, to: draft.day.date)
    var verdicts: [DayVerdict] = []
    try await bench.ledger.verify(range, VerifyOptions(isDeep: true)) { verdicts.append($0) }
    #expect(verdicts.map(\.status) == [.ok])
    #expect(verdicts.map(\.revisionsRead) == [5])
    #expect(bench.store.log.gets == 5)
    #expect(bench.store.log.lists == 3)
  }

  @Test func `R36 a state of the past costs a listing and a read`() async throws {
    let bench = LedgerBench()
    let draft = try Sample.draft(steps: 1)
    for index in 0..<5 { try await bench.placeRevision(draft, Sample.id(index)) }
    _ = try await bench.ledger.resolve(draft.day.date, asOf: Sample.noon.adding(seconds: 2))
    #expect(bench.store.log.lists == 1)
    #expect(bench.store.log.gets == 1)
  }

  @Test func `R38 a repair costs a resolution, a survey and one write`() async throws {
    let bench = LedgerBench()
    let draft = try Sample.draft(steps: 1)
    for index in 0..<2 { try await bench.placeRevision(draft, Sample.id(index)) }
    try await bench.placePointer(draft.day.date, to: Sample.id(0))
    _ = try await bench.ledger.repairPointer(draft.day.date, dryRun: false)
    #expect(bench.store.log.entries.count == 8)
    #expect(bench.store.log.puts == 1)
  }

  @Test func `R35 an empty range costs a listing, and two for what lies outside the data`()
    async throws
  {
    let bench = LedgerBench()
    let range = try DateRange(from: Sample.date("2026-01-01"), to: Sample.date("2026-12-31"))
    var missing = 0
    try await bench.ledger.verify(range) { if $0.status == .missing { missing += 1 } }
    #expect(missing == 365)
    #expect(bench.store.log.entries.count == 3)
    #expect(bench.store.log.lists == 3)
  }

  /// As many as an import of ten years has; fewer in a usual run, which needs a listing every 400 days too.
  private static let days = TestDepth.full(3650, usual: 1250)
  private static let listings = (days + 399) / 400

  private func drafts(steps: Double) throws -> [DayDraft] {
    let first = try Sample.date("2014-06-17")
    return try (0..<Self.days).map { day in
      try Sample.draft(steps: steps, on: #require(first.adding(days: day)))
    }
  }

  @Test func `R34 years are published by two writes a day and a listing every 400 days`()
    async throws
  {
    let bench = LedgerBench()
    let drafts = try drafts(steps: 1)
    var published = 0
    try await bench.ledger.publish(drafts) { _, result in
      if case .done(.published, _, _) = result { published += 1 }
    }
    #expect(published == Self.days)
    #expect(bench.store.log.puts == 2 * Self.days)
    #expect(bench.store.log.gets == 0)
    // At most 0.1 a day; in fact one for each 400 days.
    #expect(bench.store.log.lists == Self.listings)
  }

  @Test func `R20 years published again cost a read a day and no write`() async throws {
    let bench = LedgerBench()
    let drafts = try drafts(steps: 1)
    try await bench.ledger.publish(drafts) { _, _ in }
    let again = bench.recounted()
    var unchanged = 0
    try await again.ledger.publish(drafts) { _, result in
      if case .done(.unchanged, _, _) = result { unchanged += 1 }
    }
    #expect(unchanged == Self.days)
    #expect(again.store.log.puts == 0)
    #expect(again.store.log.gets == Self.days)
    #expect(again.store.log.lists == Self.listings)
  }

  @Test func `R20 a publish that was cut off writes only what is missing`() async throws {
    let bench = LedgerBench()
    let drafts = try drafts(steps: 1)
    try await bench.ledger.publish(Array(drafts.prefix(1000))) { _, _ in }
    let again = bench.recounted()
    try await again.ledger.publish(drafts) { _, _ in }
    #expect(again.store.log.puts == 2 * (Self.days - 1000))
    #expect(again.store.log.gets == 1000)
    #expect(again.store.log.lists == Self.listings)
  }
}
