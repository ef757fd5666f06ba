import SigV4

/// All that AWS tools read besides the command line: the variables and the two files.
///
/// Every value counts as a secret: no description or mirror shows one.
package struct AWSEnvironment: Sendable {
  private let variables: [String: Secret]
  let configFile: AWSFile
  let credentialsFile: AWSFile
  /// For `~/` in a setting.
  let homeDirectory: String

  /// An environment of variables and file contents that are at hand; no effects.
  package init(
    variables: [String: String], config: [UInt8] = [], credentials: [UInt8] = [],
    homeDirectory: String = ""
  ) throws(ConfigurationError) {
    try self.init(
      variables: variables, homeDirectory: homeDirectory,
      config: AWSFileParser.parse(
        config, name: Self.configName(variables)),
      credentials: AWSFileParser.parse(
        credentials, name: Self.credentialsName(variables)))
  }

  init(
    variables: [String: String], homeDirectory: String, config: AWSFile, credentials: AWSFile
  ) {
    self.variables = variables.mapValues(Secret.init)
    self.homeDirectory = homeDirectory
    (configFile, credentialsFile) = (config, credentials)
  }

  /// A variable's value; nil where it is unset or empty, which AWS tools treat alike.
  func variable(_ name: String) -> String? {
    guard let value = variables[name]?.revealed, !value.isEmpty else { return nil }
    return value
  }

  /// For a child process.
  var allVariables: [String: String] { variables.mapValues(\.revealed) }

  /// Every value that may be a key or token: no error may quote one.
  var secrets: [Secret] {
    var secrets: [Secret] = []
    for (name, value) in variables {
      if ["SECRET", "TOKEN", "PASSWORD"].contains(where: { name.uppercased().contains($0) }) {
        secrets.append(value)
      }
    }
    for file in [configFile, credentialsFile] {
      for settings in file.sections.values {
        for (name, value) in settings {
          if case .text(let secret) = value, name.contains("secret") || name.contains("token") {
            secrets.append(secret)
          }
        }
      }
    }
    return secrets
  }

  /// True for a variable that says `true`, in any case.
  func isTrue(_ name: String) -> Bool { variable(name)?.lowercased() == "true" }

  /// A path in which `~/` means the home directory.
  func expanded(_ path: String) -> String {
    path.hasPrefix("~/") ? homeDirectory + path.dropFirst() : path
  }

  static func configName(_ variables: [String: String]) -> String {
    name(variables["AWS_CONFIG_FILE"], "~/.aws/config")
  }

  static func credentialsName(_ variables: [String: String]) -> String {
    name(variables["AWS_SHARED_CREDENTIALS_FILE"], "~/.aws/credentials")
  }

  private static func name(_ given: String?, _ usual: String) -> String {
    guard let given, !given.isEmpty else { return usual }
    return given
  }
}

extension AWSEnvironment: CustomStringConvertible {
  package var description: String { "AWS environment" }
}
