/// Recognises an export by its first bytes, because its name is in the phone's language.
enum ExportSignature {
  /// How much of a file is looked at.
  static var length: Int { 1 << 16 }

  /// Whether a file that begins so is an export: its document type or root is `HealthData`.
  static func matches(_ bytes: [UInt8]) -> Bool {
    let names = [Array("<!DOCTYPE HealthData".utf8), Array("<HealthData".utf8)]
    var start = bytes.startIndex
    while let less = bytes[start...].firstIndex(of: Mark.less) {
      for name in names where bytes[less...].starts(with: name) {
        let next = less + name.count
        if next == bytes.endIndex { return true }
        let byte = bytes[next]
        if Mark.isSpace(byte) || byte == Mark.greater || byte == UInt8(ascii: "[") { return true }
      }
      start = less + 1
    }
    return false
  }

  /// Whether a file that begins so is a zip, even an empty one or one in parts.
  static func isZip(_ bytes: some Collection<UInt8>) -> Bool {
    [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6], [0x50, 0x4B, 7, 8]].contains { bytes.starts(with: $0) }
  }
}
