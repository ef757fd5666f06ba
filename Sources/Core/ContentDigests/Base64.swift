/// Base64 as RFC 4648 has it, sections 4 and 5.
package enum Base64 {
  /// Padded.
  package static func encode(_ bytes: [UInt8]) -> String { encode(bytes, letters + [0x2B, 0x2F]) }

  /// Padded, in the alphabet for URLs.
  package static func encodeForURL(_ bytes: [UInt8]) -> String {
    encode(bytes, letters + [0x2D, 0x5F])
  }

  /// Letters and digits, the first 62 of either alphabet.
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  private static func encode(_ bytes: [UInt8], _ alphabet: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let padded = Array(part) + [UInt8](repeating: 0, count: 3 - part.count)
      let bits = Int(padded[0]) << 16 | Int(padded[1]) << 8 | Int(padded[2])
      for place in 0..<4 {
        text.append(
          place <= part.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of text in the standard alphabet, padded or not; nil for anything else.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    var isPadding = false
    for byte in text {
      if byte == UInt8(ascii: "=") {
        isPadding = true
        continue
      }
      guard !isPadding, let value = value(byte), byte != UInt8(ascii: "-"),
        byte != UInt8(ascii: "_")
      else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  /// Whether the text is padded base64 without blanks, in the standard alphabet or the one for URLs,
  /// which clients use too.
  package static func isValid(_ text: String) -> Bool {
    var rest = text.utf8[...]
    guard rest.count.isMultiple(of: 4) else { return false }
    for _ in 0..<2 where rest.last == UInt8(ascii: "=") { rest.removeLast() }
    return rest.allSatisfy { value($0) != nil }
  }

  /// What a character of either alphabet stands for.
  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
