import CCrypto

/// The setup of OpenSSL for this process.
package enum OpenSSL {
  /// Initialises OpenSSL without its exit handler, which frees what other threads may still use.
  ///
  /// It must run before anything else initialises OpenSSL, such as libcurl's global init. Repeated
  /// calls do nothing. Every digest calls it.
  package static func prepare() { _ = prepared }

  private static let prepared: Bool = s3health_openssl_init() == 1
}
