/// When credentials are renewed: a pure machine, asked under a lock.
struct CredentialsCache: Sendable {
  private var cached: ResolvedCredentials?
  private var fetchedAt = 0
  /// No early renewal is tried before, after one has failed.
  private var retryAt = 0

  enum Action: Sendable {
    case use(ResolvedCredentials)
    /// Ask the source; if that fails, use what is here, if anything.
    case renew(orUse: ResolvedCredentials?)
  }

  /// Credentials are renewed in the last quarter of their life, or its last 5 minutes if those are
  /// shorter, and used to the end where that fails.
  func next(now: Int) -> Action {
    guard let cached else { return .renew(orUse: nil) }
    guard let expiresAt = cached.expiresAt else { return .use(cached) }
    guard expiresAt > now else { return .renew(orUse: nil) }
    let margin = min(300, max(0, expiresAt - fetchedAt) / 4)
    return expiresAt - now > margin || now < retryAt ? .use(cached) : .renew(orUse: cached)
  }

  mutating func renewed(_ credentials: ResolvedCredentials, now: Int) {
    (cached, fetchedAt, retryAt) = (credentials, now, 0)
  }

  mutating func renewalFailed(now: Int) { retryAt = now + 30 }

  /// Forgets what was rejected, if it is still what is cached.
  mutating func invalidate(_ rejected: ResolvedCredentials) {
    if cached?.signing == rejected.signing { cached = nil }
  }
}
