package import ObjectStore

/// A setting that can't be used: which one, why, and what to do.
package struct ConfigurationError: Error, Hashable, Sendable {
  /// What is wrong, as one clause that names the setting and its origin. Never contains a secret.
  package let message: String
  /// What to do next.
  package let remedy: StoreError.Remedy?

  package init(_ message: String, remedy: StoreError.Remedy? = nil) {
    (self.message, self.remedy) = (message, remedy)
  }
}

extension ConfigurationError: CustomStringConvertible {
  package var description: String { remedy.map { "\(message); \($0)" } ?? message }
}
