/// What a server says, as it may stand in a message: cut, and printable ASCII alone.
package enum ShownBytes {
  /// - Parameter limit: the most bytes that are shown.
  package static func text(_ bytes: [UInt8], limit: Int) -> String {
    let printable = bytes.prefix(limit).map { byte in
      (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") ? byte : UInt8(ascii: " ")
    }
    let text = String(decoding: printable, as: UTF8.self)
      .split(separator: " ").joined(separator: " ")
    return bytes.count > limit ? text + "..." : text
  }
}
