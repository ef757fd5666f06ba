public import HealthModel

/// The result of resolving a date (R30, R31).
public struct Resolution: Hashable, Sendable {
  /// The date resolved.
  public let date: CalendarDate
  /// The greatest readable revision of the day (R41); nil if there is none.
  public let latest: StoredRevision?
  /// The pointer as it was read.
  public let pointer: PointerReading
  /// Newer revisions that were skipped because they are not readable, newest first.
  public let rejected: [RejectedRevision]

  /// True if nothing was ever published for the date: it has no revision, and no pointer that names
  /// one, which counts even if it is gone.
  package var isMissing: Bool { latest == nil && rejected.isEmpty }

  /// True if the pointer does not name the revision in `latest`.
  public var pointerDisagrees: Bool { pointer.revisionID != latest?.id }
}

/// A readable revision in the store.
public struct StoredRevision: Hashable, Sendable {
  /// The id in the object's key.
  public let id: RevisionID
  /// The document, as far as it can be read.
  public let revision: DailyRevision
  /// The object's bytes, as stored.
  public let body: [UInt8]
  /// When it was written according to the store, in seconds since 1970.
  public let lastModified: Int?
  /// The rules that it breaks although it is readable, with its boundaries taken as written; empty
  /// if it conforms (R41).
  public let violations: [Violation]
  /// JSON pointers of members that this version does not know (R14).
  public let notes: [String]
  /// True if its bytes are the canonical form of `revision` and show no breach of a rule.
  let isCanonical: Bool

  /// True if its digest shows that it is not what was written (R60): whoever shows its numbers says so.
  package var isDamaged: Bool { violations.contains { $0.rule == "R60" } }
}

/// A revision that was rejected, and why.
public struct RejectedRevision: Hashable, Sendable {
  /// The id in the object's key.
  public let id: RevisionID
  /// Why it was rejected.
  public let reason: Reason

  /// Why a revision was rejected.
  public enum Reason: Hashable, Sendable {
    /// The pointer names it, but there is no such object.
    case missing
    /// It is not readable (R41). Lists what is wrong, beginning with what prevents reading it.
    case invalid([Violation])
  }
}
