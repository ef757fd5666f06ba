import ObjectStore
import S3Store
import Secrets

/// The source of credentials, chosen from the settings only, before any source is asked.
indirect enum CredentialsPlan: Sendable {
  /// Keys from a variable or a file.
  case keys(ResolvedCredentials)
  /// A program of the user that prints keys.
  case process(command: Secret, source: String)
  /// A role for the token in a file, through STS.
  case webIdentity(WebIdentityRole, source: String)
  /// A role that other credentials assume, through STS.
  case assumeRole(AssumedRole, base: CredentialsPlan, source: String)
  /// The container's agent.
  case container(ContainerEndpoint)
  /// The machine's own role (IMDSv2).
  case instanceMetadata(InstanceMetadata)
}

extension CredentialsPlan {
  /// AWS's default chain: the first configured source is used. A source that is only partly
  /// configured is an error, and not a reason to try the next one.
  ///
  /// A profile that the caller or the program's own file names takes precedence over the variables,
  /// like the option of the AWS CLI.
  static func decide(
    _ environment: AWSEnvironment, profile: AWSProfile
  ) throws(StoreError) -> CredentialsPlan {
    if !profile.goesBeforeVariables {
      if let keys = try EnvironmentKeys.read(environment) { return .keys(keys) }
      if let role = try WebIdentityRole.read(environment) {
        return .webIdentity(role, source: "AWS_WEB_IDENTITY_TOKEN_FILE")
      }
    }
    if let plan = try ProfileCredentials(environment).plan(profile) { return plan }
    if let endpoint = try ContainerEndpoint.read(environment) { return .container(endpoint) }
    guard let metadata = try InstanceMetadata.read(environment) else {
      throw notFound(environment, profile)
    }
    return .instanceMetadata(metadata)
  }

  static func notFound(
    _ environment: AWSEnvironment, _ profile: AWSProfile
  ) -> StoreError {
    StoreError(
      .notAuthorized,
      "no credentials in AWS_ACCESS_KEY_ID, profile \(profile.name), container or instance metadata",
      remedy: """
        set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write aws_access_key_id and \
        aws_secret_access_key to \(environment.credentialsFile.name)
        """)
  }
}

/// A role for the token in a file.
struct WebIdentityRole: Hashable, Sendable {
  let roleARN: String
  let sessionName: String?
  let tokenFile: String

  /// The role of AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN; nil if the first is not set.
  static func read(_ environment: AWSEnvironment) throws(StoreError) -> WebIdentityRole? {
    guard let file = environment.variable("AWS_WEB_IDENTITY_TOKEN_FILE") else { return nil }
    guard let role = environment.variable("AWS_ROLE_ARN") else {
      throw StoreError(
        .invalidRequest, "AWS_WEB_IDENTITY_TOKEN_FILE is set and AWS_ROLE_ARN is not",
        remedy: "set both or neither")
    }
    return WebIdentityRole(
      roleARN: role, sessionName: environment.variable("AWS_ROLE_SESSION_NAME"), tokenFile: file)
  }
}

/// A role that other credentials assume.
struct AssumedRole: Hashable, Sendable {
  let roleARN: String
  let sessionName: String?
  let externalID: Secret?
  let durationSeconds: Int?
}
