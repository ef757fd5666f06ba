/// SHA-256 (FIPS 180-4) by OpenSSL.
package enum SHA256 {
  /// The 32-byte digest.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] { [] }
  /// The digest in lower-case hex.
  package static func hex(_ bytes: [UInt8]) -> String { "" }
}

/// MD5 by OpenSSL: only to tell the etag that a plain S3 PUT gives, never for security.
package enum MD5 {
  package static func hex(_ bytes: [UInt8]) -> String { "" }
}

/// HMAC-SHA-256 (RFC 2104).
package enum HMAC {
  package static func sha256(key: [UInt8], _ message: [UInt8]) -> [UInt8] { [] }
}
