/// Why an exchange gave no complete response.
package struct HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    case couldNotResolve
    case couldNotConnect
    /// The proxy that the environment names could not be used, or refused; nothing was sent.
    case proxyFailed
    case tlsFailed
    case timedOut
    /// The connection broke before the response was complete.
    case connectionLost
    /// libcurl wanted to send a request a second time that may be sent only once.
    case wouldResend
    case responseTooLarge
    /// Bytes that are no HTTP response.
    case malformedResponse
    case cancelled
    case invalidRequest
    /// This process may open no more files.
    case noDescriptorLeft
    /// This user may start no more threads.
    case noThreadLeft
    /// A fault of this module or of libcurl.
    case `internal`
  }

  package let code: Code
  /// One clause, without a secret: no header or query of the request.
  package let message: String
  /// True where the server may have received the whole request: the outcome of a write is unknown.
  package let mayHaveBeenApplied: Bool

  package init(_ code: Code, _ message: String, mayHaveBeenApplied: Bool) {
    (self.code, self.message, self.mayHaveBeenApplied) = (code, message, mayHaveBeenApplied)
  }

  package var description: String { message }
}
