import ArgumentParser
import HealthLedger
import HealthModel
import ObjectStore

/// What `put` did with each day, as text for people and as the document of docs/OUTPUT.md.
struct PutReport {
  private let opened: OpenedStore
  private let notes: [String]
  private let isDryRun: Bool
  private var rows: [Row] = []

  private struct Row {
    let date: CalendarDate
    /// `published`, `superseded`, `unchanged`, `pointer_skipped`, `failed`, `not_attempted`,
    /// `would_publish` or `would_be_unchanged`.
    let outcome: String
    var id: RevisionID?
    var latest: RevisionID?
    var error: LedgerError?
  }

  init(_ opened: OpenedStore, notes: [String], isDryRun: Bool) {
    (self.opened, self.notes, self.isDryRun) = (opened, notes, isDryRun)
  }

  mutating func add(_ draft: DayDraft, _ result: HealthLedger.DayResult) {
    let date = draft.day.date
    switch result {
    case .done(let outcome):
      var latest: RevisionID? = outcome.revisionID
      if case .superseded(_, let by) = outcome { latest = by }
      rows.append(
        Row(date: date, outcome: outcome.word, id: outcome.revisionID, latest: latest))
    case .failed(let error):
      rows.append(Row(date: date, outcome: "failed", error: error))
    case .notAttempted:
      rows.append(Row(date: date, outcome: "not_attempted"))
    }
  }

  /// Tells what publishing a draft would do, by reading alone.
  mutating func preview(_ draft: DayDraft) async throws(LedgerError) {
    let latest = try await opened.ledger.resolve(draft.day.date).latest
    let payload = draft.revision(at: draft.capturedAt).payload
    let isUnchanged = latest?.revision.payload == payload
    rows.append(
      Row(
        date: draft.day.date, outcome: isUnchanged ? "would_be_unchanged" : "would_publish",
        id: isUnchanged ? latest?.id : nil, latest: latest?.id))
  }

  /// Success only if every day came through.
  var exitCode: ExitCode {
    rows.compactMap(\.error).first?.code.exitCode
      ?? (rows.contains { $0.outcome == "not_attempted" }
        ? LedgerError.Code.storageUnavailable.exitCode : .success)
  }

  func print(_ format: OutputFormat) throws(LedgerError) {
    for error in rows.compactMap(\.error) { StandardStreams.note(error.report) }
    switch format {
    case .json: try StandardStreams.write(document)
    case .text:
      for note in notes { StandardStreams.note("note: \(note)") }
      try StandardStreams.writeLine(lines(.standardOutput()).joined(separator: "\n"))
    }
  }

  private func lines(_ terminal: Terminal) -> [String] {
    let width = rows.map(\.outcome.count).max() ?? 0
    return rows.map { row in
      let word = row.outcome.replacing("_", with: " ").padded(to: width)
      var line = "\(terminal.styled(word, style(row)))  \(row.date)"
      if let id = row.id {
        line += "  \(id)  \(opened.ledger.layout.revisionKey(row.date, id))"
      }
      if row.outcome == "superseded", let latest = row.latest { line += "  (latest is \(latest))" }
      if row.outcome == "pointer_skipped" { line += "  (no compare-and-swap: readers list)" }
      return line
    }
  }

  private func style(_ row: Row) -> Terminal.Style {
    switch row.outcome {
    case "published", "would_publish": .good
    case "failed", "not_attempted": .bad
    case "pointer_skipped": .doubtful
    default: .faint
    }
  }

  private var document: JSONValue {
    .object([
      "store": .string(opened.name), "dry_run": .bool(isDryRun),
      "notes": .array(notes.map { .string($0) }),
      "results": .array(
        rows.map { row in
          var members: [String: JSONValue] = [
            "date": .string(row.date.description), "outcome": .string(row.outcome),
          ]
          if let id = row.id {
            members["revision_id"] = .string(id.rawValue)
            members["key"] = .string(opened.ledger.layout.revisionKey(row.date, id).rawValue)
          }
          if let latest = row.latest { members["latest_revision_id"] = .string(latest.rawValue) }
          if let error = row.error { members["error"] = error.document }
          return .object(members)
        }),
    ])
  }
}
