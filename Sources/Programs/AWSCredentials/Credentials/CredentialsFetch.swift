import HTTPClient
import ObjectStore
import S3Store

/// Carries out a `CredentialsPlan`.
struct CredentialsFetch: Sendable {
  let environment: AWSEnvironment
  let configuration: S3Configuration
  let transport: any HTTPTransport
  let processTimeout: Duration
  let now: @Sendable () -> Int

  func fetch() async throws(StoreError) -> ResolvedCredentials {
    let profile = try profile()
    let credentials = try await fetch(
      CredentialsPlan.decide(environment, profile: profile), profile)
    if let expiresAt = credentials.expiresAt, expiresAt <= now() {
      throw StoreError(
        .unavailable, "the credentials of \(credentials.source) have expired",
        remedy: "renew them, and check this machine's clock")
    }
    return credentials
  }

  private func fetch(
    _ plan: CredentialsPlan, _ profile: AWSProfile
  ) async throws(StoreError) -> ResolvedCredentials {
    switch plan {
    case .keys(let credentials):
      return credentials
    case .process(let command, let source):
      return try await CredentialProcess(
        command: command, source: source, timeout: processTimeout
      ).run(environment)
    case .webIdentity(let role, let source):
      return try await service(profile).assume(role, source: source)
    case .assumeRole(let role, let base, let source):
      let credentials = try await fetch(base, profile)
      return try await service(profile).assume(
        role, with: credentials.signing, secondsSince1970: now(), source: source)
    case .container(let endpoint):
      return try await endpoint.fetch(transport)
    case .instanceMetadata(let metadata):
      guard let credentials = try await metadata.fetch(transport) else {
        throw CredentialsPlan.notFound(environment, profile)
      }
      return credentials
    }
  }

  private func service(
    _ profile: AWSProfile
  ) throws(StoreError) -> SecurityTokenService {
    try SecurityTokenService(
      environment, profile, configuration: configuration, transport: transport)
  }

  /// The profile that the configuration was resolved with.
  private func profile() throws(StoreError) -> AWSProfile {
    let origin = configuration.origins.first { $0.setting == "profile" }?.origin
    guard let name = configuration.profile, let origin,
      let profile = AWSProfile(name, origin: origin, in: environment)
    else { return try AWSProfile.chosen(given: nil, in: environment) }
    return profile
  }
}
