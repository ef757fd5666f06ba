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

  /// Whether this ends with the literal.
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
