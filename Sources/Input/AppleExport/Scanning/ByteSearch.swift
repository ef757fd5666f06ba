#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A place in a chunk of an export.
///
/// A pointer and not an index into a span: chunks are C buffers that `read(2)` and zlib fill, a tag
/// is looked at millions of times a second, and every read lies below the end that goes with it.
/// The fuzzer runs this code under the address sanitizer.
typealias Place = UnsafePointer<UInt8>

/// Looks for bytes eight at a time.
enum ByteSearch {
  /// The eight bytes at a place, the first in the lowest bits; all eight must lie in the chunk.
  @inline(__always)
  static func word(at place: Place) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
  }

  /// The first place that holds one of two bytes; `end` if none does.
  @inline(__always)
  static func first(_ one: UInt8, or other: UInt8, from start: Place, to end: Place) -> Place {
    var place = start
    let ones = UInt64(one) &* lowBits
    let others = UInt64(other) &* lowBits
    while end - place >= 8 {
      let word = word(at: place)
      let found = zeroBytes(word ^ ones) | zeroBytes(word ^ others)
      if found != 0 { return place + found.trailingZeroBitCount >> 3 }
      place += 8
    }
    while place < end, place.pointee != one, place.pointee != other { place += 1 }
    return place
  }

  /// The first place that holds a byte; `end` if none does.
  @inline(__always)
  static func first(_ byte: UInt8, from start: Place, to end: Place) -> Place {
    // Between tags stand two or three bytes, for which a call would cost more than it saves.
    var place = start
    let near = min(end - start, 8)
    while place < start + near {
      if place.pointee == byte { return place }
      place += 1
    }
    guard place < end, let found = memchr(place, Int32(byte), end - place) else { return end }
    return Place(found.assumingMemoryBound(to: UInt8.self))
  }

  private static var lowBits: UInt64 { 0x0101_0101_0101_0101 }
  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// The high bit of every zero byte; above the lowest one there may be others, never below.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- lowBits) & ~word & highBits
  }
}

/// The bytes that markup is made of.
enum Mark {
  static let less = UInt8(ascii: "<")
  static let greater = UInt8(ascii: ">")
  static let slash = UInt8(ascii: "/")
  static let equals = UInt8(ascii: "=")
  static let quote = UInt8(ascii: "\"")
  static let apostrophe = UInt8(ascii: "'")
  static let bang = UInt8(ascii: "!")
  static let question = UInt8(ascii: "?")
  static let ampersand = UInt8(ascii: "&")

  /// XML's white space: space, tab, line feed, carriage return.
  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }
}
