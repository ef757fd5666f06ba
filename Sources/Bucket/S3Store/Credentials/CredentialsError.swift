package import ObjectStore

/// Why there are no credentials: which source, what it reported, and what to do.
package struct CredentialsError: Error, Hashable, Sendable {
  package enum Code: String, Hashable, Sendable {
    /// No source has credentials.
    case notFound
    /// A source is configured wrongly: incomplete keys, an unknown profile, a bad URL.
    case misconfigured
    /// A source is configured but failed to provide credentials.
    case sourceFailed
    /// The task was cancelled.
    case cancelled
  }

  package let code: Code
  /// One clause that names the source. Never contains a secret.
  package let message: String
  /// What to do next.
  package let remedy: StoreError.Remedy?

  package init(_ code: Code, _ message: String, remedy: StoreError.Remedy? = nil) {
    (self.code, self.message, self.remedy) = (code, message, remedy)
  }

  /// A setting of a source that can't be used.
  package init(_ error: ConfigurationError) {
    self.init(.misconfigured, error.message, remedy: error.remedy)
  }
}

extension CredentialsError: CustomStringConvertible {
  package var description: String { remedy.map { "\(message); \($0)" } ?? message }
}
