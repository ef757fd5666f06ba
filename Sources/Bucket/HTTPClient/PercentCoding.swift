import ContentDigests

/// Percent-coding (RFC 3986), as SigV4 needs it: every byte but `A-Z a-z 0-9 - . _ ~` is written as
/// `%XX`, in upper case.
package enum PercentCoding {
  /// The encoded text; `keepingSlashes` also leaves `/` as it is, as a path needs.
  package static func encode(_ text: String, keepingSlashes: Bool = false) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    append(text, keepingSlashes: keepingSlashes, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the encoded text behind what stands in `bytes`.
  package static func append(_ text: String, keepingSlashes: Bool, to bytes: inout [UInt8]) {
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
        bytes.append(Hex.upperDigit(byte >> 4))
        bytes.append(Hex.upperDigit(byte & 15))
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

  /// Decodes `%XX`; nil if an escape is broken or the result is not UTF-8.
  ///
  /// - Parameter plusIsSpace: whether `+` stands for a space, as in forms.
  package static func decode(
    _ text: some Collection<UInt8>, plusIsSpace: Bool = false
  ) -> String? {
    // What type the text has is not known here: one step over it, and then over bytes. Listings have
    // thousands of texts.
    var rest = Array(text)[...]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rest.count)
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(Hex.value),
          let low = rest.popFirst().flatMap(Hex.value)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
