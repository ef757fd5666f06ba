import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import ObjectStore

/// What a publish did, or would do, with each day, in the order of the days.
struct DayOutcomes {
  struct Row {
    let date: CalendarDate
    let outcome: Outcome
    var id: RevisionID?
    var latest: RevisionID?
    /// The readable revision that the day had before, if a new one was or would be stored.
    var replaced: RevisionID?
    /// What became of the numbers that the day had and the source does not have.
    var earlier = EarlierNumbers()
    /// The run that said it, where that is not the one of all.
    var run: RunID?
    var error: LedgerError?

    /// Whether a new revision was or would be stored.
    var isStored: Bool {
      [.published, .superseded, .pointerSkipped, .wouldPublish].contains(outcome)
    }
  }

  /// What became of a day (R27), or would become of it (R20).
  enum Outcome: String {
    case published, superseded, unchanged, failed
    case pointerSkipped = "pointer_skipped"
    case notAttempted = "not_attempted"
    case wouldPublish = "would_publish"
    case wouldBeUnchanged = "would_be_unchanged"

    init(_ outcome: PublishOutcome) {
      self =
        switch outcome {
        case .published: .published
        case .superseded: .superseded
        case .unchanged: .unchanged
        case .pointerSkipped: .pointerSkipped
        }
    }

    init(_ preview: PublishPreview) {
      self =
        switch preview {
        case .wouldPublish: .wouldPublish
        case .wouldBeUnchanged: .wouldBeUnchanged
        }
    }

    var isPreview: Bool { [.wouldPublish, .wouldBeUnchanged].contains(self) }
  }

  private(set) var rows: [Row] = []
  /// The run that published them; nil in a dry run.
  var run: RunID?
  /// Whether no source said anything: a run was undone, or restored.
  var isUndo = false
  /// What a corrected zone changed, and what damage has cost.
  private(set) var dayNotes: [String] = []

  mutating func add(_ draft: DayDraft, _ result: HealthLedger.DayResult) {
    let date = draft.day.date
    switch result {
    case .done(let outcome, let replaced, let earlier):
      dayNotes += earlier.losses.map { "\(date): \($0)" }
      var row = Row(date: date, outcome, replaced: replaced)
      (row.earlier, row.run) = (earlier, earlier.storedBy)
      rows.append(row)
    case .failed(let error):
      rows.append(Row(date: date, outcome: .failed, error: error))
    case .notAttempted:
      rows.append(Row(date: date, outcome: .notAttempted))
    }
  }

  mutating func add(_ draft: DayDraft, _ preview: PublishPreview) {
    var row = Row(date: draft.day.date, outcome: Outcome(preview))
    switch preview {
    case .wouldPublish(let replaced, let earlier):
      dayNotes += earlier.losses.map { "\(draft.day.date): \($0)" }
      (row.latest, row.replaced, row.earlier) = (replaced, replaced, earlier)
    case .wouldBeUnchanged(let id, let earlier):
      (row.latest, row.id, row.earlier) = (id, id, earlier)
    }
    rows.append(row)
  }

  /// Adds a day that was published otherwise than as one draft.
  mutating func add(_ row: Row) { rows.append(row) }

  /// Adds the days beside those of the source, of which numbers were taken away because they are on other
  /// dates now; and why they could not be looked at.
  mutating func add(_ moved: DayOutcomes, failure: String?) {
    let changed = moved.rows.filter { $0.isStored || $0.error != nil }
    dayNotes += changed.lazy.filter { !$0.earlier.taken.isEmpty }.map { row in
      "\(row.date): \(row.earlier.taken.map(\.rawValue).joined(separator: ", ")): counted here in another "
        + "zone before; this source has them on other dates now"
    }
    // Where nothing was published, the errors of the days say all.
    if let failure, storedCount > 0 { dayNotes.append(failure) }
    guard !changed.isEmpty else { return }
    rows = (rows + changed).sorted { $0.date < $1.date }
  }

  func count(_ outcome: Outcome) -> Int { rows.count { $0.outcome == outcome } }

  /// The days of which a revision was or would be stored, and the first failure.
  var storedCount: Int { rows.count(where: \.isStored) }
  var firstError: LedgerError? { rows.lazy.compactMap(\.error).first }

  /// Days that had no readable revision and got one, or would get one.
  var newDays: Int { rows.count { $0.isStored && $0.replaced == nil } }

  /// Days whose data was or would be replaced with other data.
  var changedDays: Int {
    rows.count { $0.isStored && $0.replaced != nil && !$0.earlier.areSame }
  }

  /// Days that got a revision with the same figures.
  private var sameDays: Int { rows.count { $0.isStored && $0.earlier.areSame } }

  /// `365 days: 3 published new, 2 changed, 360 unchanged`, for people.
  var summary: String {
    let isPreview = rows.contains { $0.outcome.isPreview }
    let stored = [
      (newDays, isPreview ? "would be published new" : "published new"), (changedDays, "changed"),
      (sameDays, "with the same figures"),
    ]
    let others: [(Int, String)] = [
      (count(.wouldBeUnchanged), "unchanged"), (count(.unchanged), "unchanged"),
      (count(.superseded), "of them already superseded"),
      (count(.pointerSkipped), "of them published without a pointer"), (count(.failed), "failed"),
      (count(.notAttempted), "not attempted"),
    ]
    let parts = (stored + others).filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    let days = "\(rows.count.grouped) \(rows.count == 1 ? "day" : "days"): "
    return days + (parts.isEmpty ? "none published" : parts.joined(separator: ", "))
  }

  /// How many numbers are kept, and how many are taken away.
  var earlierNumbers: [String] {
    EarlierNumbers.Kind.allCases.compactMap { kind in
      let counts = rows.map { $0.earlier.metrics(kind).count }.filter { $0 > 0 }
      guard !counts.isEmpty else { return nil }
      return kind.words(
        counts.reduce(0, +), days: counts.count == 1 ? "" : " on \(counts.count.grouped) days")
    }
  }

  /// Which numbers are taken away, and where they can still be read; nil if none are, or if an undo takes them.
  private var takenAway: String? {
    let days = rows.filter { !$0.earlier.taken.isEmpty }
    guard !isUndo, let first = days.first else { return nil }
    let others =
      switch days.count - 1 {
      case 0: ""
      case 1: ", and numbers of 1 more day"
      default: ", and numbers of \((days.count - 1).grouped) more days"
      }
    let metrics = first.earlier.taken.map(\.rawValue).joined(separator: ", ")
    let verb = first.outcome.isPreview ? "would be taken away" : "taken away"
    return "\(verb), because this source has none: \(metrics) of \(first.date)\(others); "
      + "what was there: s3health get \(first.date) --history"
  }

  /// Success only if every day succeeded.
  var exitCode: ExitCode {
    firstError?.code.exitCode
      ?? (count(.notAttempted) > 0
        ? LedgerError.Code.storageUnavailable.exitCode : .success)
  }

  /// Notes about the store that follow from the outcomes.
  func notes(_ opened: OpenedStore) -> [String] {
    let notes =
      ([doubt, undone].compactMap(\.self) + dayNotes + [takenAway].compactMap(\.self))
      .map(\.withGivenOptions)
    guard count(.pointerSkipped) > 0, let reason = opened.whyNoPointer else { return notes }
    return notes + [
      "latest.json was not written; readers list the revisions instead: \(reason.words)"
    ]
  }

  /// The last run that has stored anything by which it can be found.
  var storedRun: RunID? { storedRuns.last }

  /// What was uploaded in several runs may be made days of in one.
  private var storedRuns: [RunID] {
    guard let run else { return [] }
    return Set(rows.lazy.filter(\.isStored).map { $0.run ?? run }).sorted()
  }

  /// Says on stderr how what was published can be withdrawn.
  func sayRun() {
    for run in storedRuns.suffix(Self.runsSaid) {
      StandardStreams.remark("run \(run); s3health undo \(run) withdraws it")
    }
    guard storedRuns.count > Self.runsSaid else { return }
    StandardStreams.remark("and older runs, which s3health runs lists")
  }

  private static let runsSaid = 5

  /// That another run has said the same, of which nothing was stored twice; nil where it is an old one, and this
  /// one brought more: then it is only the input that grows.
  var repetition: String? {
    let rows = rows.filter { !$0.isStored && !$0.earlier.repeated.isEmpty }
    guard let run, let other = rows.lazy.compactMap({ $0.earlier.repeated.max() }).max(),
      storedCount == 0
        || other.moment.map({ began in
          run.moment.map { $0 <= began.adding(seconds: Self.overlap) } ?? false
        }) ?? false
    else { return nil }
    return
      "run \(other) has said the same of \(rows.count.counted("day")), so nothing of that was stored twice: "
      + "s3health undo \(other) takes it away for both"
  }

  /// What began within so many seconds may be the same import, started twice.
  private static let overlap = 3600

  /// That the input is what a run said that is undone, so that its days stay without it.
  private var undone: String? {
    let days = rows.count { !$0.earlier.undone.isEmpty }
    guard let run = rows.lazy.compactMap({ $0.earlier.undone.min() }).max() else { return nil }
    return
      "what the undone run \(run) said of \(days.counted("day")) is not shown; to bring it back: "
      + "s3health undo \(run) --restore"
  }

  /// That it may be another person's data; nil if nothing speaks for that.
  var doubt: String? {
    guard let (reason, runs) = contradiction ?? strangeness else { return nil }
    let earlier = runs.sorted(by: >).prefix(3).map { "s3health undo \($0)" }
    let isPreview = rows.contains { $0.outcome.isPreview }
    return
      "\(reason): if this is another person's data or another device's, "
      + (storedRun.map { "s3health undo \($0) withdraws it" }
        ?? (isPreview ? "do not publish it" : "nothing of it was stored"))
      + (earlier.isEmpty
        ? "" : "; if that was, \(earlier.joined(separator: ", ")) withdraws that")
      + "; a second device needs a name of its own: --source NAME"
  }

  /// That nearly all of what this source had said of these days was different, and the runs that had said it.
  private var contradiction: (String, Set<RunID>)? {
    let spoken = rows.filter { $0.earlier.corrected + $0.earlier.confirmed > 0 }
    let other = spoken.filter { $0.earlier.corrected > 3 * $0.earlier.confirmed }
    guard other.count >= Self.daysDoubted, other.count > 4 * (spoken.count - other.count) else {
      return nil
    }
    return (
      "on \(other.count.grouped) days nearly all numbers differ from what this source had said before",
      Set(other.flatMap(\.earlier.contradicted))
    )
  }

  /// That what only other sources had said is far away more often than it is near.
  private var strangeness: (String, Set<RunID>)? {
    let spoken = rows.filter { $0.earlier.near + $0.earlier.far > 0 }
    let near = spoken.reduce(0) { $0 + $1.earlier.near }
    let far = spoken.reduce(0) { $0 + $1.earlier.far }
    guard spoken.count >= Self.daysDoubted, far >= 2 * Self.daysDoubted, 4 * far > 5 * near else {
      return nil
    }
    return (
      "on \(spoken.count.grouped) days most nights and means are far from those of other sources",
      []
    )
  }

  private static let daysDoubted = 5

  /// Reports on stderr why days failed. If the store fails, many days fail for the same reason. So
  /// each reason is reported once, up to a limit, with the number of further days that were not
  /// published.
  func sayErrors() {
    var said: Set<String> = []
    for row in rows where row.error != nil {
      guard said.count < Self.errorsSaid, let error = row.error else { break }
      // What is said of one day holds for all others of which only dates differ.
      let reason = error.message.replacing(#/[0-9]{4}-[0-9]{2}-[0-9]{2}/#, with: "")
      if said.insert(reason).inserted { StandardStreams.say(error) }
    }
    let others = count(.failed) + count(.notAttempted) - said.count
    if others > 0 {
      let days = others == 1 ? "1 more day was" : "\(others.grouped) more days were"
      let mayContinue = rows.contains { $0.error?.isRetryable ?? false }
      StandardStreams.note(
        "s3health: \(days) not published"
          + (mayContinue ? "; run the same command again to continue" : ""))
    }
  }

  private static let errorsSaid = 5

  /// `results` of docs/OUTPUT.md.
  func results(_ layout: LedgerLayout) -> [Document] { rows.map { $0.document(layout) } }
}

extension DayOutcomes.Row {
  var style: Terminal.Style {
    switch outcome {
    case .published, .wouldPublish: .good
    case .failed, .notAttempted: .bad
    case .pointerSkipped: .doubtful
    case .superseded, .unchanged, .wouldBeUnchanged: .faint
    }
  }

  func document(_ layout: LedgerLayout) -> Document {
    var members: Document = ["date": date, "outcome": outcome.rawValue]
    members["revision_id"] = id
    members["key"] = id.map { layout.revisionKey(date, $0).rawValue }
    members["latest_revision_id"] = latest
    members["replaced_revision_id"] = replaced
    for kind in EarlierNumbers.Kind.allCases {
      let metrics = earlier.metrics(kind)
      if !metrics.isEmpty { members[kind.rawValue] = metrics }
    }
    if earlier.areSame, isStored { members["figures_unchanged"] = true }
    members["error"] = error?.document
    return members
  }
}

extension EarlierNumbers {
  /// The kinds that are reported for a day, by their member in JSON.
  enum Kind: String, CaseIterable {
    case kept
    case taken = "taken_away"
    case notShown = "not_shown"

    func words(_ count: Int, days: String = "") -> String {
      let numbers = "\(count.grouped) \(count == 1 ? "number" : "numbers")"
      return switch self {
      case .kept: "\(numbers) kept\(days) that this source does not have"
      case .taken: "\(numbers) taken away\(days) that this source does not have"
      case .notShown:
        "\(numbers) of this source not shown\(days), because newer or more complete data comes "
          + "first; --force shows \(count == 1 ? "it" : "them")"
      }
    }
  }

  func metrics(_ kind: Kind) -> [DailyMetric] {
    switch kind {
    case .kept: kept
    case .taken: taken
    case .notShown: notShown
    }
  }

  /// Which earlier numbers are not kept, in words.
  fileprivate var losses: [String] {
    let again =
      "publish the day again from each source that has some, and put again what was put by hand"
    let names = lost.map(\.rawValue).joined(separator: ", ")
    let damage = damaged.map(\.rawValue).joined(separator: ", ")
    return
      (damaged.isEmpty
      ? []
      : [
        "\(lost.isEmpty ? "what was said" : names): only in the damaged revision \(damage), and not kept; "
          + again
      ])
      + unreadable.map {
        "numbers that only revision \($0) has are not kept: it can't be read; \(again)"
      }
  }
}

extension DayOutcomes.Row {
  init(date: CalendarDate, _ outcome: PublishOutcome, replaced: RevisionID?) {
    self.init(
      date: date, outcome: .init(outcome), id: outcome.revisionID, latest: outcome.revisionID,
      replaced: replaced)
    switch outcome {
    case .superseded(_, let by): latest = by
    case .published, .unchanged, .pointerSkipped: break
    }
  }
}
