import CommandLineKit
import HealthLedger
import HealthModel

/// Publishes days, or shows what that would do in a dry run.
struct PublishRun {
  private let opened: OpenedStore
  private let concurrency: Int
  private let isDryRun: Bool
  private let interruption: InterruptionNotice?
  private let keepsNewer: Bool

  /// - Parameters:
  ///   - interruption: nil where something else shows the progress and takes Ctrl-C.
  ///   - keepsNewer: whether stored data stays if it was captured after the source's files were written,
  ///     although the source does not say when it was made. In a run that nobody watches, the folder may
  ///     be an old copy.
  init(
    _ opened: OpenedStore, concurrency: Int, isDryRun: Bool, interruption: InterruptionNotice?,
    keepsNewer: Bool = false
  ) {
    (self.opened, self.concurrency, self.keepsNewer) = (opened, concurrency, keepsNewer)
    (self.isDryRun, self.interruption) = (isDryRun, interruption)
  }

  /// What happens, or would happen, to each draft, in the order of their dates where `correction` adds
  /// some, otherwise in theirs.
  func outcomes(
    of drafts: [DayDraft], correcting correction: ZoneCorrection
  ) async throws(LedgerError) -> DayOutcomes {
    var beside = ZoneCorrection.Corrected()
    do throws(LedgerError) {
      beside = try correction.corrected(try await correction.beside(drafts, in: opened))
    } catch {
      // The source's own days go on, and fail themselves if it is the store that fails.
      beside.failure = error
    }
    var outcomes = DayOutcomes()
    var total = beside.drafts.count + drafts.count
    var progress = ProgressLine(
      isDryRun ? "comparing" : "publishing", total: total,
      terminal: { [hasScreen = interruption == nil] in
        hasScreen ? Terminal(isTerminal: false, usesColor: false, width: 80) : .progress()
      })
    defer { progress.clear() }
    if !isDryRun { interruption?.sayPublished(0, of: total) }
    _ = try await publish(beside.drafts, &outcomes, &progress, of: total) { _, _ in false }
    var own = drafts
    if keepsNewer { for place in own.indices { own[place].keepsNewer = true } }
    let heldBack = try await publish(own, &outcomes, &progress, of: total) { draft, stored in
      draft.corrects(stored)
    }
    if heldBack.isEmpty, beside.drafts.isEmpty, beside.failure == nil { return outcomes }
    var corrected = ZoneCorrection.Corrected()
    do throws(LedgerError) {
      corrected = try correction.corrected(heldBack)
    } catch {
      // Published as they are, these days would keep the numbers of the wrong zone for good. The
      // others are published, and are reported with the error.
      for (draft, _) in heldBack { outcomes.add(draft, .failed(error)) }
    }
    total = outcomes.rows.count + corrected.drafts.count
    _ = try await publish(corrected.drafts, &outcomes, &progress, of: total) { _, _ in false }
    // Where nothing was published, the errors of the days say all.
    let isStored = outcomes.rows.contains { $0.error == nil && $0.outcome != .notAttempted }
    outcomes.noteCorrection(isStored ? beside.allNotes + corrected.allNotes : [])
    return outcomes
  }

  /// - Returns: the drafts that were held back, each with the day's newest revision.
  private func publish(
    _ drafts: [DayDraft], _ outcomes: inout DayOutcomes, _ progress: inout ProgressLine,
    of total: Int, holdingBack: @escaping HealthLedger.HoldBack
  ) async throws(LedgerError) -> [(draft: DayDraft, stored: DailyRevision)] {
    var heldBack: [(draft: DayDraft, stored: DailyRevision)] = []
    var (rows, line) = (outcomes, progress)
    defer { (outcomes, progress) = (rows, line) }
    try await opened.run { ledger async throws(LedgerError) in
      if isDryRun {
        try await ledger.preview(drafts, concurrency: concurrency, holdingBack: holdingBack) {
          draft, attempted async throws(LedgerError) in
          switch attempted {
          case .done(let preview): rows.add(draft, preview)
          case .heldBack(let stored): return heldBack.append((draft, stored))
          }
          if total > 1 { line.advance() }
        }
      } else {
        try await ledger.publish(drafts, concurrency: concurrency, holdingBack: holdingBack) {
          draft, attempted async throws(LedgerError) in
          switch attempted {
          case .done(let result): rows.add(draft, result)
          case .heldBack(let stored): return heldBack.append((draft, stored))
          }
          interruption?.sayPublished(rows.rows.count, of: total)
          if total > 1 { line.advance() }
        }
      }
    }
    return heldBack
  }
}
