import ContentDigests

/// The name of one immutable revision: `YYYYMMDDTHHMMSSZ-` and 6 to 233 hex digits (R6).
///
/// Lexicographic order of the bytes is age order; ids of one second are ordered by their suffix, in
/// which every lower-case letter comes after every upper-case one.
public struct RevisionID: Hashable, Comparable, Sendable {
  /// The id as it stands in keys and pointers; always ASCII.
  public let rawValue: String
  /// The moment that the id carries.
  public let timestamp: Timestamp

  /// Fewest and most hex digits of a suffix; with `.json` the most make a name of 255 bytes, which
  /// is all that a part of a key may have (R17).
  public static let suffixLength = 6...233

  /// Parses an id; nil if it breaks R6, for example by a date that does not exist.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 17 + Self.suffixLength.lowerBound,
      bytes.count <= 17 + Self.suffixLength.upperBound,
      bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z"),
      bytes[16] == UInt8(ascii: "-"), bytes[17...].allSatisfy({ Hex.value($0) != nil }),
      let year = Digits.value(bytes[0..<4]), let month = Digits.value(bytes[4..<6]),
      let day = Digits.value(bytes[6..<8]),
      let date = CalendarDate(year: year, month: month, day: day),
      let clock = Timestamp.clock(bytes[9..<11], bytes[11..<13], bytes[13..<15])
    else { return nil }
    self.rawValue = String(decoding: bytes, as: UTF8.self)
    self.timestamp = Timestamp(secondsSince1970: date.daysSince1970 * 86_400 + clock)
  }

  /// The id of a moment with eight hex digits from `entropy`.
  public init(at timestamp: Timestamp, entropy: UInt32) {
    let (date, seconds) = timestamp.utc
    var bytes: [UInt8] = []
    bytes.reserveCapacity(25)
    date.append(joinedBy: "", to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    Digits.append(secondsSinceMidnight: seconds, joinedBy: "", to: &bytes)
    bytes.append(contentsOf: "Z-".utf8)
    for shift in stride(from: UInt32(28), through: 0, by: -4) {
      bytes.append(Hex.upperDigit(UInt8(entropy >> shift & 15)))
    }
    self.rawValue = String(decoding: bytes, as: UTF8.self)
    self.timestamp = Timestamp(secondsSince1970: date.daysSince1970 * 86_400 + seconds)
  }

  /// An id above this one in the same second: what the calendar's last second needs, which none follows
  /// (R21). The suffix counts as a number in the order of its digits, filled with zeros, and grows by one
  /// and `step`.
  ///
  /// Nil if not even the longest suffix has room for that.
  package func next(adding step: UInt32) -> RevisionID? {
    let suffix = rawValue.utf8.dropFirst(17)
    for length in [32, Self.suffixLength.upperBound] where length >= suffix.count {
      var digits = Array(suffix) + Array(repeating: Self.digits[0], count: length - suffix.count)
      var carry = Int(step) + 1
      for place in digits.indices.reversed() {
        carry += Self.digits.firstIndex(of: digits[place]) ?? 0
        digits[place] = Self.digits[carry % Self.digits.count]
        carry /= Self.digits.count
      }
      guard carry > 0 else {
        return RevisionID(rawValue.prefix(17) + String(decoding: digits, as: UTF8.self))
      }
    }
    return nil
  }

  /// All digits of a suffix, in the order of ids.
  private static let digits = Array("0123456789ABCDEFabcdef".utf8)

  /// The older id is the lesser; by ASCII, as stores list keys.
  public static func < (a: RevisionID, b: RevisionID) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }
}

extension RevisionID: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}
