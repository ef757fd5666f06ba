import HealthModel

/// Reads JSON of the usual form where it stands, without making values of it.
///
/// It knows less than `JSONValue`: no escapes in strings, nothing nested where a value is read. For
/// what it does not know it returns nil. Then the general reader reads the same bytes, and says what
/// is wrong with them, if anything is. What it does read, both read alike.
struct PlainJSON {
  let bytes: [UInt8]
  /// The next byte.
  var offset: Int
  /// Where the bytes to read end.
  let end: Int

  init(_ bytes: [UInt8], in range: Range<Int>) {
    (self.bytes, offset, end) = (bytes, range.lowerBound, range.upperBound)
  }

  /// A value that is neither an array nor an object.
  enum Value {
    /// Without its quotes; well-formed UTF-8 that JSON spells as it is.
    case text(Range<Int>)
    case number(PlainNumber)
    case bool(Bool)
    case null
  }

  /// Steps over blanks, and over a byte if it is next.
  mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard offset < end, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  mutating func skipBlanks() {
    while offset < end, case let byte = bytes[offset], byte <= 0x20,
      byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    {
      offset += 1
    }
  }

  /// Steps over a text that is next, byte for byte.
  mutating func skip(_ text: String) -> Bool {
    let count = text.utf8.count
    guard offset + count <= end, bytes[offset..<(offset + count)].elementsEqual(text.utf8) else {
      return false
    }
    offset += count
    return true
  }

  /// A key and the colon after it. Keys are of ASCII: others may be equal and have other bytes.
  mutating func key() -> Range<Int>? {
    skipBlanks()
    guard let key = text(), !hasHighBytes, take(UInt8(ascii: ":")) else { return nil }
    return key
  }

  /// Whether the last text has bytes beyond ASCII.
  private var hasHighBytes = false

  /// A string, from its opening quote on.
  mutating func text() -> Range<Int>? {
    guard offset < end, bytes[offset] == UInt8(ascii: "\"") else { return nil }
    let start = offset + 1
    guard let (place, bits) = bytes.span.plainText(from: start, to: end) else { return nil }
    hasHighBytes = bits >= 0x80
    if hasHighBytes, String(validating: bytes[start..<place], as: UTF8.self) == nil { return nil }
    offset = place + 1
    return start..<place
  }

  /// The next value.
  mutating func value() -> Value? {
    skipBlanks()
    guard offset < end else { return nil }
    switch bytes[offset] {
    case UInt8(ascii: "\""): return text().map { .text($0) }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    case UInt8(ascii: "t"): return literal([0x74, 0x72, 0x75, 0x65]) ? .bool(true) : nil
    case UInt8(ascii: "f"): return literal([0x66, 0x61, 0x6C, 0x73, 0x65]) ? .bool(false) : nil
    case UInt8(ascii: "n"): return literal([0x6E, 0x75, 0x6C, 0x6C]) ? .null : nil
    default: return nil
    }
  }

  private mutating func literal(_ word: [UInt8]) -> Bool {
    guard offset + word.count <= end, bytes[offset..<(offset + word.count)].elementsEqual(word)
    else { return false }
    offset += word.count
    return true
  }

  private mutating func number() -> Value? {
    guard let number = PlainNumber(bytes, from: offset, to: end) else { return nil }
    offset = number.place.upperBound
    return .number(number)
  }

  /// Whether a range has the bytes of a text.
  func `is`(_ range: Range<Int>, _ text: String) -> Bool {
    range.count == text.utf8.count && bytes[range].elementsEqual(text.utf8)
  }

  /// The text of a range.
  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Writes a value as canonical JSON.
  func write(_ value: Value, to target: inout [UInt8]) {
    switch value {
    case .text(let range): quote(range, to: &target)
    case .number(let number): _ = number.write(roundedTo: nil, to: &target)
    case .bool(let flag): target += (flag ? "true" : "false").utf8
    case .null: target += "null".utf8
    }
  }

  /// Writes a text with the quotes around it.
  func quote(_ range: Range<Int>, to target: inout [UInt8]) {
    target += bytes[(range.lowerBound - 1)..<(range.upperBound + 1)]
  }
}

extension Span<UInt8> {
  /// The place of a string's closing quote, and the bits that are set in any of its bytes; nil if it
  /// has an escape or a control character, or does not end.
  func plainText(from start: Int, to end: Int) -> (end: Int, bits: UInt8)? {
    var (place, bits) = (start, UInt8(0))
    while place < end {
      let byte = self[place]
      if byte == UInt8(ascii: "\"") { return (place, bits) }
      guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return nil }
      bits |= byte
      place += 1
    }
    return nil
  }

  /// Whether two ranges have the same bytes.
  func isEqual(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    guard a != b else { return true }
    guard a.count == b.count else { return false }
    let (a, b) = (extracting(a), extracting(b))
    // Without an early exit the compiler can compare many bytes at a time.
    var differences = UInt8(0)
    for place in a.indices { differences |= a[place] ^ b[place] }
    return differences == 0
  }
  /// Whether the bytes of a range sort before those of another.
  func precedes(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    for offset in 0..<min(a.count, b.count) {
      let (x, y) = (self[a.lowerBound + offset], self[b.lowerBound + offset])
      if x != y { return x < y }
    }
    return a.count < b.count
  }
}

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
