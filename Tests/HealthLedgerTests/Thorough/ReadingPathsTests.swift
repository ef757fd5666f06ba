import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R34: a listing of many days spares requests and changes no answer.
@Suite(.unit) struct ReadingPathsTests {
  @Test(arguments: 1...6)
  func `R34 resolving a damaged range gives what resolving each date gives`(
    seed: Int
  ) async throws {
    let damaged = try await DamagedLedger(days: 60, seed: UInt64(seed))
    let ledger = damaged.bench.ledger
    var answers: [Resolution] = []
    try await ledger.resolve(damaged.range, concurrency: 5) { answers.append($0) }
    #expect(answers.map(\.date) == damaged.range.dates)
    for answer in answers {
      #expect(answer == (try await ledger.resolve(answer.date)))
    }
    #expect(Set(answers.map { $0.latest == nil }).count == 2)
  }

  @Test(arguments: 1...6)
  func `R30 the answer is the greatest revision that is readable by itself`(seed: Int) async throws
  {
    let damaged = try await DamagedLedger(days: 60, seed: UInt64(seed + 100))
    let ledger = damaged.bench.ledger
    for date in damaged.range.dates {
      // Worked out the slow way: every revision there is, read and judged one by one.
      var readable: [RevisionID] = []
      for id in try await ledger.history(date) {
        guard let found = try? await ledger.revision(date, id) else { continue }
        if found.decoded.revision != nil { readable.append(id) }
      }
      #expect(try await ledger.resolve(date).latest?.id == readable.max())
    }
  }

  @Test(arguments: 1...6)
  func `R34 verifying with a listing finds what verifying without one finds`(
    seed: Int
  ) async throws {
    let damaged = try await DamagedLedger(days: 60, seed: UInt64(seed + 200))
    let ledger = damaged.bench.ledger
    var codes: Set<String> = []
    var verdicts: [DayVerdict] = []
    try await ledger.verify(damaged.range) { verdicts.append($0) }
    #expect(verdicts.map(\.date) == damaged.range.dates)
    for verdict in verdicts {
      codes.formUnion(verdict.findings.map(\.code))
      #expect(verdict == (try await ledger.verify(verdict.date, known: nil)))
    }
    #expect(codes.isSuperset(of: ["missing_date", "foreign_object"]))
  }

  @Test(arguments: 1...4)
  func `R34 publishing over a damaged range does what publishing each day does`(
    seed: Int
  ) async throws {
    let listed = try await DamagedLedger(days: 30, seed: UInt64(seed + 300))
    let single = try await DamagedLedger(days: 30, seed: UInt64(seed + 300))
    let drafts = try listed.range.dates.map { try Sample.draft(steps: 4, on: $0) }
    var outcomes: [PublishOutcome] = []
    try await listed.bench.ledger.publish(drafts) { _, result in
      if case .done(let outcome, _, _) = result { outcomes.append(outcome) }
    }
    var expected: [PublishOutcome] = []
    for draft in drafts { expected.append(try await single.bench.ledger.publish(draft)) }
    #expect(outcomes == expected)
    #expect(listed.bench.memory.contents == single.bench.memory.contents)
    // And after it no fault of a pointer is left.
    try await listed.bench.ledger.verify(listed.range) { verdict in
      #expect(!verdict.findings.contains { $0.severity == .error && $0.code.hasPrefix("pointer") })
    }
  }
}
