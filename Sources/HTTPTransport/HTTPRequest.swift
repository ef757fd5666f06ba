/// One header line.
package struct HTTPField: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// A request that is sent as it stands: nothing is normalised, no redirect is followed.
package struct HTTPRequest: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
  }

  package var method: Method
  /// Absolute, percent-encoded; sent byte for byte.
  package var url: String
  package var headers: [HTTPField]
  package var body: [UInt8]
  /// Bound on the whole exchange, connecting included.
  package var timeout: Duration
  package var connectTimeout: Duration
  /// A longer response body fails with `responseTooLarge`, after at most this many bytes.
  package var maximumResponseBytes: Int
  /// Refuses libcurl's silent second send on a dead reused connection: for a PUT that is not
  /// idempotent, whose outcome is then reported as unknown.
  package var sendsAtMostOnce: Bool

  package init(
    _ method: Method, _ url: String, headers: [HTTPField] = [], body: [UInt8] = [],
    timeout: Duration = .seconds(30), connectTimeout: Duration = .seconds(5),
    maximumResponseBytes: Int = 16 << 20, sendsAtMostOnce: Bool = false
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.maximumResponseBytes = maximumResponseBytes
    self.sendsAtMostOnce = sendsAtMostOnce
  }
}

/// A complete response.
package struct HTTPResponse: Sendable {
  package let status: Int
  package let headers: [HTTPField]
  package let body: [UInt8]

  package init(status: Int, headers: [HTTPField], body: [UInt8]) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// The first value of a header, whatever the case of its name.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.caseInsensitiveEqual(name) }?.value
  }
}

extension String {
  /// ASCII case-insensitive equality, as header names are compared.
  func caseInsensitiveEqual(_ other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { a, b in
        a == b
          || (a | 0x20 == b | 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(a | 0x20))
      }
  }
}
