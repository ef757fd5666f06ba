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
