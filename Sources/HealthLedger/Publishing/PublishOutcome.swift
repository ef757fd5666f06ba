public import HealthModel

/// What publishing a day did (R27).
public enum PublishOutcome: Hashable, Sendable {
  /// The revision is stored and the pointer names it.
  case published(RevisionID)
  /// The revision is stored; another writer's newer one has the pointer.
  case superseded(RevisionID, by: RevisionID)
  /// The latest revision holds the same payload: no revision was written.
  case unchanged(RevisionID)
  /// The revision is stored; the store has no compare-and-swap, so readers list.
  case pointerSkipped(RevisionID)
  /// The latest revision's data was captured later, at this moment: nothing was written.
  case keptNewer(RevisionID, capturedAt: Timestamp)

  /// The revision that holds the published payload; of `keptNewer` the one that stays instead.
  public var revisionID: RevisionID {
    switch self {
    case .published(let id), .superseded(let id, _), .unchanged(let id), .pointerSkipped(let id),
      .keptNewer(let id, _):
      id
    }
  }

  /// `published`, `superseded`, `unchanged`, `pointer_skipped` or `kept_newer`.
  public var word: String {
    switch self {
    case .published: "published"
    case .superseded: "superseded"
    case .unchanged: "unchanged"
    case .pointerSkipped: "pointer_skipped"
    case .keptNewer: "kept_newer"
    }
  }
}

/// What publishing a day would do now (R20), found by reading alone.
///
/// The decision is that of `HealthLedger.publish`. Another writer may change the day before it.
public enum PublishPreview: Hashable, Sendable {
  /// A revision would be stored, above this readable one if the day has one.
  case wouldPublish(replacing: RevisionID?)
  /// The latest revision holds the same payload: no revision would be written.
  case wouldBeUnchanged(RevisionID)
  /// The latest revision's data was captured later, at this moment: nothing would be written.
  case wouldKeepNewer(RevisionID, capturedAt: Timestamp)

  /// `would_publish`, `would_be_unchanged` or `would_keep_newer`.
  public var word: String {
    switch self {
    case .wouldPublish: "would_publish"
    case .wouldBeUnchanged: "would_be_unchanged"
    case .wouldKeepNewer: "would_keep_newer"
    }
  }
}

/// Why a publish ended without an outcome.
package enum PublishFailure: Hashable, Sendable {
  /// No create of a revision was answered cleanly within the attempts allowed.
  case revisionUnconfirmed(RevisionID)
  /// The revision is stored, but the pointer could neither be moved nor seen at or past it.
  case pointerContended(RevisionID)
  /// The day holds an id so far in the future that no greater one exists.
  case noGreaterID(RevisionID)
  /// The draft breaks rules, so that readers would pass its revision over: nothing was sent.
  case invalid([Violation])
  /// The document would break R13.
  case tooLarge(Int)
}
