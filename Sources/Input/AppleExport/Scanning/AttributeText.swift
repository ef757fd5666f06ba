/// What an attribute says, its references resolved and its white space made spaces, as XML asks.
///
/// A reference to an entity that a document type declares is left as written: nothing is expanded,
/// so the text is never longer than its source.
struct AttributeText {
  private(set) var bytes: [UInt8]

  init(_ raw: RawText) {
    let source = raw.bytes
    bytes = []
    bytes.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
      let byte = source[index]
      if byte == Mark.ampersand, let length = append(referenceAt: index, in: source) {
        index += length
        continue
      }
      // A line break of two bytes is one.
      let isPair = byte == 0x0D && index + 1 < source.count && source[index + 1] == 0x0A
      bytes.append(Mark.isSpace(byte) ? 0x20 : byte)
      index += isPair ? 2 : 1
    }
  }

  /// Invalid UTF-8 becomes U+FFFD.
  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The attribute's text, looked at as raw text without references.
  func withRawText<Result>(_ body: (RawText) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { body(RawText(start: $0.baseAddress, count: $0.count)) }
  }

  /// Resolves the reference that begins at an index and returns its length; nil if it is not one.
  private mutating func append(
    referenceAt index: Int, in source: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    let limit = min(source.count, index + Self.longestReference)
    guard
      let end = source[index..<limit].firstIndex(of: UInt8(ascii: ";")), end > index + 1
    else { return nil }
    let name = source[(index + 1)..<end]
    if let byte = Self.predefined(name) {
      bytes.append(byte)
    } else if let scalar = Self.scalar(name) {
      bytes.append(contentsOf: Array(String(scalar).utf8))
    } else {
      return nil
    }
    return end + 1 - index
  }

  /// Longer than any reference that a program writes: `&#x0010FFFF;`.
  private static var longestReference: Int { 16 }

  private static func predefined(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> UInt8? {
    func named(_ literal: StaticString) -> Bool {
      name.elementsEqual(UnsafeBufferPointer(start: literal.utf8Start, count: name.count))
    }
    switch name.count {
    case 2: return named("lt") ? Mark.less : named("gt") ? Mark.greater : nil
    case 3: return named("amp") ? Mark.ampersand : nil
    case 4: return named("quot") ? Mark.quote : named("apos") ? Mark.apostrophe : nil
    default: return nil
    }
  }

  /// `#8217` or `#x2019`, if XML allows the character.
  private static func scalar(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
    guard name.first == UInt8(ascii: "#") else { return nil }
    let isHexadecimal = name.dropFirst().first == UInt8(ascii: "x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard !digits.isEmpty else { return nil }
    var number: UInt32 = 0
    for digit in digits {
      guard let digit = Character(Unicode.Scalar(digit)).hexDigitValue,
        isHexadecimal || digit < 10, number <= 0x10FFFF
      else { return nil }
      number = number * (isHexadecimal ? 16 : 10) + UInt32(digit)
    }
    guard number >= 0x20 || number == 9 || number == 10 || number == 13, number != 0xFFFE,
      number != 0xFFFF
    else { return nil }
    return Unicode.Scalar(number)
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Part of a tag as it stands in the file, its references not resolved.
///
/// Valid only while the chunk it points into is scanned; absent if `start` is nil.
struct RawText {
  var start: Place?
  var count: Int

  static var absent: RawText { RawText(start: nil, count: 0) }

  @inline(__always)
  init(start: Place?, count: Int) { (self.start, self.count) = (start, count) }

  @inline(__always)
  init(_ start: Place, to end: Place) { (self.start, self.count) = (start, end - start) }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  /// Whether this is the literal, byte for byte.
  @inline(__always)
  func equals(_ literal: StaticString) -> Bool {
    guard let start, count == literal.utf8CodeUnitCount else { return false }
    return memcmp(start, literal.utf8Start, count) == 0
  }

  /// Whether this begins with the literal.
  @inline(__always)
  func starts(with literal: StaticString) -> Bool {
    guard let start, count >= literal.utf8CodeUnitCount else { return false }
    return memcmp(start, literal.utf8Start, literal.utf8CodeUnitCount) == 0
  }

  func ends(with literal: StaticString) -> Bool {
    count >= literal.utf8CodeUnitCount
      && dropping(count - literal.utf8CodeUnitCount).equals(literal)
  }

  /// What follows the first `length` bytes.
  @inline(__always)
  func dropping(_ length: Int) -> RawText {
    RawText(start: start.map { $0 + min(length, count) }, count: max(0, count - length))
  }

  /// Up to 16 bytes as one number; nil if there are more.
  @inline(__always)
  var packed: UInt128? {
    guard let start, count <= 16 else { return nil }
    var packed: UInt128 = 0
    for index in 0..<count { packed = packed << 8 | UInt128(start[index]) }
    return packed
  }

  /// Whether there is anything to decode.
  var holdsReference: Bool { bytes.contains(Mark.ampersand) }
}

/// Whether two stretches of one length hold the same bytes; empty ones do, be they absent.
@inline(__always)
func compareBytes(_ one: UnsafeRawPointer?, _ other: UnsafeRawPointer, _ count: Int) -> Bool {
  guard let one, count > 0 else { return true }
  return memcmp(one, other, count) == 0
}
