/// Sends requests: libcurl for the programs (`CurlTransport`), `URLSession` for apps
/// (`URLSessionTransport`).
package protocol HTTPTransport: Sendable {
  /// Sends one request and returns the complete response, whatever its status.
  ///
  /// Cancelling the task closes the connection and throws `.cancelled`.
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse

  /// A transport of the same configuration with connections of its own.
  func separate() -> any HTTPTransport

  /// The proxy through which requests to a URL go; nil if there is none, or if the system decides.
  func proxy(for url: String) -> HTTPProxy?
}

extension HTTPTransport {
  package func proxy(for url: String) -> HTTPProxy? { nil }
}

package struct TransportConfiguration: Sendable {
  /// PEM file that replaces the system's certificate authorities.
  package var caBundle: String?
  /// The most connections. Further requests wait, within their own timeout.
  package var maximumConnections = 64
  /// The most connections to one host; nil for no limit except `maximumConnections`.
  package var maximumConnectionsPerHost: Int?
  /// `User-Agent`.
  package var userAgent = "s3health"
  /// A transfer slower than `stallBytesPerSecond` for this long (in whole seconds) times out.
  package var stallTimeout: Duration = .seconds(30)
  package var stallBytesPerSecond = 16
  package init() {}
}

/// The proxy between this machine and a server.
package struct HTTPProxy: Hashable, Sendable, CustomStringConvertible {
  /// The variable that configures it.
  package let variable: String
  /// `scheme://host:port`, without user information; nil if the value is not such an address.
  package let address: String?

  package init(variable: String, address: String?) {
    (self.variable, self.address) = (variable, address)
  }

  package var description: String {
    address.map { "\($0) (\(variable))" } ?? "\(variable), which is not a proxy's address"
  }
}
