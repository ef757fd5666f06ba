import ObjectStore
import S3Store
import Secrets
import SigV4

/// The source of credentials, chosen from the settings only, before any source is asked.
enum CredentialsPlan: Sendable {
  /// Keys from a variable or a file.
  case keys(ResolvedCredentials)
  /// A program of the user that prints keys.
  case process(command: Secret, source: String)

  /// The first source of AWS's default chain that is configured. One that is only partly configured,
  /// or that needs the AWS CLI, is an error, and not a reason to try the next one, which may be
  /// somebody else's.
  ///
  /// A profile that the caller or the program's own file names takes precedence over the variables,
  /// like the option of the AWS CLI.
  static func decide(
    _ environment: AWSEnvironment, profile: AWSProfile
  ) throws(StoreError) -> CredentialsPlan {
    if !profile.goesBeforeVariables {
      if let keys = try environmentKeys(environment) { return .keys(keys) }
      try refuse(["AWS_WEB_IDENTITY_TOKEN_FILE"], of: environment)
    }
    if let plan = try plan(profile) { return plan }
    try refuse(
      ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"],
      of: environment)
    throw StoreError(
      .notAuthorized, "no credentials in AWS_ACCESS_KEY_ID and profile \(profile.name)",
      remedy: """
        set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write aws_access_key_id and \
        aws_secret_access_key to \(environment.credentialsFile.name); for the role of this machine, \
        \(askAWSCLI)
        """)
  }

  private static let askAWSCLI =
    "write a profile with credential_process = aws configure export-credentials, and name it as "
    + "the store's profile"

  /// Variables by which a service gives keys to programs of AWS.
  private static func refuse(
    _ names: [String], of environment: AWSEnvironment
  ) throws(StoreError) {
    for name in names where environment.variable(name) != nil {
      throw StoreError(
        .invalidRequest, "\(name) is set, and only the AWS CLI can get keys by it",
        remedy: .text(askAWSCLI))
    }
  }

  /// The credentials that a profile configures; nil if there are none. A role takes precedence over
  /// keys, the credentials file's keys over a process, and a process over the config file's keys.
  private static func plan(_ profile: AWSProfile) throws(StoreError) -> CredentialsPlan? {
    try refuse(["role_arn"], of: profile)
    if let keys = try keys(profile, inCredentialsFile: true) { return .keys(keys) }
    if let process = profile.setting("credential_process") {
      return .process(
        command: Secret(process.value), source: "credential_process of \(process.origin)")
    }
    if let keys = try keys(profile, inCredentialsFile: false) { return .keys(keys) }
    try refuse(["sso_session", "sso_start_url", "login_session"], of: profile)
    return nil
  }

  private static func refuse(_ names: [String], of profile: AWSProfile) throws(StoreError) {
    for name in names {
      guard let setting = profile.setting(name) else { continue }
      throw StoreError(
        .invalidRequest, "\(setting.origin) has \(name), for which only the AWS CLI can get keys",
        remedy: .exportCredentials(profile: profile.name))
    }
  }

  private static func keys(
    _ profile: AWSProfile, inCredentialsFile: Bool
  ) throws(StoreError) -> ResolvedCredentials? {
    func setting(_ name: String) -> Sourced? {
      profile.setting(name, inCredentialsFile: inCredentialsFile)
    }
    guard let id = setting("aws_access_key_id") else { return nil }
    guard let secret = setting("aws_secret_access_key") else {
      throw StoreError(
        .invalidRequest, "\(id.origin) has aws_access_key_id without aws_secret_access_key",
        remedy: "add it")
    }
    let token = setting("aws_session_token") ?? setting("aws_security_token")
    return try ResolvedCredentials(
      checking: id.value, secret.value, token?.value, source: id.origin)
  }

  private static func environmentKeys(
    _ environment: AWSEnvironment
  ) throws(StoreError) -> ResolvedCredentials? {
    let id = environment.variable("AWS_ACCESS_KEY_ID")
    let secret = environment.variable("AWS_SECRET_ACCESS_KEY")
    if id == nil, secret == nil { return nil }
    guard let id, let secret else {
      let (set, unset) =
        id == nil ? ("SECRET_ACCESS_KEY", "ACCESS_KEY_ID") : ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY")
      throw StoreError(
        .invalidRequest, "AWS_\(set) is set and AWS_\(unset) is not", remedy: "set both or neither")
    }
    let token =
      environment.variable("AWS_SESSION_TOKEN") ?? environment.variable("AWS_SECURITY_TOKEN")
    return try ResolvedCredentials(checking: id, secret, token, source: "AWS_ACCESS_KEY_ID")
  }
}

extension ResolvedCredentials {
  /// Refuses characters that no key contains and that could change the meaning of a header line.
  init(
    checking id: String, _ secret: String, _ token: String?, source: String, expiresAt: Int? = nil
  ) throws(StoreError) {
    for (value, name) in [(id, "access key id"), (secret, "secret key"), (token, "session token")] {
      guard let value else { continue }
      guard !value.isEmpty, value.utf8.count <= 16 << 10,
        value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else {
        throw StoreError(
          .invalidRequest,
          "the \(name) of \(source) is empty or holds a space, line break or "
            + "character outside ASCII", remedy: "copy it again, without anything around it")
      }
    }
    self.init(
      SigningCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token),
      source: source, expiresAt: expiresAt)
  }
}
