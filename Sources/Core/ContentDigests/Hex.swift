/// Hexadecimal digits, as ids, digests and escapes have them.
package enum Hex {
  /// The bytes in lower case.
  package static func string(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (i, byte) in bytes.enumerated() {
        text[2 * i] = digit(byte >> 4)
        text[2 * i + 1] = digit(byte & 15)
      }
      return bytes.count * 2
    }
  }

  /// The lower-case ASCII digit of a value from 0 to 15.
  package static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// The upper-case ASCII digit of a value from 0 to 15.
  package static func upperDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// The value of an ASCII digit of either case; nil for any other byte.
  package static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
