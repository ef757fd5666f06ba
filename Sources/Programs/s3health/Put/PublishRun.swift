import CommandLineKit
import HealthLedger
import HealthModel
import HealthSources

/// Publishes days, or shows what that would do in a dry run.
struct PublishRun {
  let opened: OpenedStore
  var concurrency = HealthLedger.defaultConcurrency
  var isDryRun = false
  /// Nil where something else shows the progress and takes Ctrl-C.
  let interruption: InterruptionNotice?
  /// By which all that it publishes can be undone.
  let run = RunID(at: LedgerEnvironment.system.now())

  /// What happens, or would happen, to each draft.
  func outcomes(
    of drafts: [DayDraft], within dates: ClosedRange<CalendarDate>?, zones: ReportingZones
  ) async throws(LedgerError) -> DayOutcomes {
    try await outcomes(
      of: drafts, from: dates?.lowerBound, to: dates?.upperBound, leftOut: [], zones: zones)
  }

  /// What happens, or would happen, to each draft, and to the days beside them that had the source's numbers
  /// in another zone; in the order of their dates if there are any.
  func outcomes(
    of drafts: [DayDraft], from: CalendarDate?, to: CalendarDate?, leftOut: [ImportSpan.LeftOut],
    zones: ReportingZones
  ) async throws(LedgerError) -> DayOutcomes {
    var (beside, failure): ([DayDraft], LedgerError?) = ([], nil)
    do throws(LedgerError) {
      beside = try await self.beside(drafts, from: from, to: to, leftOut: leftOut, zones: zones)
    } catch {
      // The source's own days go on, and fail themselves if it is the store that fails.
      failure = error
    }
    var outcomes = DayOutcomes()
    if !isDryRun { outcomes.run = run }
    outcomes.isUndo = drafts.contains { $0.change != nil }
    let total = drafts.count
    var progress = ProgressLine(
      isDryRun ? "comparing" : "publishing", total: total,
      terminal: { [hasScreen = interruption == nil] in
        hasScreen ? Terminal(isTerminal: false, usesColor: false, width: 80) : .progress()
      })
    defer { progress.clear() }
    if !isDryRun { sayPublished(0, of: total) }
    // Before the source's own days: a run that is interrupted finds them again.
    var moved = DayOutcomes()
    try await publish(beside, &moved, &progress, of: 0)
    try await publish(drafts, &outcomes, &progress, of: total)
    outcomes.add(
      moved,
      failure: failure.map {
        "the days beside those of the source could not be looked at; if their zone was wrong "
          + "before, a number may stand on two dates: \($0.message)"
      })
    return outcomes
  }

  /// Drafts of the days of the store beside those that the source has, which say nothing but that its numbers
  /// in another zone are gone.
  private func beside(
    _ drafts: [DayDraft], from: CalendarDate?, to: CalendarDate?, leftOut: [ImportSpan.LeftOut],
    zones: ReportingZones
  ) async throws(LedgerError) -> [DayDraft] {
    guard drafts.contains(where: \.retracts.reachesNeighbours) else { return [] }
    let byDate = Dictionary(drafts.map { ($0.day.date, $0) }) { $1 }
    let own = Set(drafts.map(\.day.date))
    let dates = Set(own.flatMap { [$0.adding(days: -1), $0.adding(days: 1)].compactMap(\.self) })
      .subtracting(own)
      .filter { date in from.map { $0 <= date } ?? true && to.map { date <= $0 } ?? true }
      .filter { date in
        !leftOut.contains { $0.daysWithData > 0 && ($0.from...$0.to).contains(date) }
      }
    guard let first = dates.min(), let last = dates.max() else { return [] }
    let held = try await heldDates(within: first...last).filter(dates.contains)
    return held.compactMap { date in
      // A date that the zone skipped has no day.
      guard let day = try? zones.day(date) else { return nil }
      // The input's rows of the day beside it are those that may have stood here.
      let beside = [date.adding(days: -1), date.adding(days: 1)]
        .compactMap { $0.flatMap { byDate[$0] } }
        .max { $0.capturedAt < $1.capturedAt }
      guard var draft = beside else { return nil }
      (draft.day, draft.words, draft.leaves, draft.unknownMembers) = (day, [], [], [:])
      return draft
    }
  }

  /// The dates on which the store holds revisions, ascending; all of them for nil.
  func heldDates(
    within dates: ClosedRange<CalendarDate>?
  ) async throws(LedgerError) -> [CalendarDate] {
    var held: [CalendarDate] = []
    try await opened.run { ledger async throws(LedgerError) in
      let runs = try await ledger.holdings(from: dates?.lowerBound, to: dates?.upperBound).runs
      held = runs.flatMap { run in
        sequence(first: run.first) { $0.adding(days: 1) }.prefix { $0 <= run.last }
      }
    }
    return held
  }

  /// From now on an interruption says how many days are published, and that running the command again is
  /// safe.
  private func sayPublished(_ count: Int, of total: Int) {
    interruption?.say { [run] in
      let done = count == 0 ? "before the first" : "after \(count.grouped)"
      return
        "interrupted \(done) of \(total.grouped) days; run the same command again to continue; "
        + "nothing is stored twice"
        + (count == 0 ? "" : "\nrun \(run); s3health undo \(run) withdraws it")
    }
  }

  private func publish(
    _ drafts: [DayDraft], _ outcomes: inout DayOutcomes, _ progress: inout ProgressLine,
    of total: Int
  ) async throws(LedgerError) {
    guard !drafts.isEmpty else { return }
    let drafts = drafts.map { draft in
      var draft = draft
      draft.run = run
      return draft
    }
    var (rows, line) = (outcomes, progress)
    defer { (outcomes, progress) = (rows, line) }
    try await opened.run { ledger async throws(LedgerError) in
      if isDryRun {
        try await ledger.preview(drafts, concurrency: concurrency) {
          draft, preview async throws(LedgerError) in
          rows.add(draft, preview)
          if total > 1 { line.advance() }
        }
      } else {
        try await ledger.publish(drafts, concurrency: concurrency) {
          draft, result async throws(LedgerError) in
          rows.add(draft, result)
          if total > 0 { sayPublished(rows.rows.count, of: total) }
          if total > 1 { line.advance() }
        }
      }
    }
  }
}
