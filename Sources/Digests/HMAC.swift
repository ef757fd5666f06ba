import CCrypto

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
