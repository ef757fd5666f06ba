import ContentDigests
internal import HTTPTypes

/// The token that a request brings: in `X-Device-Token`, as Bearer, or as the password of Basic
/// (R54).
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
      guard let pair = Base64.decode(words[1].utf8),
        let colon = pair.firstIndex(of: UInt8(ascii: ":"))
      else { return Array(words[1].utf8) }
      return Array(pair[(colon + 1)...])
    default: return nil
    }
  }
}
