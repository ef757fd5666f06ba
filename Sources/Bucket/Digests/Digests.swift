import CCrypto
import ContentDigests

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

/// MD5 by OpenSSL: only for predicting the etag of a plain S3 PUT, never for security.
package enum MD5 {
  private static let algorithm = MessageDigest("MD5", length: 16)

  /// The digest in lower-case hex; empty if OpenSSL refuses MD5 (FIPS), which equals no etag.
  package static func hex(_ bytes: [UInt8]) -> String {
    algorithm.digest(bytes).map(Hex.string) ?? ""
  }
}

/// HMAC-SHA-256 (RFC 2104) by OpenSSL.
package enum HMAC {
  private static let contexts = ContextPool {
    OpenSSL.prepare()
    return s3health_hmac_sha256_new()
  }

  /// The 32-byte code. The key may have any length, including zero.
  package static func sha256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    // OpenSSL takes an empty key to mean "use the last key again"; RFC 2104 pads a key with zeros.
    let key = key.isEmpty ? [0] : key
    return [UInt8](unsafeUninitializedCapacity: 32) { result, count in
      let succeeded = contexts.withContext { context in
        EVP_MAC_init(context, key, key.count, nil) == 1
          && EVP_MAC_update(context, message, message.count) == 1
          && EVP_MAC_final(context, result.baseAddress, &count, 32) == 1
      }
      precondition(succeeded && count == 32, "OpenSSL offers no HMAC with SHA-256")
    }
  }
}
