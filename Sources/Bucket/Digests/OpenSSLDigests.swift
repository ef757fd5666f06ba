#if !canImport(CryptoKit) && !PHONE
  import CCrypto
  import Synchronization

  /// Digests by OpenSSL: those of the programs on Linux.
  enum OpenSSLDigests {
    private static let sha256 = MessageDigest("SHA256", length: 32)
    private static let md5 = MessageDigest("MD5", length: 16)
    private static let contexts = ContextPool {
      OpenSSL.prepare()
      return s3health_hmac_sha256_new()
    }

    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
      guard let digest = sha256.digest(bytes) else {
        preconditionFailure("OpenSSL offers no SHA-256")
      }
      return digest
    }

    /// Nil if OpenSSL refuses MD5 (FIPS).
    static func md5(_ bytes: [UInt8]) -> [UInt8]? { md5.digest(bytes) }

    static func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
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

  /// Unused OpenSSL contexts, kept because creating one costs as much as hashing 200 bytes.
  ///
  /// Each is used by one caller at a time. There are at most as many as there were concurrent
  /// callers.
  final class ContextPool: Sendable {
    /// A pointer may move between threads, because the pool gives it to one caller at a time.
    private struct Idle: @unchecked Sendable {
      var contexts: [OpaquePointer] = []
    }

    private let idle = Mutex(Idle())
    private let make: @Sendable () -> OpaquePointer?

    init(_ make: @escaping @Sendable () -> OpaquePointer?) { self.make = make }

    /// Calls `body` with a context. Returns false if there is none or if `body` returns false.
    func withContext(_ body: (OpaquePointer) -> Bool) -> Bool {
      guard let context = idle.withLock({ $0.contexts.popLast() }) ?? make() else { return false }
      let succeeded = body(context)
      idle.withLock { $0.contexts.append(context) }
      return succeeded
    }
  }

  /// The setup of OpenSSL for this process.
  enum OpenSSL {
    /// Initialises OpenSSL without its exit handler, which frees what other threads may still use.
    ///
    /// It must run before anything else initialises OpenSSL, such as libcurl's global init. Repeated
    /// calls do nothing. Every digest calls it.
    static func prepare() { _ = prepared }

    private static let prepared: Bool = s3health_openssl_init() == 1
  }
#endif
