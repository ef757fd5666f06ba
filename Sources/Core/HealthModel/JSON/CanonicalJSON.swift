import ContentDigests
import Foundation

extension JSONValue {
  /// The canonical bytes (RFC 8785, R13): keys sorted, no blanks, shortest numbers; the same value
  /// gives the same bytes on every machine.
  ///
  /// A number that is not finite, which no parsed text holds, is written as `null`.
  public var canonicalBytes: [UInt8] {
    var writer = CanonicalJSON()
    writer.append(self)
    return writer.bytes
  }
}

/// Writes values as the JSON Canonicalization Scheme does.
struct CanonicalJSON {
  var bytes: [UInt8] = []

  /// Room for a revision or a pointer, so that writing one seldom moves it.
  init() { bytes.reserveCapacity(1536) }

  mutating func append(_ value: JSONValue) {
    switch value {
    case .null: append(ascii: "null")
    case .bool(let flag): append(ascii: flag ? "true" : "false")
    case .number(let number): append(number)
    case .string(let text): append(text)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      let sorted = Self.sorted(members)
      for (index, member) in sorted.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(member.key)
        bytes.append(UInt8(ascii: ":"))
        append(member.value)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Writes text that is JSON already.
  mutating func append(ascii text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes a number; as `null` if it is not finite.
  mutating func append(_ number: Double) {
    if (0..<9_007_199_254_740_992).contains(number), let whole = Int(exactly: number) {
      Digits.append(whole, width: 1, to: &bytes)
    } else {
      append(ascii: Self.text(of: number))
    }
  }

  /// Writes `uuidString`, without its quotes. That property takes ten times as long, and every
  /// revision has two of them.
  mutating func append(_ id: UUID) {
    let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = id.uuid
    for (place, byte) in [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p].enumerated() {
      if place == 4 || place == 6 || place == 8 || place == 10 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(Hex.upperDigit(byte >> 4))
      bytes.append(Hex.upperDigit(byte & 15))
    }
  }

  mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    guard text.utf8.contains(where: Self.needsEscape) else { return append(ascii: text) }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append(ascii: "\\\"")
      case UInt8(ascii: "\\"): append(ascii: "\\\\")
      case 0x08: append(ascii: "\\b")
      case 0x09: append(ascii: "\\t")
      case 0x0A: append(ascii: "\\n")
      case 0x0C: append(ascii: "\\f")
      case 0x0D: append(ascii: "\\r")
      case 0..<0x20: append(ascii: "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Members in the scheme's order: by the UTF-16 code units of their keys.
  private static func sorted(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
    // UTF-8 gives the same order, and faster, but for U+E000 and above: surrogates come first.
    if members.keys.contains(where: { key in key.utf8.contains { $0 >= 0xEE } }) {
      return members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
    }
    return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  /// A finite number as ECMAScript's `Number.prototype.toString` spells it.
  static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    guard number != 0 else { return "0" }
    if let whole = Int(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
    // The standard library prints the shortest digits that round-trip, nearest the true value, and
    // both spell a fraction of this size alike.
    if (0.001...1e15).contains(number.magnitude) { return number.description }
    let sign = number < 0 ? "-" : ""
    let (digits, point) = shortestDigits(number.magnitude.description)
    let count = digits.utf8.count
    if point > 21 || point < -5 {
      let exponent = point - 1
      let fraction = count > 1 ? "." + digits.dropFirst() : ""
      return sign + digits.prefix(1) + fraction + "e" + (exponent < 0 ? "-" : "+")
        + String(exponent.magnitude)
    }
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    if point >= count { return sign + digits + String(repeating: "0", count: point - count) }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }

  /// The digits of a spelled number, and where the decimal point stands after the first of them:
  /// 1500.0 is ("15", 4), 0.01 is ("1", -1).
  private static func shortestDigits(_ spelled: String) -> (digits: String, point: Int) {
    let parts = spelled.split(separator: "e", maxSplits: 1)
    let mantissa = parts[0].split(separator: ".", maxSplits: 1)
    let whole = mantissa[0]
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let all = String(whole + fraction)
    let leadingZeros = all.utf8.prefix { $0 == UInt8(ascii: "0") }.count
    var digits = all.dropFirst(leadingZeros)
    while digits.last == "0" { digits.removeLast() }
    return (String(digits), whole.utf8.count - leadingZeros + exponent)
  }
}
