public import HealthModel
public import ObjectStore

/// The keys of a ledger's objects: every key is a function of prefix, date and id (SPEC R5).
public struct LedgerLayout: Hashable, Sendable {
  /// The part before `health/v0/`: empty, or segments that end in `/`.
  public let prefix: String

  /// The layout at the root of a store.
  public static let root = LedgerLayout(normalised: "")

  private init(normalised: String) { prefix = normalised }

  /// The layout below `prefix`, with or without a final `/`.
  ///
  /// - Throws: `LedgerError` (INVALID_ARGUMENTS) if some store could not hold the keys (R17).
  public init(prefix: String = "") throws(LedgerError) {
    var trimmed = prefix[...]
    while trimmed.hasSuffix("/") { trimmed.removeLast() }
    let normalised = trimmed.isEmpty ? "" : trimmed + "/"
    guard ObjectKey(normalised + Self.longestTail) != nil else {
      let (reason, remedy) = Self.refusal(of: trimmed)
      throw LedgerError(
        .invalidArguments,
        "the prefix \"\(prefix.prefix(100))\" can't begin an object key: \(reason)",
        rule: "R17", remedy: remedy)
    }
    self.prefix = normalised
  }

  /// The most bytes of a prefix. With it, the longest key of the layout has 1,024 bytes.
  static let maximumPrefixBytes = 1024 - 1 - longestTail.utf8.count

  /// Why stores can't hold keys with this prefix, and what to do (R17); nil if they can.
  private static func refusal(of prefix: Substring) -> (reason: String, remedy: LedgerError.Remedy)
  {
    let parts = prefix.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.contains(where: {
      $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
    }) {
      return ("a part of it is empty, \".\" or \"..\"", "put names between single slashes")
    }
    if let long = parts.first(where: { $0.count > 255 }) {
      return (
        "a part of it has \(long.count) bytes; at most 255 are allowed",
        "use shorter names between the slashes"
      )
    }
    if prefix.utf8.count > maximumPrefixBytes {
      return (
        "it has \(prefix.utf8.count) bytes; at most \(maximumPrefixBytes) are allowed",
        "use a shorter prefix"
      )
    }
    return ("it holds a control character", "leave control characters out")
  }

  /// The key of a revision.
  public func revisionKey(_ date: CalendarDate, _ id: RevisionID) -> ObjectKey {
    var text = revisionsPrefix(date)
    text += id.rawValue
    text += ".json"
    return key(text)
  }

  /// The key of a day's pointer.
  public func pointerKey(_ date: CalendarDate) -> ObjectKey {
    key(dayPrefix(date) + "latest.json")
  }

  /// The prefix of all keys of a day: `{prefix}health/v0/data/YYYY/MM/DD/`.
  public func dayPrefix(_ date: CalendarDate) -> String {
    var text = ""
    // With room for the rest of a key.
    text.reserveCapacity(prefix.utf8.count + 80)
    text += prefix
    text += "health/v0/data/"
    text += date.parts(joinedBy: "/")
    text += "/"
    return text
  }

  /// The prefix of all keys of a day's revisions.
  public func revisionsPrefix(_ date: CalendarDate) -> String {
    var text = dayPrefix(date)
    text += "revisions/"
    return text
  }

  /// Whether revisions of a day are below this path, given without a final slash.
  func lies(_ date: CalendarDate, below path: String) -> Bool {
    revisionsPrefix(date).utf8.starts(with: (path + "/").utf8)
  }

  /// The first date of which something at this path may hide a revision, because it stands in the
  /// place of a revision, of `revisions` or of a folder above; nil if it hides none (R29).
  func firstDate(hiddenAt path: String) -> CalendarDate? {
    if case .revision(let date, _) = member(path) { return date }
    let folders = path.utf8.dropFirst(dataPrefix.utf8.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).prefix(3).map { String(Substring($0)) }
    // The first month of a year and the first day of a month.
    let text = (folders + ["01", "01"]).prefix(3).joined(separator: "-")
    guard let date = CalendarDate(text), lies(date, below: path) else { return nil }
    return date
  }

  /// What a key says if it lies in a copy of a year's, month's or day's folder; nil if in none.
  func folderCopy(_ key: String) -> FolderCopy? {
    guard key.utf8.starts(with: dataPrefix.utf8) else { return nil }
    return FolderCopy(path: String(Substring(key.utf8.dropFirst(dataPrefix.utf8.count))))
  }

  /// The prefix of all keys of the ledger.
  public var dataPrefix: String { prefix + "health/v0/data/" }

  /// The prefix of all objects of health/v0.
  var versionPrefix: String { prefix + "health/v0/" }

  /// The folder for probing a store, in which objects are created and removed (R28); without a
  /// final slash.
  package var probePrefix: String { versionPrefix + ".probe" }

  /// What the keys begin with under which a diagnosis tries what a publish does among the days (R28).
  package var checkPrefix: String { dataPrefix + ".check" }

  /// The meaning of a key below `dataPrefix`.
  public enum Member: Hashable, Sendable {
    /// A revision of a date.
    case revision(CalendarDate, RevisionID)
    /// A date's `latest.json`.
    case pointer(CalendarDate)
    /// An object that is not part of the layout, with its day if it is below one.
    case foreign(CalendarDate?)

    /// The day to which the key belongs, if there is one.
    var date: CalendarDate? {
      switch self {
      case .revision(let date, _), .pointer(let date): date
      case .foreign(let date): date
      }
    }
  }

  /// Parses a listed key; nil for a key outside `dataPrefix`.
  ///
  /// It compares bytes, as stores do: two spellings of one character are two keys.
  public func member(_ key: String) -> Member? {
    let bytes = key.utf8
    guard bytes.starts(with: dataPrefix.utf8) else { return nil }
    let parts = bytes.dropFirst(dataPrefix.utf8.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count >= 3, let date = Self.date(parts[0], parts[1], parts[2]) else {
      return .foreign(nil)
    }
    if parts.count == 4, parts[3].elementsEqual("latest.json".utf8) { return .pointer(date) }
    if parts.count == 5, parts[3].elementsEqual("revisions".utf8),
      parts[4].suffix(5).elementsEqual(".json".utf8),
      let id = RevisionID(Substring(parts[4].dropLast(5)))
    {
      return .revision(date, id)
    }
    return .foreign(date)
  }

  private static func date(
    _ year: Substring.UTF8View, _ month: Substring.UTF8View, _ day: Substring.UTF8View
  ) -> CalendarDate? {
    CalendarDate("\(Substring(year))-\(Substring(month))-\(Substring(day))")
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
