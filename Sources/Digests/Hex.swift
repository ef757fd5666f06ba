/// Lower-case hexadecimal.
package enum Hex {
  package static func string(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (i, byte) in bytes.enumerated() {
        text[2 * i] = digit(byte >> 4)
        text[2 * i + 1] = digit(byte & 15)
      }
      return bytes.count * 2
    }
  }

  /// The ASCII digit of a value from 0 to 15.
  package static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
