import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// R20: what a preview says is what publishing does, and a preview writes nothing.
@Suite(.unit) struct PreviewTests {
  private func preview(
    _ drafts: [DayDraft], by ledger: HealthLedger
  ) async throws -> [PublishPreview] {
    var previews: [PublishPreview] = []
    try await ledger.preview(drafts) { _, preview in previews.append(preview) }
    return previews
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `R20 a preview says of every damaged day what publishing then does`(
    seed: UInt64
  ) async throws {
    let damaged = try await DamagedLedger(days: 20, seed: seed)
    var generator = SplitMix64(seed: seed)
    let drafts = try (0..<20).map { offset in
      let date = try #require(damaged.range.from.adding(days: offset))
      let captured = Sample.noon.adding(seconds: Int.random(in: -3...3, using: &generator))
      return try Sample.draft(
        steps: Double(Int.random(in: 0...9, using: &generator)), on: date, capturedAt: captured)
    }
    let bench = damaged.bench.recounted()
    let previews = try await preview(drafts, by: bench.ledger)
    #expect(previews.count == drafts.count)
    #expect(bench.store.log.puts == 0 && bench.store.log.deletes == 0)

    var index = 0
    try await bench.ledger.publish(drafts) { draft, result in
      defer { index += 1 }
      guard case .done(let outcome, let replaced, _) = result else {
        Issue.record("\(draft.day.date): \(result)")
        return
      }
      switch (previews[index], outcome) {
      case (.wouldPublish(let replacing, _), .published): #expect(replacing == replaced)
      case (.wouldBeUnchanged(let id, _), .unchanged(let same)): #expect(id == same)
      default: Issue.record("\(draft.day.date): \(previews[index]), but \(outcome)")
      }
    }
  }

  @Test
  func `R20 a day whose pointer names a deleted revision is published, and the preview says so`()
    async throws
  {
    let bench = LedgerBench()
    let draft = try Sample.draft(steps: 5)
    let date = draft.day.date
    try await bench.placeRevision(draft, Sample.id(-20))
    try await bench.placePointer(date, to: Sample.id(-10))
    #expect(try await bench.ledger.resolve(date).latest?.id == Sample.id(-20))
    var earlier = EarlierNumbers(unreadable: [Sample.id(-10)])
    earlier.areSame = true
    #expect(
      try await preview([draft], by: bench.ledger) == [
        .wouldPublish(replacing: Sample.id(-20), earlier)
      ])
    #expect(try await bench.ledger.publish(draft).word == "published")
    #expect(try await preview([draft], by: bench.ledger).map(\.word) == ["would_be_unchanged"])
  }

  @Test func `a preview of a year costs one listing, and a read only where there is something`()
    async throws
  {
    let bench = LedgerBench()
    let first = try Sample.date("2025-03-01")
    let drafts = try (0..<366).map { offset in
      try Sample.draft(steps: 1, on: try #require(first.adding(days: offset)))
    }
    try await bench.placeRevision(drafts[7], Sample.id(0))
    let previews = try await preview(drafts, by: bench.ledger)
    #expect(previews.count { $0 == .wouldPublish(replacing: nil, EarlierNumbers()) } == 365)
    guard case .wouldBeUnchanged(Sample.id(0), _) = previews[7] else {
      Issue.record("\(previews[7])")
      return
    }
    #expect(bench.store.log.lists <= 2 && bench.store.log.gets == 1)
    #expect(bench.store.log.puts == 0)
  }

  @Test func `a store that fails ends the preview with its error`() async throws {
    let bench = LedgerBench(
      plan: FaultPlan(rules: [.init(.refused(.unavailable), on: .list, which: nil)]))
    await #expect(throws: LedgerError.self) {
      _ = try await preview([try Sample.draft(steps: 1)], by: bench.ledger)
    }
  }
}
