/// Reads decimal numbers as the nearest double.
enum DecimalReading {
  /// The number that `[+-]digits[.digits][e[+-]digits]` says, correctly rounded.
  ///
  /// Nil for anything else: blanks, a decimal comma, `nan`, hexadecimal digits, what no finite
  /// double is near to.
  @inline(__always)
  static func number(_ text: RawText) -> Double? {
    guard let start = text.start, text.count > 0 else { return nil }
    let end = start + text.count
    var place = start
    let isNegative = place.pointee == UInt8(ascii: "-")
    if isNegative || place.pointee == UInt8(ascii: "+") { place += 1 }
    var mantissa: UInt64 = 0
    let integer = place
    while place < end, let digit = digit(place) {
      mantissa = mantissa &* 10 &+ digit
      place += 1
    }
    var digits = place - integer
    var fraction = 0
    if place < end, place.pointee == UInt8(ascii: ".") {
      place += 1
      let from = place
      while place < end, let digit = digit(place) {
        mantissa = mantissa &* 10 &+ digit
        place += 1
      }
      fraction = place - from
      digits += fraction
    }
    guard digits > 0 else { return nil }
    // A mantissa and a power of ten that are exact give the nearest double in one division.
    guard place == end, digits <= 19, mantissa <= 1 << 53, fraction <= 22 else {
      return slowly(text, after: place)
    }
    let magnitude = Double(mantissa) / powersOfTen[fraction]
    return isNegative ? -magnitude : magnitude
  }

  /// The same by the standard library, whose reading is correctly rounded in every case.
  private static func slowly(_ text: RawText, after digits: Place) -> Double? {
    guard let start = text.start, text.count <= longest else { return nil }
    let end = start + text.count
    var place = digits
    if place < end {
      guard place.pointee | 0x20 == UInt8(ascii: "e") else { return nil }
      place += 1
      if place < end, place.pointee == UInt8(ascii: "-") || place.pointee == UInt8(ascii: "+") {
        place += 1
      }
      guard place < end else { return nil }
      while place < end {
        guard digit(place) != nil else { return nil }
        place += 1
      }
    }
    guard let number = Double(String(decoding: text.bytes, as: UTF8.self)), number.isFinite else {
      return nil
    }
    return number
  }

  /// No program writes a number of more bytes.
  private static var longest: Int { 4096 }

  @inline(__always)
  private static func digit(_ place: Place) -> UInt64? {
    let digit = place.pointee &- 0x30
    return digit <= 9 ? UInt64(digit) : nil
  }

  /// The powers of ten that a double holds exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
