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

/// A complete response.
package struct HTTPResponse: Sendable {
  package let status: Int
  /// Without those of 1xx responses.
  package let fields: HeaderFields
  package let body: [UInt8]
  /// How often the request was sent. It is 2 if libcurl repeated it on a new connection; the answer
  /// to a write may then be a consequence of its own first send.
  package let sends: Int

  package init(status: Int, fields: HeaderFields, body: [UInt8], sends: Int = 1) {
    (self.status, self.fields, self.body, self.sends) = (status, fields, body, sends)
  }

  package init(status: Int, headers: [HTTPField], body: [UInt8], sends: Int = 1) {
    self.init(status: status, fields: HeaderFields(headers), body: body, sends: sends)
  }

  /// In the order received, with names as the server spelled them.
  package var headers: [HTTPField] { fields.all }

  /// The first value of a header. The case of the name is ignored.
  package func header(_ name: String) -> String? { fields[name] }

  /// The server's clock, in seconds since 1970: its `Date`.
  package var date: Int? { header("date").flatMap(ServerTime.http) }

  /// How long the server asks to wait, in seconds: a number, or a date by the server's clock.
  package var retryAfter: Int? {
    guard let text = header("retry-after") else { return nil }
    if let seconds = Int(text) { return max(0, seconds) }
    guard let date, let until = ServerTime.http(text) else { return nil }
    return max(0, until - date)
  }
}

/// What a server says, as it may stand in a message: cut, and printable ASCII alone.
package enum ShownBytes {
  /// - Parameter limit: the most bytes that are shown.
  package static func text(_ bytes: [UInt8], limit: Int) -> String {
    let printable = bytes.prefix(limit).map { byte in
      (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") ? byte : UInt8(ascii: " ")
    }
    let text = String(decoding: printable, as: UTF8.self)
      .split(separator: " ").joined(separator: " ")
    return bytes.count > limit ? text + "..." : text
  }
}
