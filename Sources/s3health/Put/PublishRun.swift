import CommandLineKit
import HealthLedger
import StoreAccess

/// Publishes days, or shows what that would do in a dry run, with progress on stderr.
struct PublishRun {
  private let opened: OpenedStore
  private let concurrency: Int
  private let isDryRun: Bool
  private let interruption: InterruptionNotice

  init(
    _ opened: OpenedStore, concurrency: Int, isDryRun: Bool, interruption: InterruptionNotice
  ) {
    (self.opened, self.concurrency) = (opened, concurrency)
    (self.isDryRun, self.interruption) = (isDryRun, interruption)
  }

  /// What happens, or would happen, to each draft, in their order.
  func outcomes(of drafts: [DayDraft]) async throws(LedgerError) -> DayOutcomes {
    var outcomes = DayOutcomes()
    var progress = ProgressLine(isDryRun ? "comparing" : "publishing", total: drafts.count)
    defer { progress.clear() }
    if !isDryRun { interruption.sayPublished(0, of: drafts.count) }
    try await opened.run { ledger async throws(LedgerError) in
      if isDryRun {
        try await ledger.preview(drafts, concurrency: concurrency) {
          draft, preview async throws(LedgerError) in
          outcomes.add(draft, preview)
          if drafts.count > 1 { progress.advance() }
        }
      } else {
        try await ledger.publish(drafts, concurrency: concurrency) {
          draft, result async throws(LedgerError) in
          outcomes.add(draft, result)
          interruption.sayPublished(outcomes.rows.count, of: drafts.count)
          if drafts.count > 1 { progress.advance() }
        }
      }
    }
    return outcomes
  }
}
