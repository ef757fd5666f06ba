import ArgumentParser
import HealthLedger
import HealthModel
import ObjectStore

/// What became of each day of a publish, in the days' order, or what would.
struct DayOutcomes {
  /// One day.
  struct Row {
    let date: CalendarDate
    /// `published`, `superseded`, `unchanged`, `pointer_skipped`, `failed`, `not_attempted`,
    /// `would_publish` or `would_be_unchanged`.
    let outcome: String
    var id: RevisionID?
    var latest: RevisionID?
    var error: LedgerError?
  }

  private(set) var rows: [Row] = []

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

  /// Tells what publishing a draft would do to a day that resolves to `latest`.
  mutating func preview(_ draft: DayDraft, latest: StoredRevision?) {
    let payload = draft.revision(at: draft.capturedAt).payload
    let isUnchanged = latest?.revision.payload == payload
    rows.append(
      Row(
        date: draft.day.date, outcome: isUnchanged ? "would_be_unchanged" : "would_publish",
        id: isUnchanged ? latest?.id : nil, latest: latest?.id))
  }

  /// How many days had an outcome.
  func count(_ outcome: String) -> Int { rows.count { $0.outcome == outcome } }

  /// Success only if every day came through.
  var exitCode: ExitCode {
    rows.compactMap(\.error).first?.code.exitCode
      ?? (count("not_attempted") > 0
        ? LedgerError.Code.storageUnavailable.exitCode : .success)
  }

  /// What the outcomes leave to be said about the store.
  func notes(_ opened: OpenedStore) -> [String] {
    guard count("pointer_skipped") > 0, let reason = opened.whyNoPointer else { return [] }
    return ["latest.json was not written, and readers list the revisions: \(reason)"]
  }

  /// Says on stderr why days failed. A store that fails, fails many days alike: each reason is
  /// said once, the first few of them, and how many days more were not published.
  func sayErrors() {
    var said: [LedgerError] = []
    for error in rows.lazy.compactMap(\.error) {
      guard said.count < Self.errorsSaid else { break }
      guard !said.contains(where: { $0.message == error.message }) else { continue }
      said.append(error)
      StandardStreams.say(error)
    }
    let others = count("failed") + count("not_attempted") - said.count
    if others > 0 {
      let days = others == 1 ? "1 more day was" : "\(others.grouped) more days were"
      StandardStreams.note(
        "s3health: \(days) not published; run the same command again: it goes on from there")
    }
  }

  private static let errorsSaid = 5

  /// `results` of docs/OUTPUT.md.
  func document(_ layout: LedgerLayout) -> [JSONValue] {
    rows.map { .object($0.members(layout)) }
  }
}

extension DayOutcomes.Row {
  var style: Terminal.Style {
    switch outcome {
    case "published", "would_publish": .good
    case "failed", "not_attempted": .bad
    case "pointer_skipped": .doubtful
    default: .faint
    }
  }

  func members(_ layout: LedgerLayout) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "date": .string(date.description), "outcome": .string(outcome),
    ]
    if let id {
      members["revision_id"] = .string(id.rawValue)
      members["key"] = .string(layout.revisionKey(date, id).rawValue)
    }
    if let latest { members["latest_revision_id"] = .string(latest.rawValue) }
    if let error { members["error"] = error.document }
    return members
  }
}
