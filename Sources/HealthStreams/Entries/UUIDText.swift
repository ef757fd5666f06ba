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
}
