extension HTTPRequest {
  /// Refuses anything that would change the framing: line breaks, and fields that the transport
  /// sets.
  package func check() throws(HTTPError) {
    func refused(_ why: String) -> HTTPError {
      HTTPError(.invalidRequest, why, mayHaveBeenApplied: false)
    }
    if !method.sendsBody && !body.isEmpty {
      throw refused("a \(method.rawValue) request has no body")
    }
    for field in headers {
      guard !field.name.isEmpty, field.name.hasOnly(\.isToken) else {
        throw refused("a header's name is not an HTTP token")
      }
      guard !field.value.hasControlCharacters else {
        throw refused("the value of header \(field.name) has control characters")
      }
      if isReserved(field.name) { throw refused("header \(field.name) is set by the transport") }
      if field.name.caseInsensitiveEqual("Content-Length"), field.value != "\(body.count)" {
        throw refused("Content-Length differs from the body's length")
      }
    }
  }

  private func isReserved(_ name: String) -> Bool {
    name.caseInsensitiveEqual("Connection") || name.caseInsensitiveEqual("Expect")
      || name.caseInsensitiveEqual("Transfer-Encoding") || name.caseInsensitiveEqual("Upgrade")
  }

  package func has(_ name: String) -> Bool {
    headers.contains { $0.name.caseInsensitiveEqual(name) }
  }
}

extension HTTPRequest.Method {
  /// PUT and POST always have a body, even if it is empty.
  package var sendsBody: Bool { self == .put || self == .post }
}

extension String {
  /// Whether each of its bytes passes, read where they stand: each request has hundreds of them.
  fileprivate func hasOnly(_ passes: (UInt8) -> Bool) -> Bool {
    var text = self
    return text.withUTF8 { unsafe $0.allSatisfy(passes) }
  }

  /// Whether it has control characters except tabs.
  fileprivate var hasControlCharacters: Bool {
    var text = self
    // Without an early end, so that many bytes are compared at once.
    return text.withUTF8 { bytes in
      unsafe bytes.reduce(0 as UInt8) { found, byte in
        found | (byte < 0x20 ? 1 : 0) & (byte != 0x09 ? 1 : 0) | (byte == 0x7F ? 1 : 0)
      } != 0
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
