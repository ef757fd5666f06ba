import HealthLedger
import HealthModel
import HealthSources
import Intake
import StoreAccess

/// What an import read and did, as text for people and as the document of docs/OUTPUT.md.
struct ImportReport {
  let source: ImportedSource
  let span: ImportSpan
  let opened: OpenedStore
  let isDryRun: Bool
  private(set) var outcomes = DayOutcomes()

  init(
    _ source: ImportedSource, _ span: ImportSpan, _ opened: OpenedStore, isDryRun: Bool
  ) {
    (self.source, self.span, self.opened, self.isDryRun) = (source, span, opened, isDryRun)
  }

  /// Publishes the drafts, oldest first, and keeps what becomes of each.
  mutating func publish(
    _ drafts: [DayDraft], concurrency: Int, _ interruption: InterruptionNotice
  ) async throws(LedgerError) {
    var progress = ProgressLine("publishing", total: drafts.count)
    defer { progress.clear() }
    interruption.sayPublished(0, of: drafts.count)
    var outcomes = self.outcomes
    try await opened.run { ledger async throws(LedgerError) in
      try await ledger.publish(drafts, concurrency: concurrency) {
        draft, result async throws(LedgerError) in
        outcomes.add(draft, result)
        progress.advance()
        interruption.sayPublished(outcomes.rows.count, of: drafts.count)
      }
    }
    self.outcomes = outcomes
  }

  /// Tells what publishing the drafts would do, by reading alone.
  mutating func preview(_ drafts: [DayDraft], concurrency: Int) async throws(LedgerError) {
    guard let first = drafts.first?.day.date, let last = drafts.last?.day.date else { return }
    let range = try DateRange(from: first, to: last, maximumDays: 10_000_000)
    let byDate = Dictionary(uniqueKeysWithValues: drafts.map { ($0.day.date, $0) })
    var progress = ProgressLine("comparing", total: drafts.count)
    defer { progress.clear() }
    var outcomes = self.outcomes
    try await opened.run { ledger async throws(LedgerError) in
      try await ledger.resolve(range, concurrency: concurrency) {
        resolution async throws(LedgerError) in
        guard let draft = byDate[resolution.date] else { return }
        outcomes.preview(draft, latest: resolution.latest)
        progress.advance()
      }
    }
    self.outcomes = outcomes
  }

  func print(_ format: OutputFormat) throws(LedgerError) {
    outcomes.sayErrors()
    switch format {
    case .json: try StandardStreams.write(document)
    case .text:
      StandardStreams.remark(notes: allNotes)
      let terminal = Terminal.standardOutput()
      var lines = heading(terminal)
      if isDryRun { lines += DayTable(span.days, outcomes).lines(terminal) + [""] }
      lines.append(summary(terminal))
      try StandardStreams.writeLine(lines.joined(separator: "\n"))
    }
  }

  var allNotes: [String] {
    outcomes.notes(opened) + source.notes.map(\.words)
      + span.days.flatMap { day in day.notes.map { "\(day.date): \($0)" } }
  }
}
