public import HealthModel

/// What resolving a date found (R30, R31).
public struct Resolution: Hashable, Sendable {
  /// The date resolved.
  public let date: CalendarDate
  /// The greatest readable revision of the day (R41); nil where there is none.
  public let latest: StoredRevision?
  /// The pointer as it was read.
  public let pointer: PointerReading
  /// Newer revisions that were passed over because they are not readable, newest first.
  public let rejected: [RejectedRevision]

  /// True where the pointer names a revision that is not the answer.
  public var pointerDisagrees: Bool { pointer.revisionID != latest?.id }
}

/// A readable revision as it lies in the store.
public struct StoredRevision: Hashable, Sendable {
  /// The id in the object's key.
  public let id: RevisionID
  /// The document, as far as it can be understood.
  public let revision: DailyRevision
  /// The object's bytes, as stored.
  public let body: [UInt8]
  /// When the store says that it was written, in seconds since 1970.
  public let lastModified: Int?
  /// What it breaks all the same, its boundaries taken as written; empty where it conforms (R41).
  public let violations: [Violation]
  /// JSON pointers of members that this version does not know (R14).
  public let notes: [String]
}

/// A revision that is no answer, and why.
public struct RejectedRevision: Hashable, Sendable {
  /// The id in the object's key.
  public let id: RevisionID
  /// Why it is no answer.
  public let reason: Reason

  /// Why a revision was passed over.
  public enum Reason: Hashable, Sendable {
    /// The pointer names it, and there is no such object.
    case missing
    /// It is not readable (R41); what is wrong with it, what hides it first.
    case invalid([Violation])
  }
}
