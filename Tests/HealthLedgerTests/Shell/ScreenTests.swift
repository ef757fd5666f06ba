import HealthLedger
import HealthModel
import ObjectStore
import StoreTesting
import Testing

/// An app that shows days, as its code on the main actor is written.
@Suite(.unit) @MainActor final class ScreenTests {
  var shown: [String] = []

  @Test func `a screen on the main actor shows days as they are published, read and verified`()
    async throws
  {
    let bench = LedgerBench()
    let draft = try Sample.draft(steps: 8432)
    let range = try DateRange(from: draft.day.date, to: draft.day.date)
    try await bench.ledger.preview([draft]) { draft, _ in
      self.shown.append("to publish: \(draft.day.date)")
    }
    try await bench.ledger.publish([draft]) { _, result in
      if case .done(let outcome, _, _) = result { self.shown.append(outcome.word) }
    }
    try await bench.ledger.resolve(range) { resolution in
      self.shown.append("read: \(resolution.latest?.revision.readings[.steps]?.number ?? 0)")
    }
    try await bench.ledger.verify(range) { verdict in
      self.shown.append("verified: \(verdict.findings.count)")
    }
    #expect(
      shown == ["to publish: \(draft.day.date)", "published", "read: 8432.0", "verified: 0"])
  }
}
