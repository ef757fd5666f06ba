package import SigV4

/// A source of credentials for signing.
package protocol CredentialsProvider: Sendable {
  /// Credentials that are good now; cached, and renewed before they expire.
  ///
  /// May be called for every request from any task: the usual answer costs a lock.
  func credentials() async throws(CredentialsError) -> ResolvedCredentials

  /// Forgets what is cached, because the store called `rejected` expired or invalid; does nothing
  /// if something newer is cached already. Then ask for `credentials()` once more.
  func invalidate(_ rejected: ResolvedCredentials) async
}

/// Credentials, where they came from and how long they last.
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

/// Credentials that were given, as they are.
package struct StaticCredentials: CredentialsProvider {
  private let resolved: ResolvedCredentials

  package init(_ signing: SigningCredentials, source: String = "given") {
    resolved = ResolvedCredentials(signing, source: source)
  }

  package func credentials() async throws(CredentialsError) -> ResolvedCredentials { resolved }
  package func invalidate(_ rejected: ResolvedCredentials) async {}
}
