public import HealthModel

/// The result of repairing a day's pointer (R38).
public enum PointerRepair: Hashable, Sendable {
  /// The pointer was moved to this revision, from the one that it named before, if any.
  case moved(from: RevisionID?, to: RevisionID)
  /// A repair would move it like this.
  case wouldMove(from: RevisionID?, to: RevisionID)
  /// Another writer has moved it to this or a greater revision in the meantime.
  case alreadySound(RevisionID)
  /// It can't be moved forward, for this reason.
  case impossible(Obstacle)

  /// Why a pointer can't be moved forward.
  public enum Obstacle: String, Hashable, Sendable {
    /// No revision of the day is readable, so there is nothing to name.
    case noValidRevision = "no_valid_revision"
    /// It names a greater id than any readable revision has. Only a newer revision can replace it.
    case namesGreaterID = "names_greater_id"
    /// The store is not known to have compare-and-swap (R24): it has none, or the probe of it is
    /// not allowed.
    case noCompareAndSwap = "no_compare_and_swap"
    /// The object is too large to read, and the store lists no etag for it.
    case noETag = "no_etag"
    /// The newest revision lacks something that a source has said, so it must not hide the one that the
    /// pointer names. The next publish of the day joins them (R20).
    case lacksWords = "lacks_words"
  }

  /// `moved`, `would_move`, `already_sound` or `impossible`.
  public var word: String {
    switch self {
    case .moved: "moved"
    case .wouldMove: "would_move"
    case .alreadySound: "already_sound"
    case .impossible: "impossible"
    }
  }

  /// True if the store may hold another pointer than before the repair.
  public var hasMoved: Bool {
    switch self {
    case .moved, .alreadySound: true
    case .wouldMove, .impossible: false
    }
  }
}
