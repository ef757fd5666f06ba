import HealthModel

/// A number of JSON as it is spelled, and the double that is nearest to it.
///
/// A number of at most 15 digits and no exponent is known by its digits: no two of them give one
/// double, so its digits without zeros at the end are the shortest ones that give this double. They
/// are rounded and written without going through the double (R13, R44).
struct PlainNumber {
  /// Where it stands.
  let place: Range<Int>
  let value: Double
  private let isNegative: Bool
  /// The digits as a whole number, and how many of them stand after the point; nil where there are
  /// more than 15, or an exponent.
  private let decimal: (digits: Int, places: Int)?

  /// The number that begins at an offset; nil if none does, or one beyond the range of a double.
  init?(_ bytes: [UInt8], from start: Int, to end: Int) {
    var offset = start
    func digit() -> Int? {
      guard offset < end, case let byte = bytes[offset], byte >= 0x30, byte <= 0x39 else {
        return nil
      }
      return Int(byte &- 0x30)
    }
    func stands(_ byte: UInt8) -> Bool { offset < end && bytes[offset] == byte }
    isNegative = stands(UInt8(ascii: "-"))
    if isNegative { offset += 1 }
    var (digits, count, places) = (0, 0, 0)
    guard let first = digit() else { return nil }
    offset += 1
    (digits, count) = (first, 1)
    if first != 0 {
      while let next = digit() {
        if count < 16 { digits = digits * 10 + next }
        count += 1
        offset += 1
      }
    }
    if stands(UInt8(ascii: ".")) {
      offset += 1
      let point = offset
      while let next = digit() {
        if count < 16 { digits = digits * 10 + next }
        count += 1
        offset += 1
      }
      places = offset - point
      guard places > 0 else { return nil }
    }
    var hasExponent = false
    if stands(UInt8(ascii: "e")) || stands(UInt8(ascii: "E")) {
      hasExponent = true
      offset += 1
      if stands(UInt8(ascii: "+")) || stands(UInt8(ascii: "-")) { offset += 1 }
      guard digit() != nil else { return nil }
      while digit() != nil { offset += 1 }
    }
    place = start..<offset
    if count <= 15, !hasExponent {
      decimal = (digits, places)
      // Both are exact, so their quotient is the nearest double.
      let magnitude = Double(digits) / Double(Self.powers[places])
      value = isNegative ? -magnitude : magnitude
    } else {
      decimal = nil
      guard let number = Double(String(decoding: bytes[start..<offset], as: UTF8.self)),
        number.isFinite
      else { return nil }
      value = number
    }
  }

  /// Writes the number as canonical JSON.
  ///
  /// - Parameter places: to how many places after the point it is rounded, as `ValueNormalisation`
  ///   does; nil for all.
  /// - Returns: the number that was written; minus zero is written as zero.
  func write(roundedTo places: Int?, to target: inout [UInt8]) -> Double {
    guard let decimal, decimal.digits == 0 || value.magnitude >= 0.001 else {
      let rounded = places.map { ValueNormalisation.rounded(value, to: $0) } ?? value
      target += JSONValue.number(rounded).canonicalBytes
      return rounded == 0 ? 0 : rounded
    }
    var (digits, scale) = (decimal.digits, decimal.places)
    if let places, scale > places {
      let dropped = Self.powers[scale - places]
      let rounded = digits / dropped + (digits % dropped >= dropped / 2 ? 1 : 0)
      if rounded != 0 { (digits, scale) = (rounded, places) }
    }
    while scale > 0, digits % 10 == 0 { (digits, scale) = (digits / 10, scale - 1) }
    guard digits > 0 else {
      target.append(UInt8(ascii: "0"))
      return 0
    }
    if isNegative { target.append(UInt8(ascii: "-")) }
    Self.write(digits / Self.powers[scale], width: 1, to: &target)
    if scale > 0 {
      target.append(UInt8(ascii: "."))
      Self.write(digits % Self.powers[scale], width: scale, to: &target)
    }
    let magnitude = Double(digits) / Double(Self.powers[scale])
    return isNegative ? -magnitude : magnitude
  }

  /// Writes a whole number in decimal, with zeros before it up to a width.
  static func write(_ value: Int, width: Int, to target: inout [UInt8]) {
    var (rest, count) = (value, 1)
    while rest >= 10 { (rest, count) = (rest / 10, count + 1) }
    count = max(count, width)
    let start = target.count
    for _ in 0..<count { target.append(0x30) }
    rest = value
    var place = start + count - 1
    while rest > 0 {
      target[place] = 0x30 + UInt8(rest % 10)
      (rest, place) = (rest / 10, place - 1)
    }
  }

  /// The powers of ten from 0 to 15.
  private static let powers = (0...15).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}
