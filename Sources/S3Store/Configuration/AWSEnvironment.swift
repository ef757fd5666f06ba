/// All that AWS tools read besides the command line: the variables and the two files.
///
/// Holds secrets; its description and mirror show none.
package struct AWSEnvironment: Sendable {
  /// The process's environment.
  package let variables: [String: String]

  package init(variables: [String: String]) {
    self.variables = variables
  }

  /// Reads `~/.aws/config` and `~/.aws/credentials`, or the files that AWS_CONFIG_FILE and
  /// AWS_SHARED_CREDENTIALS_FILE name; an absent file is empty.
  package static func read(
    variables: [String: String], homeDirectory: String
  ) throws(ConfigurationError) -> AWSEnvironment {
    AWSEnvironment(variables: variables)
  }
}

extension S3Configuration {
  /// The configuration of `s3://bucket/prefix`, by AWS's order of precedence: flags, variables,
  /// profile, defaults. No effects.
  package static func resolve(
    url: String, flags: S3Flags, environment: AWSEnvironment
  ) throws(ConfigurationError) -> S3Configuration {
    throw ConfigurationError("not built")
  }
}
