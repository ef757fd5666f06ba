import ArgumentParser
import HealthLedger
import HealthModel
import ObjectStore
import StoreAccess

/// What became of each day of a publish, in the days' order, or what would.
struct DayOutcomes {
  /// One day.
  struct Row {
    let date: CalendarDate
    /// `published`, `superseded`, `unchanged`, `pointer_skipped`, `kept_newer`, `failed`,
    /// `not_attempted`, `would_publish`, `would_be_unchanged` or `would_keep_newer`.
    let outcome: String
    var id: RevisionID?
    var latest: RevisionID?
    /// The readable revision that the day had, where a new one was or would be stored.
    var replaced: RevisionID?
    /// When the data that stays was captured, where it was later than the data offered (R20).
    var keptCapture: Timestamp?
    var error: LedgerError?

    /// Whether a new revision was or would be stored.
    var isStored: Bool {
      ["published", "superseded", "pointer_skipped", "would_publish"].contains(outcome)
    }
  }

  private(set) var rows: [Row] = []

  mutating func add(_ draft: DayDraft, _ result: HealthLedger.DayResult) {
    let date = draft.day.date
    switch result {
    case .done(let outcome, let replaced):
      var row = Row(
        date: date, outcome: outcome.word, id: outcome.revisionID, latest: outcome.revisionID,
        replaced: replaced)
      switch outcome {
      case .superseded(_, let by): row.latest = by
      case .keptNewer(_, let capturedAt): (row.id, row.keptCapture) = (nil, capturedAt)
      case .published, .unchanged, .pointerSkipped: break
      }
      rows.append(row)
    case .failed(let error):
      rows.append(Row(date: date, outcome: "failed", error: error))
    case .notAttempted:
      rows.append(Row(date: date, outcome: "not_attempted"))
    }
  }

  mutating func add(_ draft: DayDraft, _ preview: PublishPreview) {
    var row = Row(date: draft.day.date, outcome: preview.word)
    switch preview {
    case .wouldPublish(let replaced): (row.latest, row.replaced) = (replaced, replaced)
    case .wouldBeUnchanged(let id): (row.latest, row.id) = (id, id)
    case .wouldKeepNewer(let id, let capturedAt): (row.latest, row.keptCapture) = (id, capturedAt)
    }
    rows.append(row)
  }

  /// How many days had an outcome.
  func count(_ outcome: String) -> Int { rows.count { $0.outcome == outcome } }

  /// Days that had no readable revision and were or would be given one.
  var newDays: Int { rows.count { $0.isStored && $0.replaced == nil } }

  /// Days whose data was or would be replaced by other data.
  var changedDays: Int { rows.count { $0.isStored && $0.replaced != nil } }

  /// `365 days: 3 published new, 2 changed, 360 unchanged`, for people.
  var summary: String {
    let isPreview = rows.contains { $0.outcome.hasPrefix("would_") }
    let stored = [
      (newDays, isPreview ? "would be published new" : "published new"), (changedDays, "changed"),
    ]
    let others = [
      ("would_be_unchanged", "unchanged"), ("unchanged", "unchanged"),
      ("superseded", "of them already superseded"),
      ("pointer_skipped", "of them published without a pointer"), ("failed", "failed"),
      ("not_attempted", "not attempted"),
    ].map { (count($0), $1) }
    let parts = (stored + others).filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    let days = "\(rows.count.grouped) \(rows.count == 1 ? "day" : "days"): "
    return days + (parts.isEmpty ? "none published" : parts.joined(separator: ", "))
  }

  /// What a person must know of the days that were skipped; nil where none was.
  var keptNewer: String? {
    let captures = rows.compactMap(\.keptCapture)
    guard let latest = captures.max() else { return nil }
    return captures.count == 1
      ? "1 skipped: the store has data captured later (\(latest)); --force publishes it all the same"
      : "\(captures.count.grouped) skipped: the store has data captured later (up to \(latest)); "
        + "--force publishes them all the same"
  }

  /// Success only if every day came through.
  var exitCode: ExitCode {
    rows.compactMap(\.error).first?.code.exitCode
      ?? (count("not_attempted") > 0
        ? LedgerError.Code.storageUnavailable.exitCode : .success)
  }

  /// What the outcomes leave to be said about the store.
  func notes(_ opened: OpenedStore) -> [String] {
    guard count("pointer_skipped") > 0, let reason = opened.whyNoPointer else { return [] }
    return ["latest.json was not written, and readers list the revisions: \(reason.words)"]
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
    case "pointer_skipped", "kept_newer", "would_keep_newer": .doubtful
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
    if let replaced { members["replaced_revision_id"] = .string(replaced.rawValue) }
    if let keptCapture { members["kept_captured_at"] = .string("\(keptCapture)") }
    if let error { members["error"] = error.document }
    return members
  }
}
