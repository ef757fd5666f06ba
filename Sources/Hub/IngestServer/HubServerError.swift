/// Why a server can't start, or can't use its certificate or its tokens.
package struct HubServerError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    case cannotListen
    case invalidCertificate
    /// The tokens can't be read or written.
    case tokensInaccessible
    /// Other users may read or write the file of tokens.
    case tokensNotPrivate
    /// The file or object is not a list of tokens.
    case tokensDamaged
  }

  package let code: Code
  /// One clause that contains no secret and nothing of the tokens.
  package let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}
