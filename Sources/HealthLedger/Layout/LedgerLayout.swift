public import HealthModel
public import ObjectStore

/// Where the objects of a ledger lie: every key is a function of prefix, date and id (SPEC R5).
public struct LedgerLayout: Hashable, Sendable {
  /// What stands before `health/v0/`: empty, or segments that end in `/`.
  public let prefix: String

  /// The layout below `prefix`, with or without a final `/`.
  ///
  /// - Throws: `LedgerError` (INVALID_ARGUMENTS) where no store could hold the keys (R17).
  public init(prefix: String = "") throws(LedgerError) {
    var trimmed = prefix[...]
    while trimmed.hasSuffix("/") { trimmed.removeLast() }
    let normalised = trimmed.isEmpty ? "" : trimmed + "/"
    guard ObjectKey(normalised + Self.longestTail) != nil else {
      throw LedgerError(
        .invalidArguments, "the prefix \"\(prefix)\" can't stand in an object key", rule: "R17",
        remedy: "use a prefix without empty, \".\" or \"..\" segments, of at most 900 bytes")
    }
    self.prefix = normalised
  }

  /// The key of a revision.
  public func revisionKey(_ date: CalendarDate, _ id: RevisionID) -> ObjectKey {
    key(dayPrefix(date) + "revisions/\(id).json")
  }

  /// The key of a day's pointer.
  public func pointerKey(_ date: CalendarDate) -> ObjectKey {
    key(dayPrefix(date) + "latest.json")
  }

  /// What all keys of a day begin with: `{prefix}health/v0/data/YYYY/MM/DD/`.
  public func dayPrefix(_ date: CalendarDate) -> String {
    let parts = date.description.split(separator: "-")
    return "\(dataPrefix)\(parts[0])/\(parts[1])/\(parts[2])/"
  }

  /// What all keys of a day's revisions begin with.
  public func revisionsPrefix(_ date: CalendarDate) -> String {
    dayPrefix(date) + "revisions/"
  }

  /// What all keys of the ledger begin with.
  public var dataPrefix: String { prefix + "health/v0/data/" }

  /// What a key below `dataPrefix` stands for.
  public enum Member: Hashable, Sendable {
    case revision(CalendarDate, RevisionID)
    case pointer(CalendarDate)
    /// An object that the layout does not know, below the day if it lies in one.
    case foreign(CalendarDate?)
  }

  /// Reads a listed key back; nil for a key outside `dataPrefix`.
  public func member(_ key: String) -> Member? {
    guard key.hasPrefix(dataPrefix) else { return nil }
    let parts = key.dropFirst(dataPrefix.count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3, let date = CalendarDate("\(parts[0])-\(parts[1])-\(parts[2])") else {
      return .foreign(nil)
    }
    if parts.count == 4, parts[3] == "latest.json" { return .pointer(date) }
    if parts.count == 5, parts[3] == "revisions", parts[4].hasSuffix(".json"),
      let id = RevisionID(parts[4].dropLast(5))
    {
      return .revision(date, id)
    }
    return .foreign(date)
  }

  private static let longestTail =
    "health/v0/data/2000/01/01/revisions/20000101T000000Z-"
    + String(repeating: "F", count: RevisionID.suffixLength.upperBound) + ".json"

  private func key(_ text: String) -> ObjectKey {
    guard let key = ObjectKey(text) else {
      preconditionFailure("init has shown that every key of this layout is valid")
    }
    return key
  }
}
