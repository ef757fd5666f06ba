/// The form of a UUID as text.
enum UUIDText {
  /// The UUID in lower case; nil if the text is not one.
  static func lowercased(_ text: String) -> String? {
    let lower = text.lowercased()
    guard lower.utf8.count == 36 else { return nil }
    for (place, byte) in lower.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "-"): guard [8, 13, 18, 23].contains(place) else { return nil }
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
        guard ![8, 13, 18, 23].contains(place) else { return nil }
      default: return nil
      }
    }
    return lower
  }

  /// The UUID of a number, in lower case.
  static func text(_ value: UInt128) -> String {
    var text: [UInt8] = []
    for place in 0..<32 {
      if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
      let digit = UInt8(truncatingIfNeeded: value >> (124 - 4 * UInt128(place))) & 15
      text.append(digit + (digit < 10 ? 0x30 : 0x61 - 10))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The number that a UUID of ASCII in any case spells; nil if the bytes are not one.
  static func value(_ text: Span<UInt8>) -> UInt128? {
    guard text.count == 36, [8, 13, 18, 23].allSatisfy({ text[$0] == UInt8(ascii: "-") }) else {
      return nil
    }
    var digits = UInt8(0)
    func number(_ places: Range<Int>) -> UInt64 {
      var value = UInt64(0)
      for place in places {
        // The digits are random, so the processor could not predict branches.
        let (number, letter) = (
          text[place] &- UInt8(ascii: "0"), (text[place] | 0x20) &- UInt8(ascii: "a")
        )
        let digit = number < 10 ? number : letter < 6 ? letter &+ 10 : 0xFF
        digits |= digit
        value = value << 4 | UInt64(digit & 15)
      }
      return value
    }
    let high = number(0..<8) << 32 | number(9..<13) << 16 | number(14..<18)
    let low = number(19..<23) << 48 | number(24..<36)
    return digits < 16 ? UInt128(high) << 64 | UInt128(low) : nil
  }
}
