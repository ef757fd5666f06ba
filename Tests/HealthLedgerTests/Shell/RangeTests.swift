import HealthModel
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@testable import HealthLedger

/// R32 and R33: histories and ranges.
@Suite(.unit) struct RangeTests {
  @Test func `R33 both ends belong to a range`() throws {
    let day = try Sample.date()
    #expect(try DateRange(from: day, to: day).dates == [day])
    let range = try DateRange(
      from: try Sample.date("2024-02-27"), to: try Sample.date("2024-03-02"))
    #expect(range.count == 5)
    #expect(range.dates.map(\.description).contains("2024-02-29"))
  }

  @Test func `R33 a range that ends before it begins is INVALID_ARGUMENTS`() throws {
    let error = #expect(throws: LedgerError.self) {
      _ = try DateRange(from: try Sample.date("2026-03-11"), to: try Sample.date("2026-03-10"))
    }
    #expect(error?.code == .invalidArguments)
  }

  @Test func `R33 a range has at most 366 dates unless the caller says more`() throws {
    let (from, to) = (try Sample.date("2025-01-01"), try Sample.date("2026-01-02"))
    let error = #expect(throws: LedgerError.self) { _ = try DateRange(from: from, to: to) }
    #expect(error?.code == .invalidArguments)
    #expect(error?.remedy?.description.contains("367") == true)
    #expect(try DateRange(from: from, to: to, maximumDays: 367).count == 367)
    #expect(try DateRange(from: from, to: try Sample.date("2026-01-01")).count == 366)
  }

  @Test func `R34 a read that does not fit its listing is the store's fault, not the document's`()
    async throws
  {
    let bench = LedgerBench()
    _ = try await bench.ledger.publish(try Sample.draft(steps: 8432))
    let date = try Sample.date()
    let range = try DateRange(from: date, to: date)
    let cutting = HealthLedger(
      store: CuttingStore(base: bench.ledger.store), layout: bench.ledger.layout)
    for isVerified in [false, true] {
      let error = await #expect(throws: LedgerError.self) {
        if isVerified {
          try await cutting.verify(range) { _ in }
        } else {
          try await cutting.resolve(range) { _ in }
        }
      }
      #expect(error?.code == .storageUnavailable && error?.isRetryable == true)
      #expect(error?.message.contains("its listing said") == true)
    }
    await #expect(throws: LedgerError.self) { try await cutting.resolve(date) }
  }

  @Test func `R34 a revision that was cut on its way is not passed over for an older one`()
    async throws
  {
    let bench = LedgerBench()
    for steps in [8432.0, 9911] {
      _ = try await bench.ledger.publish(try Sample.draft(steps: steps))
    }
    let date = try Sample.date()
    let isNewest: @Sendable (StoredObject) -> Bool = {
      String(decoding: $0.body, as: UTF8.self).contains("9911")
    }
    let cutting = HealthLedger(
      store: CuttingStore(base: bench.ledger.store, cuts: isNewest), layout: bench.ledger.layout,
      environment: bench.ledger.environment)
    let revisions = try await bench.ledger.history(date)
    let failures = [
      await #expect(throws: LedgerError.self) { try await cutting.resolve(date) },
      await #expect(throws: LedgerError.self) {
        try await cutting.publish(try Sample.draft(steps: 10_000))
      },
    ]
    for failure in failures {
      #expect(failure?.message.contains("its listing said") == true, "\(failure as Any)")
    }
    #expect(try await bench.ledger.history(date) == revisions)
  }

  @Test func `R33 the whole calendar is a range`() throws {
    let (from, to) = (try Sample.date("0001-01-01"), try Sample.date("9999-12-31"))
    let range = try DateRange(from: from, to: to, maximumDays: .max)
    #expect(range.pieces(of: 400).map(\.count).reduce(0, +) == 3_652_059)
  }

  @Test func `R32 a history has all revisions, oldest first, valid or not`() async throws {
    let bench = LedgerBench()
    let date = try Sample.date()
    for steps in 0..<5 {
      _ = try await bench.ledger.publish(try Sample.draft(steps: Double(steps)))
    }
    let broken = Sample.id(-9)
    try await bench.place(bench.ledger.layout.revisionKey(date, broken).rawValue, [0x7B])
    let history = try await bench.ledger.history(date)
    #expect(history.count == 6 && history == history.sorted() && history.first == broken)
    let found = try await bench.ledger.revision(date, broken)
    #expect(found.body == [0x7B] && !found.decoded.violations.isEmpty)
    let error = await #expect(throws: LedgerError.self) {
      _ = try await bench.ledger.revision(date, Sample.id(999))
    }
    #expect(error?.code == .dataNotFound)
  }

  @Test(arguments: [1, 3, 16, Int.max, 0, -4])
  func `R33 a range is delivered in order at any concurrency`(concurrency: Int) async throws {
    let damaged = try await DamagedLedger(days: 50, seed: 77)
    var dates: [CalendarDate] = []
    try await damaged.bench.ledger.resolve(damaged.range, concurrency: concurrency) {
      dates.append($0.date)
    }
    #expect(dates == damaged.range.dates)
  }

  @Test func `R33 a store that fails in the middle fails the range`() async throws {
    let damaged = try await DamagedLedger(days: 50, seed: 78)
    let plan = FaultPlan(rules: [.init(.lost, on: .get, which: [30])])
    let bench = damaged.bench.recounted(plan: plan)
    var delivered = 0
    let resolving = await #expect(throws: LedgerError.self) {
      try await bench.ledger.resolve(damaged.range) { _ in delivered += 1 }
    }
    #expect(resolving?.code == .storageUnavailable && resolving?.isRetryable == true)
    #expect(delivered < 50)
    let verifying = await #expect(throws: LedgerError.self) {
      let bench = damaged.bench.recounted(plan: plan)
      try await bench.ledger.verify(damaged.range) { _ in }
    }
    #expect(verifying?.code == .storageUnavailable)
  }

  @Test func `at most so many works run, and few outputs wait`() async throws {
    let gauge = Gauge()
    var delivered: [Int] = []
    try await concurrentMap(Array(0..<200), width: 4) { input async throws(LedgerError) in
      await gauge.enter()
      for _ in 0..<(input == 0 ? 200 : 1) { await Task.yield() }
      await gauge.leave()
      return input
    } deliver: { _, output async throws(LedgerError) in
      delivered.append(output)
    }
    #expect(delivered == Array(0..<200))
    #expect(await gauge.most <= 4)
  }

  @Test func `fewer works run while fewer are allowed`() async throws {
    let gauge = Gauge()
    let allowed = Atomic(1)
    try await concurrentMap(
      Array(0..<40), width: 8, widthNow: { allowed.load(ordering: .relaxed) }
    ) { input async throws(LedgerError) in
      await gauge.enter()
      for _ in 0..<20 { await Task.yield() }
      await gauge.leave()
      return input
    } deliver: { _, output async throws(LedgerError) in
      if output < 20 { #expect(await gauge.most == 1) }
      if output == 20 { allowed.store(100, ordering: .relaxed) }
    }
    #expect(await (2...8).contains(gauge.most))
  }

  @Test func `a slow first input holds back at most four times the width`() async throws {
    let gauge = Gauge()
    var firstDelivery = 0
    try await concurrentMap(Array(0..<100), width: 2) { input async throws(LedgerError) in
      await gauge.enter()
      if input == 0 { while await gauge.entered < 8 { await Task.yield() } }
      return input
    } deliver: { _, output async throws(LedgerError) in
      if output == 0 { firstDelivery = await gauge.entered }
    }
    #expect(firstDelivery == 8)
  }

  @Test func `work that is done in random order is delivered in order, and few outputs wait`()
    async throws
  {
    let gauge = Gauge()
    var delivered: [Int] = []
    var firstDelivery = 0
    try await concurrentMap(Array(0..<300), width: 2, isShuffled: { true }) {
      input async throws(LedgerError) in
      await gauge.enter(input)
      if input == 0 { while await gauge.entered < 32 { await Task.yield() } }
      return input
    } deliver: { _, output async throws(LedgerError) in
      if output == 0 { firstDelivery = await gauge.entered }
      delivered.append(output)
    }
    #expect(delivered == Array(0..<300))
    #expect(firstDelivery == 32)
    #expect(await gauge.order != Array(0..<300))
  }

  private actor Gauge {
    private var now = 0
    private(set) var most = 0
    private(set) var entered = 0
    private(set) var order: [Int] = []

    func enter(_ input: Int = 0) {
      order.append(input)
      now += 1
      entered += 1
      most = max(most, now)
    }

    func leave() { now -= 1 }
  }
}
