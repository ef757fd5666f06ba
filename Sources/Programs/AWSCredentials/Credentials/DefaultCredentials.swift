import Digests
import Foundation
package import ObjectStore
package import S3Store
import SigV4
import Synchronization

/// Credentials from AWS's variables and files, and from programs that they name.
///
/// The first configured source is used. Its failure is reported, and not hidden by trying the next
/// one. If many tasks ask at once, the source is asked only once.
package final class DefaultCredentials: CredentialsProvider {
  private struct State {
    var cache = CredentialsCache()
    var renewal: Task<Result<ResolvedCredentials, StoreError>, Never>?
  }

  private let environment: AWSEnvironment
  private let configuration: S3Configuration
  private let processTimeout: Duration
  private let now: @Sendable () -> Int
  private let state = Mutex(State())

  package convenience init(environment: AWSEnvironment, configuration: S3Configuration) {
    self.init(
      environment: environment, configuration: configuration,
      now: { Int(Date().timeIntervalSince1970) })
  }

  /// - Parameter processTimeout: long enough for a person who has to touch a key or confirm in a browser.
  init(
    environment: AWSEnvironment, configuration: S3Configuration,
    processTimeout: Duration = .seconds(60), now: @escaping @Sendable () -> Int
  ) {
    // Otherwise libcurl would initialise OpenSSL, with its exit handler.
    DigestLibrary.prepare()
    (self.environment, self.configuration) = (environment, configuration)
    (self.processTimeout, self.now) = (processTimeout, now)
  }

  package func credentials() async throws(StoreError) -> ResolvedCredentials {
    let now = now()
    enum Step {
      case use(ResolvedCredentials)
      case wait(
        Task<Result<ResolvedCredentials, StoreError>, Never>, orUse: ResolvedCredentials?)
    }
    let step: Step = state.withLock { state in
      switch state.cache.next(now: now) {
      case .use(let credentials): return .use(credentials)
      case .renew(let fallback):
        let renewal = state.renewal ?? renewal()
        state.renewal = renewal
        return .wait(renewal, orUse: fallback)
      }
    }
    switch step {
    case .use(let credentials): return credentials
    case .wait(let renewal, let fallback):
      // A cancelled caller stops waiting; the renewal continues for the others.
      let result = await Deadline.run(.seconds(600)) { await renewal.value }
      switch result {
      case .success(let credentials): return credentials
      case .failure(let error):
        if let fallback { return fallback }
        throw error
      case nil: throw StoreError(.cancelled, "waiting for credentials was cancelled")
      }
    }
  }

  package func invalidate(_ rejected: ResolvedCredentials) async {
    state.withLock { $0.cache.invalidate(rejected) }
  }

  private func renewal() -> Task<Result<ResolvedCredentials, StoreError>, Never> {
    Task {
      let result: Result<ResolvedCredentials, StoreError>
      do throws(StoreError) {
        result = .success(try await fetch())
      } catch {
        result = .failure(error)
      }
      state.withLock { state in
        state.renewal = nil
        switch result {
        case .success(let credentials): state.cache.renewed(credentials, now: now())
        case .failure: state.cache.renewalFailed(now: now())
        }
      }
      return result
    }
  }

  private func fetch() async throws(StoreError) -> ResolvedCredentials {
    let credentials: ResolvedCredentials
    switch try CredentialsPlan.decide(environment, profile: profile()) {
    case .keys(let keys): credentials = keys
    case .process(let command, let source):
      credentials = try await CredentialProcess(
        command: command, source: source, timeout: processTimeout
      ).run(environment)
    }
    if let expiresAt = credentials.expiresAt, expiresAt <= now() {
      throw StoreError(
        .unavailable, "the credentials of \(credentials.source) have expired",
        remedy: "renew them, and check this machine's clock")
    }
    return credentials
  }

  private func profile() throws(StoreError) -> AWSProfile {
    let origin = configuration.origins.first { $0.setting == "profile" }?.origin
    guard let name = configuration.profile, let origin,
      let profile = AWSProfile(name, origin: origin, in: environment)
    else { return try AWSProfile.chosen(given: nil, in: environment) }
    return profile
  }
}

extension DefaultCredentials: CustomStringConvertible {
  package var description: String { "default credentials" }
}

/// Decides when credentials are renewed: a pure machine, used under a lock.
struct CredentialsCache: Sendable {
  private var cached: ResolvedCredentials?
  private var fetchedAt = 0
  /// After a failed early renewal, no other is tried before this time.
  private var retryAt = 0

  enum Action: Sendable {
    case use(ResolvedCredentials)
    /// Ask the source. If that fails, use the cached credentials, if there are any.
    case renew(orUse: ResolvedCredentials?)
  }

  /// Credentials are renewed in the last quarter of their life, or in its last 5 minutes if those
  /// are shorter. If renewal fails, they are used until they expire.
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

  /// Drops rejected credentials if they are still the cached ones.
  mutating func invalidate(_ rejected: ResolvedCredentials) {
    if cached?.signing == rejected.signing { cached = nil }
  }
}
