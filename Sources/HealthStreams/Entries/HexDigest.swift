import ObjectStore

/// Digests as text.
enum HexDigest {
  /// SHA-256 as 64 lower-case hex digits.
  static func sha256(_ bytes: [UInt8]) -> String {
    String(ContentDigest.etag(of: bytes).rawValue.dropFirst().dropLast())
  }
}
