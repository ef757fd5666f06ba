/// Rows as COPY reads them: fields between tabs, a line each.
struct CopyText {
  private(set) var bytes: [UInt8] = []
  private var isAtStart = true

  /// Appends a field; nil is null.
  mutating func add(_ field: String?) {
    if !isAtStart { bytes.append(UInt8(ascii: "\t")) }
    isAtStart = false
    guard let field else {
      bytes += [UInt8(ascii: "\\"), UInt8(ascii: "N")]
      return
    }
    for byte in field.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): bytes += [byte, byte]
      case UInt8(ascii: "\t"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
      case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case UInt8(ascii: "\r"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
      default: bytes.append(byte)
      }
    }
  }

  mutating func add(_ number: Double?) { add(number.map { "\($0)" }) }

  mutating func endRow() {
    bytes.append(UInt8(ascii: "\n"))
    isAtStart = true
  }
}
