package import ObjectStore
package import SigV4

/// A source of credentials for signing.
package protocol CredentialsProvider: Sendable {
  /// Valid credentials; cached, and renewed before they expire.
  ///
  /// May be called for every request and from any task: usually it costs only a lock.
  func credentials() async throws(StoreError) -> ResolvedCredentials

  /// Drops the cached credentials because the store reported `rejected` as expired or invalid. Does
  /// nothing if newer ones are already cached. Call `credentials()` again afterwards.
  func invalidate(_ rejected: ResolvedCredentials) async
}

/// Credentials, their source and their expiry.
package struct ResolvedCredentials: Hashable, Sendable {
  package let signing: SigningCredentials
  /// Such as `AWS_ACCESS_KEY_ID` or `~/.aws/credentials [default]`.
  package let source: String
  /// Seconds since 1970; nil if they do not expire.
  package let expiresAt: Int?

  package init(_ signing: SigningCredentials, source: String, expiresAt: Int? = nil) {
    (self.signing, self.source, self.expiresAt) = (signing, source, expiresAt)
  }
}

/// Fixed credentials.
package struct StaticCredentials: CredentialsProvider {
  private let resolved: ResolvedCredentials

  package init(_ signing: SigningCredentials, source: String = "given") {
    resolved = ResolvedCredentials(signing, source: source)
  }

  package func credentials() async throws(StoreError) -> ResolvedCredentials { resolved }
  package func invalidate(_ rejected: ResolvedCredentials) async {}
}
