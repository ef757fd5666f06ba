/// The name of a person in a store that many share (SPEC R64).
///
/// It is a part of keys, file names and logs as it stands, with nothing to escape. Upper case is
/// left out, because on a disk that ignores case `Ann` and `ann` would be one folder.
public struct PersonID: Hashable, Comparable, Sendable {
  /// The id as text.
  public let rawValue: String

  /// The most bytes of an id.
  static let maximumBytes = 63

  /// What an id may be, for messages.
  public static let form =
    "1 to 63 of the characters a-z, 0-9, - and _, beginning with a letter or a digit"

  /// The id, or nil if the text has another form.
  public init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    guard (1...Self.maximumBytes).contains(bytes.count), let first = bytes.first,
      Self.isLetterOrDigit(first), bytes.allSatisfy(Self.isAllowed)
    else { return nil }
    rawValue = String(text)
  }

  /// The id that somebody has typed.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if it has another form.
  public init(checking text: String) throws(LedgerError) {
    guard let id = PersonID(text) else {
      throw LedgerError(
        .invalidArguments, "\"\(text.prefix(Self.maximumBytes + 1))\" can't be the id of a person",
        rule: "R64", remedy: .text("use \(Self.form)"))
    }
    self = id
  }

  /// Compares bytes. Stores list `ann-1/` before `ann/`, because they compare whole prefixes.
  public static func < (a: PersonID, b: PersonID) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}

extension PersonID: CustomStringConvertible {
  /// The id as text.
  public var description: String { rawValue }
}

extension LedgerLayout {
  /// The prefix of all people of the store: `{prefix}people/`.
  package var peoplePrefix: String { prefix + "people/" }

  /// The layout of a person's own store: all keys are below `{prefix}people/{id}/`.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if the prefix leaves no room for the keys (R17).
  public func person(_ id: PersonID) throws(LedgerError) -> LedgerLayout {
    try LedgerLayout(prefix: peoplePrefix + id.rawValue)
  }
}
