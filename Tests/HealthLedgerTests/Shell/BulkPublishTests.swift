import HealthModel
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@testable import HealthLedger

/// Publishing many days: R34, and what becomes of each day.
@Suite(.unit) struct BulkPublishTests {
  private func year(_ steps: Double = 1) throws -> [DayDraft] {
    let first = try Sample.date("2025-03-01")
    return try (0..<366).map { offset in
      try Sample.draft(steps: steps, on: try #require(first.adding(days: offset)))
    }
  }

  /// The words and dates of all results, in the order of delivery.
  private func publish(
    _ drafts: [DayDraft], by ledger: HealthLedger, concurrency: Int = 16
  ) async throws -> [(date: CalendarDate, word: String)] {
    var results: [(CalendarDate, String)] = []
    try await ledger.publish(drafts, concurrency: concurrency) { draft, result in
      let word =
        switch result {
        case .done(let outcome, _, _): outcome.word
        case .failed: "failed"
        case .notAttempted: "not attempted"
        }
      results.append((draft.day.date, word))
    }
    return results
  }

  @Test func `R34 a year of fresh days costs two writes a day, one listing and no read`()
    async throws
  {
    let bench = LedgerBench()
    let drafts = try year()
    let results = try await publish(drafts, by: bench.ledger)
    #expect(results.map(\.date) == drafts.map(\.day.date))
    #expect(results.allSatisfy { $0.word == "published" })
    #expect(bench.store.log.puts == 732)
    #expect(bench.store.log.gets == 0)
    #expect(bench.store.log.lists <= 2)

    let again = bench.recounted()
    #expect(try await publish(drafts, by: again.ledger).allSatisfy { $0.word == "unchanged" })
    #expect(again.store.log.puts == 0)
    #expect(again.store.log.gets == 366)
  }

  @Test func `a date given twice is published in the order given`() async throws {
    let bench = LedgerBench()
    let days = ["2026-03-10", "2026-03-11", "2026-03-10", "2026-03-10", "2026-03-12"]
    let drafts = try days.enumerated().map { try Sample.draft(steps: Double($0), on: $1) }
    let results = try await publish(drafts, by: bench.ledger)
    #expect(results.map(\.date.description) == days)
    let date = try Sample.date()
    #expect(try await bench.ledger.history(date).count == 3)
    let latest = try await bench.ledger.resolve(date).latest
    #expect(latest?.revision.readings[.steps] == .value(3))
  }

  @Test func `dates years apart are published in the order given`() async throws {
    let bench = LedgerBench()
    let days = ["2026-03-10", "1999-12-31", "2026-03-09", "1999-12-30"]
    let drafts = try days.map { try Sample.draft(steps: 1, on: $0) }
    let results = try await publish(drafts, by: bench.ledger)
    #expect(results.map(\.date.description) == days)
    #expect(results.allSatisfy { $0.word == "published" })
  }

  @Test func `a day that fails does not stop the others`() async throws {
    let bench = LedgerBench()
    var drafts = Array(try year().prefix(20))
    drafts[7].readings[.steps] = .value(-1)
    let results = try await publish(drafts, by: bench.ledger)
    #expect(results.map(\.word).filter { $0 == "published" }.count == 19)
    #expect(results[7].word == "failed")
  }

  @Test func `after a failure of the store no further day is begun`() async throws {
    let plan = FaultPlan(rules: [.init(.refused(.unavailable), on: .put, which: Set(11...10_000))])
    let bench = LedgerBench(plan: plan)
    let drafts = Array(try year().prefix(60))
    let results = try await publish(drafts, by: bench.ledger, concurrency: 2)
    #expect(results.map(\.date) == drafts.map(\.day.date))
    let words = results.map(\.word)
    #expect((1...2).contains(words.filter { $0 == "failed" }.count))
    #expect(words.suffix(40).allSatisfy { $0 == "not attempted" })
    #expect(bench.store.log.puts <= 14)
  }

  @Test func `a listing that fails fails one day and leaves the rest untried`() async throws {
    let bench = LedgerBench(plan: FaultPlan(rules: [.init(.lost, on: .list, which: nil)]))
    let drafts = Array(try year().prefix(5)) + [try Sample.draft(steps: 1, on: "2031-01-01")]
    let results = try await publish(drafts, by: bench.ledger)
    #expect(results.map(\.word) == ["failed"] + Array(repeating: "not attempted", count: 5))
    #expect(bench.store.log.entries.count == 1)
  }

  @Test func `what the receiver of results throws ends the work`() async throws {
    let bench = LedgerBench()
    let drafts = Array(try year().prefix(50))
    var delivered = 0
    let error = await #expect(throws: LedgerError.self) {
      try await bench.ledger.publish(drafts, concurrency: 2) { _, _ throws(LedgerError) in
        delivered += 1
        if delivered == 3 { throw LedgerError(.internal, "enough") }
      }
    }
    #expect(error?.message == "enough")
    #expect(delivered == 3)
    #expect(bench.store.log.puts < 60)
  }

  @Test
  func `R20 equal days that another import stores meanwhile are surveyed again, not stored twice`()
    async throws
  {
    let bench = LedgerBench()
    let drafts = Array(try year().prefix(60))
    // The other one is done between our listing and our first day.
    let isFirst = Atomic(true)
    let overtaken = OvertakenStore(base: bench.store) {
      guard isFirst.exchange(false, ordering: .relaxed) else { return }
      _ = try? await publish(drafts, by: bench.ledger)
    }
    let late = HealthLedger(
      store: overtaken, environment: .test(now: Sample.noon.adding(seconds: 5), entropy: 2))
    let results = try await publish(drafts, by: late, concurrency: 4)
    #expect(results.map(\.date) == drafts.map(\.day.date))
    // Days that had begun before the other writer was seen.
    let stored = results.count { $0.word != "unchanged" }
    #expect((1...4).contains(stored))
    #expect(try revisions(bench) == drafts.count + stored)
  }

  @Test func `R21 imports that start together store each day once`()
    async throws
  {
    let bench = LedgerBench()
    let drafts = Array(try year().prefix(60))
    let imports = 8
    // All have seen an empty store before the first one writes.
    let begun = Atomic(0)
    let together = OvertakenStore(base: bench.store) {
      begun.add(1, ordering: .relaxed)
      while begun.load(ordering: .relaxed) < imports { await Task.yield() }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<imports {
        let ledger = HealthLedger(
          store: together, environment: .test(now: Sample.noon, entropy: UInt32(number)))
        group.addTask {
          let results = try await publish(drafts, by: ledger, concurrency: 8)
          #expect(results.map(\.date) == drafts.map(\.day.date))
          #expect(!results.contains { ["failed", "not attempted"].contains($0.word) })
        }
      }
      try await group.waitForAll()
    }
    #expect(try revisions(bench) == drafts.count)
    for draft in drafts { #expect(bench.pointer(draft.day.date) != nil) }
  }

  /// How many revisions the store has.
  private func revisions(_ bench: LedgerBench) throws -> Int {
    let layout = bench.ledger.layout
    return bench.memory.contents.keys.count {
      if case .revision = layout.member($0.rawValue) { true } else { false }
    }
  }

  @Test func `an empty list of drafts publishes nothing`() async throws {
    let bench = LedgerBench()
    #expect(try await publish([], by: bench.ledger).isEmpty)
    #expect(bench.store.log.entries.isEmpty)
  }
}
