import ObjectStore
import S3Store

/// The selected profile: the settings of that name in both files.
///
/// If both files have a setting, the credentials file wins, as in the AWS CLI.
struct AWSProfile: Sendable {
  let name: String
  /// What selected it, such as `AWS_PROFILE`, `default`, or the caller's name for its own setting.
  let origin: String
  private let config: [String: AWSFile.Value]?
  private let credentials: [String: AWSFile.Value]?
  private let environment: AWSEnvironment

  /// The profile of a name; nil if neither file has it.
  init?(_ name: String, origin: String, in environment: AWSEnvironment) {
    self.init(name, origin, environment)
    guard exists else { return nil }
  }

  private init(_ name: String, _ origin: String, _ environment: AWSEnvironment) {
    (self.name, self.origin, self.environment) = (name, origin, environment)
    config = environment.configFile.profile(name, isCredentialsFile: false)
    credentials = environment.credentialsFile.profile(name, isCredentialsFile: true)
  }

  /// The profile that the caller, a variable or a configuration file names. Otherwise `default`,
  /// which need not exist.
  static func chosen(
    given flag: Sourced?, file: Sourced? = nil, in environment: AWSEnvironment
  ) throws(StoreError) -> AWSProfile {
    let variable = environment.setting(["AWS_PROFILE", "AWS_DEFAULT_PROFILE"])
    let given = flag ?? variable ?? file
    guard let given else { return AWSProfile("default", "default", environment) }
    let isOverruling = flag == nil && variable != nil
    let shown = isOverruling ? file.map(given.overruling) : nil
    let profile = AWSProfile(given.value, (shown ?? given).origin, environment)
    guard profile.exists || given.value == "default" else {
      throw StoreError(
        .invalidRequest,
        "the profile \"\(given.value)\", which \(given.origin) names, does not exist",
        remedy:
          "add [profile \(given.value)] to \(environment.configFile.name), or name another")
    }
    return profile
  }

  /// True if the caller or a configuration file selected it. Then its keys take precedence over
  /// those in variables.
  var goesBeforeVariables: Bool {
    // A value that a variable overrides is named after a comma.
    !["AWS_PROFILE", "AWS_DEFAULT_PROFILE", "default"].contains(origin.prefix { $0 != "," })
  }

  var exists: Bool { config != nil || credentials != nil }

  /// A setting's value and its place; nil if it is unset or empty.
  func setting(_ name: String) -> Sourced? {
    setting(name, inCredentialsFile: true) ?? setting(name, inCredentialsFile: false)
  }

  func setting(_ name: String, inCredentialsFile: Bool) -> Sourced? {
    guard case .text(let secret) = (inCredentialsFile ? credentials : config)?[name],
      !secret.revealed.isEmpty
    else { return nil }
    return Sourced(secret.revealed, by: place(inCredentialsFile: inCredentialsFile))
  }

  /// A setting of a nested block, such as `addressing_style` of `s3`.
  func setting(_ name: String, ofBlock block: String) -> Sourced? {
    for inCredentialsFile in [true, false] {
      guard case .block(let settings) = (inCredentialsFile ? credentials : config)?[block] else {
        continue
      }
      guard let value = settings[name]?.revealed, !value.isEmpty else { return nil }
      return Sourced(value, by: place(inCredentialsFile: inCredentialsFile))
    }
    return nil
  }

  /// `endpoint_url` of S3 in the `[services x]` section that the profile names.
  func serviceEndpoint() throws(StoreError) -> Sourced? {
    guard let services = setting("services") else { return nil }
    guard let section = environment.configFile.section("services", services.value) else {
      throw StoreError(
        .invalidRequest,
        "\(services.origin) names [services \(services.value)], which is not there",
        remedy: "add that section to \(environment.configFile.name), or remove the setting")
    }
    guard case .block(let settings) = section["s3"],
      let value = settings["endpoint_url"]?.revealed, !value.isEmpty
    else { return nil }
    return Sourced(
      value, by: "\(environment.configFile.name) [services \(services.value)] s3")
  }

  /// A place such as `~/.aws/config [profile x]`.
  func place(inCredentialsFile: Bool) -> String {
    inCredentialsFile
      ? "\(environment.credentialsFile.name) [\(name)]"
      : "\(environment.configFile.name) [\(name == "default" ? name : "profile \(name)")]"
  }
}

extension AWSEnvironment {
  /// The endpoint of S3 from variables and profile, in AWS's order; nil for AWS's own.
  func configuredEndpoint(_ profile: AWSProfile) throws(StoreError) -> Sourced? {
    if ignoresEndpoints(profile) { return nil }
    if let found = endpointVariable(profile) { return found }
    return try profile.serviceEndpoint() ?? profile.setting("endpoint_url")
  }

  func endpointVariable(_ profile: AWSProfile) -> Sourced? {
    if ignoresEndpoints(profile) { return nil }
    return setting(["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"])
  }

  private func ignoresEndpoints(_ profile: AWSProfile) -> Bool {
    let ignores =
      variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
      ?? profile.setting("ignore_configured_endpoint_urls")?.value
    return ignores?.lowercased() == "true"
  }

  /// The first of some variables that is set.
  func setting(_ variables: [String]) -> Sourced? {
    for name in variables {
      if let value = variable(name) { return Sourced(value, by: name) }
    }
    return nil
  }
}
