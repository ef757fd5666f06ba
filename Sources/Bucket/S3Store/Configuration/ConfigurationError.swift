package import ObjectStore

/// A bucket setting that can't be used, or missing credentials: which one, why, and what to do.
package struct ConfigurationError: Error, Hashable, Sendable {
  package enum Code: String, Hashable, Sendable {
    /// A setting is wrong: incomplete keys, an unknown profile, a bad URL.
    case misconfigured
    /// No source has credentials.
    case notFound
    /// A configured source did not provide credentials.
    case sourceFailed
    /// The task was cancelled.
    case cancelled
  }

  package let code: Code
  /// What is wrong, as one clause that names the setting and its origin, or the source of the
  /// credentials. Never contains a secret.
  package let message: String
  /// What to do next.
  package let remedy: StoreError.Remedy?

  /// A setting that can't be used.
  package init(_ message: String, remedy: StoreError.Remedy? = nil) {
    self.init(.misconfigured, message, remedy: remedy)
  }

  package init(_ code: Code, _ message: String, remedy: StoreError.Remedy? = nil) {
    (self.code, self.message, self.remedy) = (code, message, remedy)
  }
}

extension ConfigurationError: CustomStringConvertible {
  package var description: String { remedy.map { "\(message); \($0)" } ?? message }
}
