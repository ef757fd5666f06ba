internal import HTTPTypes

/// The token that a request brings: in `X-Device-Token`, as Bearer, or as the password of Basic
/// (R50, D12).
enum Credentials {
  /// Nil if there is none, or two different ones.
  static func secret(in fields: HTTPFields) -> [UInt8]? {
    var found: [[UInt8]] = []
    if let name = HTTPField.Name("X-Device-Token") {
      found += fields[values: name].map { Array($0.utf8) }
    }
    found += fields[values: .authorization].map { secret(ofAuthorization: $0) ?? [] }
    guard let first = found.first, !first.isEmpty, first.count <= 4096,
      found.allSatisfy({ $0 == first })
    else { return nil }
    return first
  }

  private static func secret(ofAuthorization value: String) -> [UInt8]? {
    let words = value.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    switch words[0].lowercased() {
    case "bearer": return Array(words[1].utf8)
    case "basic":
      // The user's name is whatever the app asks for. Overland sends the bare token.
      guard let pair = Base64Text.decode(words[1].utf8),
        let colon = pair.firstIndex(of: UInt8(ascii: ":"))
      else { return Array(words[1].utf8) }
      return Array(pair[(colon + 1)...])
    default: return nil
    }
  }
}

/// Base64 as RFC 4648 has it, padded or not.
enum Base64Text {
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    var isPadding = false
    for byte in text {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="):
        isPadding = true
        continue
      default: return nil
      }
      guard !isPadding else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
