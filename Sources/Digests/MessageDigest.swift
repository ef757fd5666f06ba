import CCrypto

/// One of OpenSSL's digests, fetched once.
final class MessageDigest: @unchecked Sendable {  // an EVP_MD never changes once fetched
  private let algorithm: OpaquePointer?
  private let length: Int
  private let contexts = ContextPool {
    OpenSSL.prepare()
    return EVP_MD_CTX_new()
  }

  /// - Parameters:
  /// - name: the algorithm's name in OpenSSL.
  /// - length: the number of bytes in its result.
  init(_ name: String, length: Int) {
    OpenSSL.prepare()
    algorithm = EVP_MD_fetch(nil, name, nil)
    self.length = length
  }

  /// The digest; nil if OpenSSL does not offer the algorithm, such as MD5 in FIPS mode.
  func digest(_ bytes: [UInt8]) -> [UInt8]? {
    guard let algorithm else { return nil }
    var written: UInt32 = 0
    var succeeded = false
    let result = [UInt8](unsafeUninitializedCapacity: length) { result, count in
      succeeded = contexts.withContext { context in
        EVP_DigestInit_ex2(context, algorithm, nil) == 1
          && EVP_DigestUpdate(context, bytes, bytes.count) == 1
          && EVP_DigestFinal_ex(context, result.baseAddress, &written) == 1
      }
      count = succeeded ? Int(written) : 0
    }
    return succeeded ? result : nil
  }
}
