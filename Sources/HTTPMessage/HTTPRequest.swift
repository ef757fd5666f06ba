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
  /// Absolute, percent-encoded; sent byte for byte. (Newer releases of libcurl leave a question mark
  /// out that nothing follows, which means the same to S3 and to a signature.)
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
