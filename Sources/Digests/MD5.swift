/// MD5 by OpenSSL: only for predicting the etag of a plain S3 PUT, never for security.
package enum MD5 {
  private static let algorithm = MessageDigest("MD5", length: 16)

  /// The digest in lower-case hex; empty if OpenSSL refuses MD5 (FIPS), which equals no etag.
  package static func hex(_ bytes: [UInt8]) -> String {
    algorithm.digest(bytes).map(Hex.string) ?? ""
  }
}
