import ContentDigests
internal import HTTPTypes
internal import Hummingbird

/// What the head of a request says, checked (R54).
struct CheckedHead {
  let method: String
  /// The server's name as the client knows it, with a port if that is not the usual one.
  let host: String
  let path: String
  let query: String?
  let fields: HTTPFields
  /// The value of Content-Length.
  let announced: Int?
  let hasBody: Bool
  let isGzip: Bool
  let expectsContinue: Bool
  let wantsClose: Bool

  /// The scheme that a client speaks with a proxy, as the request says.
  var forwardedScheme: String? { HTTPField.Name("X-Forwarded-Proto").flatMap { fields[$0] } }

  init(_ head: HTTPRequest) throws(RequestFailure) {
    method = head.method.rawValue
    fields = head.headerFields
    // A server that answers to any name can be reached by a page of another one (DNS rebinding).
    guard let host = head.authority, !host.isEmpty, host.utf8.count <= 255,
      let name = HTTPField.Name("Host"), fields[values: name].isEmpty
    else { throw RequestFailure(400, "bad_request", "a request must have exactly one Host") }
    self.host = host
    guard let target = head.path, target.utf8.first == UInt8(ascii: "/") else {
      throw RequestFailure(400, "bad_request", "the target must begin with \"/\"")
    }
    let parts = target.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    path = String(Substring(parts[0]))
    query = parts.count > 1 ? String(Substring(parts[1])) : nil
    let lengths = Set(fields[values: .contentLength])
    announced = lengths.first.flatMap { Int($0) }
    let transfers = fields[values: .transferEncoding]
    guard transfers.allSatisfy({ $0.lowercased() == "chunked" }) else {
      throw RequestFailure(
        501, "unknown_transfer_encoding", "the only Transfer-Encoding that is understood is chunked"
      )
    }
    let isChunked = !transfers.isEmpty
    hasBody = isChunked || (announced ?? 0) > 0
    let codings = fields[values: .contentEncoding].map { $0.lowercased() }
    switch codings {
    case [], ["identity"]: isGzip = false
    case ["gzip"], ["x-gzip"]: isGzip = true
    default:
      throw RequestFailure(
        415, "unsupported_encoding", "a body may be packed with gzip only",
        headers: [HeaderField("Accept-Encoding", "gzip")])
    }
    let expectations = HTTPField.Name("Expect").map { head.headerFields[values: $0] } ?? []
    guard expectations.allSatisfy({ $0.lowercased() == "100-continue" }) else {
      throw RequestFailure(
        417, "expectation_failed", "the only supported expectation is 100-continue")
    }
    expectsContinue = !expectations.isEmpty
    wantsClose = fields[values: .connection].contains {
      $0.lowercased().split(separator: ",").contains { word in
        word.drop { $0 == " " }.prefix { $0 != " " } == "close"
      }
    }
  }
}

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
