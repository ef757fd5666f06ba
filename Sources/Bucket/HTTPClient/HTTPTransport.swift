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

/// Why a request got no complete response.
package struct HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    case couldNotResolve
    case couldNotConnect
    /// The proxy named by the environment could not be used or refused. Nothing was sent.
    case proxyFailed
    case tlsFailed
    case timedOut
    /// The connection broke before the response was complete.
    case connectionLost
    /// libcurl was about to send a request a second time that must be sent only once.
    case wouldResend
    case responseTooLarge
    /// The server sent something that is not an HTTP response.
    case malformedResponse
    case cancelled
    case invalidRequest
    /// This process can't open more files.
    case noDescriptorLeft
    /// This user can't start more threads.
    case noThreadLeft
    /// A bug in this module or in libcurl.
    case `internal`
  }

  package let code: Code
  /// One clause without secrets: it quotes no header and no query of the request.
  package let message: String
  /// True if the server may have received the whole request, so that the outcome of a write is
  /// unknown.
  package let mayHaveBeenApplied: Bool

  package init(_ code: Code, _ message: String, mayHaveBeenApplied: Bool) {
    (self.code, self.message, self.mayHaveBeenApplied) = (code, message, mayHaveBeenApplied)
  }

  package var description: String { message }
}

extension HTTPError {
  /// What to do where this machine's clock is outside the dates of the server's certificate; nil for any
  /// other failure. An authority would not help.
  package var adviceOnCertificateDates: String? {
    code == .tlsFailed ? Self.adviceOnCertificateDates(message) : nil
  }

  /// The same, by the words of OpenSSL, GnuTLS and `URLSessionTransport`.
  package static func adviceOnCertificateDates(_ message: String) -> String? {
    func says(_ words: [String]) -> Bool { words.contains { message.firstRange(of: $0) != nil } }
    if says(["certificate is not yet valid", "certificate not activated"]) {
      return "set the clock of this machine"
    }
    if says(["certificate has expired", "certificate expiration date has passed"]) {
      return """
        set the clock of this machine if it is wrong; otherwise the server needs a new certificate
        """
    }
    return nil
  }
}
