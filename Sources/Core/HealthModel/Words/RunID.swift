import Foundation

/// One run of a program that published days: what it said is known by it, and can be withdrawn as a whole (R20).
///
/// A name of this program's sorts by its moment: seven characters of the second, two of the millisecond, two at
/// random.
public struct RunID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// 1 to 16 of `a` to `z` and `0` to `9`.
  public let rawValue: String

  /// Nil for a text that does not have the form.
  public init?(rawValue: String) {
    guard (1...16).contains(rawValue.utf8.count),
      rawValue.utf8.allSatisfy({
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
      })
    else { return nil }
    self.rawValue = rawValue
  }

  /// A run that begins at a moment.
  public init(at moment: Timestamp) {
    let seconds = Self.text(max(0, moment.secondsSince1970), Self.secondsDigits)
    rawValue = seconds + Self.text(Int(Self.entropy), Self.length - Self.secondsDigits)
  }

  /// The clock's milliseconds, and ten bits at random.
  private static var entropy: UInt32 {
    let seconds = Date().timeIntervalSince1970
    return UInt32((seconds - seconds.rounded(.down)) * 1000) << 10 | UInt32.random(in: 0..<1024)
  }

  /// When it began, by its machine's clock; nil for a name that another program gave.
  package var moment: Timestamp? {
    guard rawValue.utf8.count == Self.length else { return nil }
    var seconds = 0
    for character in rawValue.utf8.prefix(Self.secondsDigits) {
      guard let digit = Self.digits.firstIndex(of: character) else { return nil }
      seconds = seconds << 5 | digit
    }
    return Timestamp(secondsSince1970: seconds)
  }

  /// The name.
  public var description: String { rawValue }

  /// The one that began earlier sorts first.
  public static func < (a: RunID, b: RunID) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }

  private static let (length, secondsDigits) = (11, 7)
  /// Those that nobody takes for another, ascending.
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// The last digits of a number.
  private static func text(_ number: Int, _ count: Int) -> String {
    String(
      decoding: (0..<count).reversed().map { digits[number >> (5 * $0) & 31] }, as: UTF8.self)
  }
}
