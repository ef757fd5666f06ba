/// The document `latest.json`: the newest revision of a day that its writer knew (R15, R16).
///
/// Its bytes are a pure function of the date and the id, so equal values are equal bytes.
public struct LatestPointer: Hashable, Sendable {
  public let date: CalendarDate
  public let revisionID: RevisionID

  /// Most bytes of a stored pointer (R16).
  public static let maximumBytes = 4096

  /// The pointer of `date` to `revisionID`.
  public init(date: CalendarDate, revisionID: RevisionID) {
    (self.date, self.revisionID) = (date, revisionID)
  }

  /// The canonical bytes that are stored.
  public var encoded: [UInt8] { [] }

  /// What reading a stored pointer gave.
  public struct Decoded: Sendable {
    /// The pointer, if and only if `violations` is empty.
    public let pointer: LatestPointer?
    public let violations: [Violation]
    /// JSON pointers of members that this version does not know.
    public let notes: [String]
  }

  /// Reads and validates a stored pointer; `date` is the one in its key.
  public static func decode(_ bytes: [UInt8], date: CalendarDate? = nil) -> Decoded {
    Decoded(pointer: nil, violations: [], notes: [])
  }
}
