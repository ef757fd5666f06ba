import SigV4

/// A role that a token in a file stands for.
struct WebIdentityRole: Hashable, Sendable {
  let roleARN: String
  let sessionName: String?
  let tokenFile: String

  /// The role of AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN; nil where the first is not set.
  static func read(_ environment: AWSEnvironment) throws(CredentialsError) -> WebIdentityRole? {
    guard let file = environment.variable("AWS_WEB_IDENTITY_TOKEN_FILE") else { return nil }
    guard let role = environment.variable("AWS_ROLE_ARN") else {
      throw CredentialsError(
        .misconfigured, "AWS_WEB_IDENTITY_TOKEN_FILE is set and AWS_ROLE_ARN is not",
        remedy: "set both or neither")
    }
    return WebIdentityRole(
      roleARN: role, sessionName: environment.variable("AWS_ROLE_SESSION_NAME"), tokenFile: file)
  }
}

/// A role that other credentials may take.
struct AssumedRole: Hashable, Sendable {
  let roleARN: String
  let sessionName: String?
  let externalID: Secret?
  let durationSeconds: Int?
}
