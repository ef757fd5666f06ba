import CCurl
import HTTPMessage

/// A request's header lines for libcurl, which keeps no copy, so they live as long as the transfer.
struct RequestFields: ~Copyable {
  let list: UnsafeMutablePointer<curl_slist>

  /// Refuses anything that would change the framing: line breaks, and fields that the transport
  /// sets.
  init(_ request: HTTPRequest) throws(HTTPError) {
    try Self.check(request)
    // An empty `Expect:` saves the second that libcurl waits for a server that does not support
    // 100-continue. The other two keep libcurl from adding its own fields.
    var built = try Self.appending("Expect:", to: nil)
    if !request.has("Accept") { built = try Self.appending("Accept:", to: built) }
    if request.method.sendsBody, !request.has("Content-Type") {
      built = try Self.appending("Content-Type:", to: built)
    }
    for field in request.headers where !field.name.caseInsensitiveEqual("Content-Length") {
      var line = field.name
      line.reserveCapacity(field.name.utf8.count + field.value.utf8.count + 2)
      // For an empty field, libcurl expects a semicolon; with a colon it would drop the field.
      line += field.value.isEmpty ? ";" : ": "
      line += field.value
      built = try Self.appending(line, to: built)
    }
    list = built
  }

  /// The list with one more line. Frees the list if there is no memory.
  private static func appending(
    _ line: String, to list: UnsafeMutablePointer<curl_slist>?
  ) throws(HTTPError) -> UnsafeMutablePointer<curl_slist> {
    guard let longer = curl_slist_append(list, line) else {
      curl_slist_free_all(list)
      throw HTTPError(.internal, "no memory for the request's header", mayHaveBeenApplied: false)
    }
    return longer
  }

  deinit { curl_slist_free_all(list) }

  private static func check(_ request: HTTPRequest) throws(HTTPError) {
    func refused(_ why: String) -> HTTPError {
      HTTPError(.invalidRequest, why, mayHaveBeenApplied: false)
    }
    if !request.method.sendsBody && !request.body.isEmpty {
      throw refused("a \(request.method.rawValue) request has no body")
    }
    for field in request.headers {
      guard !field.name.isEmpty, field.name.hasOnly(\.isToken) else {
        throw refused("a header's name is not an HTTP token")
      }
      guard field.value.hasOnly({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
        throw refused("the value of header \(field.name) has control characters")
      }
      if reserved.contains(where: field.name.caseInsensitiveEqual) {
        throw refused("header \(field.name) is set by the transport")
      }
      if field.name.caseInsensitiveEqual("Content-Length"), field.value != "\(request.body.count)" {
        throw refused("Content-Length differs from the body's length")
      }
    }
  }

  private static let reserved = ["Connection", "Expect", "Transfer-Encoding", "Upgrade"]
}

extension HTTPRequest {
  func has(_ name: String) -> Bool { headers.contains { $0.name.caseInsensitiveEqual(name) } }
}

extension HTTPRequest.Method {
  /// PUT and POST always have a body, even if it is empty.
  var sendsBody: Bool { self == .put || self == .post }
}

extension String {
  /// Whether each of its bytes passes, read where they stand: each request has hundreds of them.
  fileprivate func hasOnly(_ passes: (UInt8) -> Bool) -> Bool {
    var text = self
    return text.withUTF8 { $0.allSatisfy(passes) }
  }
}

extension UInt8 {
  /// A character of RFC 9110's `token`.
  fileprivate var isToken: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: "!#$%&'*+.^_`|~".utf8.contains(self)
    }
  }
}
