/// SHA-256 (FIPS 180-4) by OpenSSL.
package enum SHA256 {
  private static let algorithm = MessageDigest("SHA256", length: 32)

  /// The 32-byte digest.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    guard let digest = algorithm.digest(bytes) else {
      preconditionFailure("OpenSSL offers no SHA-256")
    }
    return digest
  }

  /// The digest in lower-case hex.
  package static func hex(_ bytes: [UInt8]) -> String { Hex.string(digest(bytes)) }

  /// The digest of no bytes, in hex: the payload hash of a request without a body.
  package static let hexOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
}
