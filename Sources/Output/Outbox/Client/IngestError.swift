/// Why a server can't be used.
package struct IngestError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// The URL can't be used.
    case invalidEndpoint
    /// The text can't be a token.
    case invalidToken
    /// The server refused the token.
    case unauthorized
    /// Nothing answered, or not in time.
    case unreachable
    /// Something answered that does not speak the protocol.
    case notAServer
    /// The saved settings are damaged.
    case damaged
  }

  /// What to do; the front end words it.
  package enum Remedy: Hashable, Sendable {
    case correctURL
    case encryptTransport
    case checkToken
    case checkServer
    case trustAuthority
    case verifyAgain
  }

  package let code: Code
  /// One clause without a secret; what it quotes of the server is cut and printable.
  package let message: String
  package let remedy: Remedy

  package init(_ code: Code, _ message: String, remedy: Remedy) {
    (self.code, self.message, self.remedy) = (code, message, remedy)
  }
}
