public import HealthModel

/// What became of a day's pointer under repair (R38).
public enum PointerRepair: Hashable, Sendable {
  /// The pointer was moved to this revision; what it named before, if it named any.
  case moved(from: RevisionID?, to: RevisionID)
  /// A repair would move it so.
  case wouldMove(from: RevisionID?, to: RevisionID)
  /// Another writer has moved it to this or a greater revision meanwhile.
  case alreadySound(RevisionID)
  /// It can't move forward, and why.
  case impossible(Obstacle)

  /// Why a pointer can't be moved forward.
  public enum Obstacle: String, Hashable, Sendable {
    /// No revision of the day is readable: there is nothing to name.
    case noValidRevision = "no_valid_revision"
    /// It names a greater id than any readable revision has: only a newer revision can take it.
    case namesGreaterID = "names_greater_id"
    /// The store has no compare-and-swap (R24).
    case noCompareAndSwap = "no_compare_and_swap"
    /// The object is too large to be read, and the store lists no etag for it.
    case noETag = "no_etag"
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

  /// True where the store may hold another pointer than the one first seen.
  public var hasMoved: Bool {
    switch self {
    case .moved, .alreadySound: true
    case .wouldMove, .impossible: false
    }
  }
}
