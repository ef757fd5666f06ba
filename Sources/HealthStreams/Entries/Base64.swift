/// The form of base64 text (RFC 4648, sections 4 and 5).
enum Base64 {
  /// Whether the text is padded base64 without blanks, in the standard alphabet or the one for URLs,
  /// which 003's own example uses.
  static func isValid(_ text: String) -> Bool {
    var rest = text.utf8[...]
    guard rest.count.isMultiple(of: 4) else { return false }
    for _ in 0..<2 where rest.last == UInt8(ascii: "=") { rest.removeLast() }
    return rest.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
