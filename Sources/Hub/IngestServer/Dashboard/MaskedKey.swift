import ContentDigests

/// The key of a form as it stands in a page: random bytes, and the key XORed with them. Pages are
/// compressed, and a text that never changes could be guessed from their lengths (`AnswerPacking`). Pure,
/// except for the random bytes.
enum MaskedKey {
  /// The masked form, 128 hex digits, of a key of 64.
  static func masked(_ key: String) -> String {
    var generator = SystemRandomNumberGenerator()
    return masked(key, mask: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  static func masked(_ key: String, mask: [UInt8]) -> String {
    let bytes = bytes(key) ?? []
    return Hex.string(mask + zip(bytes, mask).map { $0 ^ $1 })
  }

  /// The key in a masked form; nil for any other text.
  static func key(_ text: String) -> String? {
    guard text.utf8.count == 128, let bytes = bytes(text) else { return nil }
    return Hex.string(zip(bytes.prefix(32), bytes.dropFirst(32)).map { $0 ^ $1 })
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap(Hex.value)
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
