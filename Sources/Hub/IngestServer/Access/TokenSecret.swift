import ContentDigests
import Digests

/// The secret of a device: 256 random bits as text. Only its digest is kept (R54).
package struct TokenSecret: Sendable {
  package let text: String

  /// Lets people and secret scanners recognise a token.
  private static let prefix = "s3h_"

  /// A new secret from the system's generator.
  package init() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<4).flatMap { _ in
      let word = generator.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    text = Self.prefix + Hex.string(bytes)
  }

  /// What is kept of it: SHA-256. A secret of 256 random bits needs no slow hash.
  package var digest: [UInt8] { Self.digest(of: Array(text.utf8)) }

  /// The digest of what a client sent.
  package static func digest(of sent: [UInt8]) -> [UInt8] { SHA256.digest(sent) }
}

extension TokenSecret: CustomStringConvertible, CustomReflectable {
  /// Never the secret.
  package var description: String { "(a token)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
