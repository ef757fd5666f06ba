/// One header line.
package struct HTTPField: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// A request that is sent unchanged: nothing is normalised, and redirects are not followed.
package struct HTTPRequest: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
  }

  package var method: Method
  /// Absolute and percent-encoded; sent byte for byte. (Newer releases of libcurl leave out a final
  /// question mark, which makes no difference to S3 or to a signature.)
  package var url: String
  package var headers: [HTTPField]
  package var body: [UInt8]
  /// Time limit of the whole exchange, including connecting.
  package var timeout: Duration
  package var connectTimeout: Duration
  /// A longer response body fails with `responseTooLarge` after at most this many bytes.
  package var maximumResponseBytes: Int
  /// Prevents libcurl from silently sending the request again when a reused connection turns out to
  /// be closed. For a PUT that is not idempotent: its outcome is then reported as unknown.
  package var sendsAtMostOnce: Bool
  /// Where the body waits for those of other requests; only for requests that have one.
  package var gate: SendGate?
  /// True if its connection must not be kept for further requests. `URLSession` decides for itself.
  package var closesConnection = false

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
