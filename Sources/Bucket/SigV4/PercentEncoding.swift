/// Percent-encoding as SigV4 defines it: every byte but `A-Z a-z 0-9 - . _ ~` as `%XX`, upper case.
package enum PercentEncoding {
  /// The encoded text; `keepingSlashes` also leaves `/` as it is, as a path needs.
  package static func encode(_ text: String, keepingSlashes: Bool = false) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    append(text, keepingSlashes: keepingSlashes, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  static func append(_ text: String, keepingSlashes: Bool, to bytes: inout [UInt8]) {
    // Most text needs no encoding, and is copied in one step and looked at where it then stands.
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    guard
      let first = (start..<bytes.count).first(where: { !isSent(bytes[$0], keepingSlashes) })
    else { return }
    let rest = Array(bytes[first...])
    bytes.removeLast(rest.count)
    for byte in rest {
      if isSent(byte, keepingSlashes) {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(upperHexDigit(byte >> 4))
        bytes.append(upperHexDigit(byte & 15))
      }
    }
  }

  private static func isSent(_ byte: UInt8, _ keepingSlashes: Bool) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true  // a-z A-Z 0-9
    case 0x2D, 0x2E, 0x5F, 0x7E: true  // - . _ ~
    case 0x2F: keepingSlashes
    default: false
    }
  }

  private static func upperHexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x41 + value - 10
  }
}
