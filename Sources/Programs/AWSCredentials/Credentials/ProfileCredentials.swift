import ObjectStore
import S3Store
import Secrets

/// The credentials that a profile configures.
struct ProfileCredentials {
  private let environment: AWSEnvironment
  /// Profiles visited before this one through `source_profile`.
  private let visited: [String]

  init(_ environment: AWSEnvironment, visited: [String] = []) {
    (self.environment, self.visited) = (environment, visited)
  }

  /// Nil if the profile configures none. A role takes precedence over keys, the credentials file's
  /// keys over a process, and a process over the config file's keys.
  func plan(_ profile: AWSProfile) throws(StoreError) -> CredentialsPlan? {
    let isRevisited = visited.contains(profile.name)
    if let role = profile.setting("role_arn"), !isRevisited { return try plan(profile, role) }
    if let keys = try keys(profile, inCredentialsFile: true) { return .keys(keys) }
    if let process = profile.setting("credential_process") {
      return .process(
        command: Secret(process.value), source: "credential_process of \(process.origin)")
    }
    if let keys = try keys(profile, inCredentialsFile: false) { return .keys(keys) }
    if let sso = profile.setting("sso_session") ?? profile.setting("sso_start_url") {
      throw StoreError(
        .invalidRequest, "\(sso.origin) signs in by SSO, which is not supported",
        remedy: .exportCredentials(profile: profile.name))
    }
    if let login = profile.setting("login_session") {
      throw StoreError(
        .invalidRequest, "\(login.origin) signs in by `aws login`, which is not supported",
        remedy: .exportCredentials(profile: profile.name))
    }
    return nil
  }

  private func keys(
    _ profile: AWSProfile, inCredentialsFile: Bool
  ) throws(StoreError) -> ResolvedCredentials? {
    func setting(_ name: String) -> FoundSetting? {
      profile.setting(name, inCredentialsFile: inCredentialsFile)
    }
    guard let id = setting("aws_access_key_id") else { return nil }
    guard let secret = setting("aws_secret_access_key") else {
      throw StoreError(
        .invalidRequest, "\(id.origin) has aws_access_key_id without aws_secret_access_key",
        remedy: "add it")
    }
    let token = setting("aws_session_token") ?? setting("aws_security_token")
    return try StaticKeys.checked(id.value, secret.value, token?.value, source: id.origin)
  }

  private func plan(
    _ profile: AWSProfile, _ role: FoundSetting
  ) throws(StoreError) -> CredentialsPlan {
    let source = "role_arn of \(role.origin)"
    if let mfa = profile.setting("mfa_serial") {
      throw StoreError(
        .invalidRequest, "\(mfa.origin) needs a code of an MFA device",
        remedy: "get session credentials with that code, and give them as variables")
    }
    let session = profile.setting("role_session_name")?.value
    if let file = profile.setting("web_identity_token_file") {
      return .webIdentity(
        WebIdentityRole(
          roleARN: role.value, sessionName: session, tokenFile: environment.expanded(file.value)),
        source: source)
    }
    let assumed = AssumedRole(
      roleARN: role.value, sessionName: session,
      externalID: profile.setting("external_id").map { Secret($0.value) },
      durationSeconds: try duration(profile))
    if let name = profile.setting("source_profile") {
      return .assumeRole(assumed, base: try base(name, of: profile), source: source)
    }
    if let name = profile.setting("credential_source") {
      return .assumeRole(assumed, base: try base(credentialSource: name), source: source)
    }
    throw StoreError(
      .invalidRequest, "\(role.origin) has role_arn, and nothing that may take that role",
      remedy: "add source_profile, credential_source or web_identity_token_file")
  }

  private func base(
    _ name: FoundSetting, of profile: AWSProfile
  ) throws(StoreError) -> CredentialsPlan {
    // A profile may be its own source, with the keys next to its role.
    guard name.value == profile.name || !visited.contains(name.value) else {
      throw StoreError(
        .invalidRequest, "\(name.origin) leads back to itself by source_profile",
        remedy: "let the last profile have keys")
    }
    guard visited.count < 8,
      let source = AWSProfile(name.value, origin: name.origin, in: environment)
    else {
      throw StoreError(
        .invalidRequest,
        "\(name.origin) names source_profile \"\(name.value)\", which is not there",
        remedy: "add that profile")
    }
    let next = ProfileCredentials(environment, visited: visited + [profile.name])
    guard let plan = try next.plan(source) else {
      throw StoreError(
        .invalidRequest, "source_profile \"\(name.value)\" of \(name.origin) has no credentials",
        remedy: "add aws_access_key_id and aws_secret_access_key to it")
    }
    return plan
  }

  private func base(
    credentialSource name: FoundSetting
  ) throws(StoreError) -> CredentialsPlan {
    let plan: CredentialsPlan? =
      switch name.value {
      case "Environment": try EnvironmentKeys.read(environment).map(CredentialsPlan.keys)
      case "EcsContainer": try ContainerEndpoint.read(environment).map(CredentialsPlan.container)
      case "Ec2InstanceMetadata":
        try InstanceMetadata.read(environment).map(CredentialsPlan.instanceMetadata)
      default:
        throw StoreError(
          .invalidRequest, "\(name.origin) has an unknown credential_source",
          remedy: "use Environment, EcsContainer or Ec2InstanceMetadata")
      }
    guard let plan else {
      throw StoreError(
        .invalidRequest, "credential_source \(name.value) of \(name.origin) has no credentials",
        remedy: "set its variables, or name another source")
    }
    return plan
  }

  private func duration(_ profile: AWSProfile) throws(StoreError) -> Int? {
    guard let setting = profile.setting("duration_seconds") else { return nil }
    guard let seconds = Int(setting.value), (900...43200).contains(seconds) else {
      throw StoreError(
        .invalidRequest, "duration_seconds of \(setting.origin) is not a number from 900 to 43200",
        remedy: "correct or remove it")
    }
    return seconds
  }
}
