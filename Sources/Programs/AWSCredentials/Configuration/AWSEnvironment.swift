import Foundation
package import ObjectStore
import Secrets

/// Everything that AWS tools read in addition to the command line: the variables and the two files.
///
/// Every value is treated as a secret: no description or mirror shows one.
package struct AWSEnvironment: Sendable {
  private let variables: [String: Secret]
  let configFile: AWSFile
  let credentialsFile: AWSFile
  /// Replaces `~/` in a setting.
  let homeDirectory: String

  /// An environment made of variables and file contents; no effects.
  package init(
    variables: [String: String], config: [UInt8] = [], credentials: [UInt8] = [],
    homeDirectory: String = ""
  ) throws(StoreError) {
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

  /// A variable's value; nil if it is unset or empty, which AWS tools treat alike.
  func variable(_ name: String) -> String? {
    guard let value = variables[name]?.revealed, !value.isEmpty else { return nil }
    return value
  }

  /// For a child process.
  var allVariables: [String: String] { variables.mapValues(\.revealed) }

  /// Every value that may be a key or token. Errors must not quote any of them.
  var secrets: [Secret] {
    var secrets: [Secret] = []
    for (name, value) in variables {
      if Self.saysSecret(name.lowercased()) || name.lowercased().firstRange(of: "password") != nil {
        secrets.append(value)
      }
    }
    for file in [configFile, credentialsFile] {
      for settings in file.sections.values {
        for (name, value) in settings {
          if case .text(let secret) = value, Self.saysSecret(name) {
            secrets.append(secret)
          }
        }
      }
    }
    return secrets
  }

  private static func saysSecret(_ name: String) -> Bool {
    name.firstRange(of: "secret") != nil || name.firstRange(of: "token") != nil
  }

  /// A path with `~/` replaced by the home directory.
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

extension AWSEnvironment {
  /// Reads `~/.aws/config` and `~/.aws/credentials`, or the files that AWS_CONFIG_FILE and
  /// AWS_SHARED_CREDENTIALS_FILE name. A missing file counts as empty.
  package static func read(
    variables: [String: String], homeDirectory: String
  ) throws(StoreError) -> AWSEnvironment {
    try AWSEnvironment(
      variables: variables, homeDirectory: homeDirectory,
      config: file(configName(variables), homeDirectory),
      credentials: file(credentialsName(variables), homeDirectory))
  }

  private static func file(
    _ name: String, _ homeDirectory: String
  ) throws(StoreError) -> AWSFile {
    let path = name.hasPrefix("~/") ? homeDirectory + name.dropFirst() : name
    guard FileManager.default.fileExists(atPath: path) else { return AWSFile(name: name) }
    do {
      return try AWSFileParser.parse(
        SmallFile.read(path, maximumBytes: AWSFileParser.maximumBytes), name: name)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(
        .invalidRequest, "\(name) can't be read", remedy: "make it a file that this user may read")
    }
  }
}
