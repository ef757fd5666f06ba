public import HealthModel

/// The outcome of publishing a day (R27).
public enum PublishOutcome: Hashable, Sendable {
  /// The revision is stored and the pointer names it.
  case published(RevisionID)
  /// The revision is stored; the pointer names a newer one by another writer.
  case superseded(RevisionID, by: RevisionID)
  /// The latest revision has all that the source says: no revision was written.
  case unchanged(RevisionID)
  /// The revision is stored; the store has no compare-and-swap, so readers list the revisions.
  case pointerSkipped(RevisionID)

  /// The revision that has what the source says.
  public var revisionID: RevisionID {
    switch self {
    case .published(let id), .superseded(let id, _), .unchanged(let id), .pointerSkipped(let id):
      id
    }
  }

  /// `published`, `superseded`, `unchanged` or `pointer_skipped`.
  public var word: String {
    switch self {
    case .published: "published"
    case .superseded: "superseded"
    case .unchanged: "unchanged"
    case .pointerSkipped: "pointer_skipped"
    }
  }
}

/// What publishing a day would do now (R20), found without writing.
///
/// The decision is that of `HealthLedger.publish`. Another writer may change the day before the
/// publish.
public enum PublishPreview: Hashable, Sendable {
  /// A revision would be stored, above this readable one if the day has one.
  case wouldPublish(replacing: RevisionID?, EarlierNumbers)
  /// The latest revision has all that the source says: no revision would be written.
  case wouldBeUnchanged(RevisionID, EarlierNumbers)

  /// `would_publish` or `would_be_unchanged`.
  public var word: String {
    switch self {
    case .wouldPublish: "would_publish"
    case .wouldBeUnchanged: "would_be_unchanged"
    }
  }
}

/// A day before a publish, and as it would be after it.
package struct DayChange: Sendable {
  /// Nil if the day has nothing readable.
  package let before: DailyRevision?
  package let after: DailyRevision
}

/// What happens to the numbers of a day that the draft does not replace.
public struct EarlierNumbers: Hashable, Sendable {
  /// These stay: the source does not speak of their metrics (R20).
  public var kept: [DailyMetric]
  /// These are taken away: the source says that there is no number (R19).
  public var taken: [DailyMetric]
  /// Of these the day shows another number than the source has: newer or more complete data comes first (R20).
  public var notShown: [DailyMetric]
  /// Only a damaged revision had these numbers. A digest that fits would say that they are right (R60).
  public var lost: [DailyMetric]
  /// The damaged revisions above the newest that was joined: what sources said only in them is not kept.
  public var damaged: [RevisionID] = []
  /// These revisions, above the newest that was joined, can't be read. Numbers that only they
  /// have are not kept.
  public var unreadable: [RevisionID]

  /// The undone runs that said the same: while they are undone, the day does not show it.
  package var undone: Set<RunID> = []

  /// The runs that had said the same, and whose undoing takes it away: saying it again stored nothing.
  package var repeated: Set<RunID> = []
  /// The run of another writer that stored equal data in this one's stead.
  package var storedBy: RunID?

  /// Of how many groups of metrics the source had said another number of the whole day, and of how many the same.
  package var corrected = 0
  package var confirmed = 0
  /// Of how many nights and means, of which only other sources had spoken, the day showed a number within a
  /// twentieth of the source's, and of how many one more than a tenth away.
  package var near = 0
  package var far = 0
  /// The runs that had said those other numbers.
  package var contradicted: Set<RunID> = []

  /// Whether the day's figures are what they were: only what the sources say beside them is new.
  public var areSame = false

  /// A list that is not given is empty.
  public init(
    kept: [DailyMetric] = [], taken: [DailyMetric] = [], notShown: [DailyMetric] = [],
    lost: [DailyMetric] = [], unreadable: [RevisionID] = []
  ) {
    (self.kept, self.taken, self.notShown) = (kept, taken, notShown)
    (self.lost, self.unreadable) = (lost, unreadable)
  }
}

/// Why a publish ended without an outcome.
package enum PublishFailure: Hashable, Sendable {
  /// No create of a revision got a clear answer within the allowed attempts.
  case revisionUnconfirmed(RevisionID)
  /// The revision is stored, but the pointer could not be moved, and was not seen at it or above
  /// it.
  case pointerContended(RevisionID)
  /// The revision is stored, but others published all the time, and it was not seen that the day has
  /// all that its source says.
  case neverSettled(RevisionID)
  /// This revision was made by a later version of the rules, which this one must not replace.
  case newerRules(RevisionID)
  /// The day has the greatest id that the form allows, or one of the last before it.
  case noGreaterID(RevisionID)
  /// The draft breaks rules, so readers would skip its revision. Nothing was sent.
  case invalid([Violation])
  /// The document would be larger than R13 allows.
  case tooLarge(Int)
}
