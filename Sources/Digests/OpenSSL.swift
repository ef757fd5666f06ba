import CCrypto

/// OpenSSL as this process uses it.
package enum OpenSSL {
  /// Initialises OpenSSL without its exit handler, which frees what other threads may still use.
  ///
  /// Must come before anything else initialises it, such as libcurl's global start; repeated calls
  /// do nothing. Every digest calls it.
  package static func prepare() { _ = prepared }

  private static let prepared: Bool = s3health_openssl_init() == 1
}
