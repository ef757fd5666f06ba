import CCurl
import HTTPClient

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
      built = try Self.appending(field, to: built)
    }
    list = built
  }

  /// The list with a field's line, which is put together without a string in between: libcurl makes
  /// a copy.
  private static func appending(
    _ field: HTTPField, to list: UnsafeMutablePointer<curl_slist>?
  ) throws(HTTPError) -> UnsafeMutablePointer<curl_slist> {
    let (name, value) = (field.name.utf8, field.value.utf8)
    let longer = withUnsafeTemporaryAllocation(
      byteCount: name.count + value.count + 3, alignment: 1
    ) { bytes -> UnsafeMutablePointer<curl_slist>? in
      bytes.copyBytes(from: name)
      var end = name.count
      // For an empty field, libcurl expects a semicolon; with a colon it would drop the field.
      for byte in (value.isEmpty ? ";" : ": ").utf8 {
        bytes[end] = byte
        end += 1
      }
      UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyBytes(from: value)
      bytes[end + value.count] = 0
      guard let line = bytes.bindMemory(to: CChar.self).baseAddress else { return nil }
      return curl_slist_append(list, line)
    }
    return try Self.kept(longer, list)
  }

  /// The list with one more line. Frees the list if there is no memory.
  private static func appending(
    _ line: String, to list: UnsafeMutablePointer<curl_slist>?
  ) throws(HTTPError) -> UnsafeMutablePointer<curl_slist> {
    try kept(curl_slist_append(list, line), list)
  }

  private static func kept(
    _ longer: UnsafeMutablePointer<curl_slist>?, _ list: UnsafeMutablePointer<curl_slist>?
  ) throws(HTTPError) -> UnsafeMutablePointer<curl_slist> {
    guard let longer else {
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
      guard !field.value.hasControlCharacters else {
        throw refused("the value of header \(field.name) has control characters")
      }
      if isReserved(field.name) { throw refused("header \(field.name) is set by the transport") }
      if field.name.caseInsensitiveEqual("Content-Length"), field.value != "\(request.body.count)" {
        throw refused("Content-Length differs from the body's length")
      }
    }
  }

  private static func isReserved(_ name: String) -> Bool {
    name.caseInsensitiveEqual("Connection") || name.caseInsensitiveEqual("Expect")
      || name.caseInsensitiveEqual("Transfer-Encoding") || name.caseInsensitiveEqual("Upgrade")
  }
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

  /// Whether it has control characters except tabs.
  fileprivate var hasControlCharacters: Bool {
    var text = self
    return text.withUTF8 { bytes in
      // Without an early end, so that many bytes are compared at once.
      var found: UInt8 = 0
      for byte in bytes {
        found |= (byte < 0x20 ? 1 : 0) & (byte != 0x09 ? 1 : 0) | (byte == 0x7F ? 1 : 0)
      }
      return found != 0
    }
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
