import ContentDigests

#if canImport(CryptoKit)
  import CryptoKit

  private typealias Provider = CryptoKitDigests
#elseif PHONE
  // The phone's build on Linux, which only tests use.
  private typealias Provider = PortableDigests
#else
  private typealias Provider = OpenSSLDigests
#endif

/// The library that the digests come from.
package enum DigestLibrary {
  /// Sets up OpenSSL, where it is used. It must run before anything else does that, such as libcurl.
  package static func prepare() {
    #if !canImport(CryptoKit) && !PHONE
      OpenSSL.prepare()
    #endif
  }
}

/// SHA-256 (FIPS 180-4): by CryptoKit on Apple's platforms, by OpenSSL elsewhere, like all below.
package enum SHA256 {
  /// The 32-byte digest.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] { Provider.sha256(bytes) }

  /// The digest in lower-case hex.
  package static func hex(_ bytes: [UInt8]) -> String { Hex.string(digest(bytes)) }
}

/// MD5: only for predicting the etag of a plain S3 PUT, never for security.
package enum MD5 {
  /// The digest in lower-case hex; empty if OpenSSL refuses MD5 (FIPS), which equals no etag.
  package static func hex(_ bytes: [UInt8]) -> String { digest(bytes).map(Hex.string) ?? "" }

  /// The digest's 16 bytes; nil where the system offers no MD5.
  package static func digest(_ bytes: [UInt8]) -> [UInt8]? { Provider.md5(bytes) }
}

/// HMAC-SHA-256 (RFC 2104).
package enum HMAC {
  /// The 32-byte code. The key may have any length, including zero.
  package static func sha256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    Provider.hmacSHA256(key: key, message)
  }
}

#if canImport(CryptoKit)
  private enum CryptoKitDigests {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(CryptoKit.SHA256.hash(data: bytes)) }

    static func md5(_ bytes: [UInt8]) -> [UInt8]? { Array(Insecure.MD5.hash(data: bytes)) }

    static func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
      Array(
        CryptoKit.HMAC<CryptoKit.SHA256>.authenticationCode(
          for: message, using: SymmetricKey(data: key)))
    }
  }
#endif
