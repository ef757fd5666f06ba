/// Fixed-width decimal digits, as dates and revision ids spell them.
enum Digits {
  /// The value of ASCII digits; nil if empty or if any byte is another character.
  static func value(_ bytes: some Collection<UInt8>) -> Int? {
    guard !bytes.isEmpty, bytes.count <= 18 else { return nil }
    var value = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// Writes a value of 0 or more in decimal, with zeros before it up to `width` characters.
  static func append(_ value: Int, width: Int, to bytes: inout [UInt8]) {
    if value >= 100 || width > 2 {
      append(value / 100, width: width - 2, to: &bytes)
    }
    if value >= 10 || width > 1 { bytes.append(UInt8(ascii: "0") + UInt8(value / 10 % 10)) }
    bytes.append(UInt8(ascii: "0") + UInt8(value % 10))
  }

  /// Writes a time of day as `HH`, `MM` and `SS` with a separator between them.
  static func append(
    secondsSinceMidnight seconds: Int, joinedBy separator: String, to bytes: inout [UInt8]
  ) {
    append(seconds / 3600, width: 2, to: &bytes)
    bytes.append(contentsOf: separator.utf8)
    append(seconds / 60 % 60, width: 2, to: &bytes)
    bytes.append(contentsOf: separator.utf8)
    append(seconds % 60, width: 2, to: &bytes)
  }
}
