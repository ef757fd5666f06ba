import CCrypto

/// Digests by OpenSSL: those of the programs on Linux.
package enum OpenSSLDigests {
  private static let sha256 = MessageDigest("SHA256", length: 32)
  private static let md5 = MessageDigest("MD5", length: 16)
  private static let contexts = ContextPool {
    OpenSSL.prepare()
    return s3health_hmac_sha256_new()
  }

  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    guard let digest = sha256.digest(bytes) else {
      preconditionFailure("OpenSSL offers no SHA-256")
    }
    return digest
  }

  /// Nil if OpenSSL refuses MD5 (FIPS).
  package static func md5(_ bytes: [UInt8]) -> [UInt8]? { md5.digest(bytes) }

  package static func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
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
