import Foundation

extension AWSEnvironment {
  /// Reads `~/.aws/config` and `~/.aws/credentials`, or the files that AWS_CONFIG_FILE and
  /// AWS_SHARED_CREDENTIALS_FILE name; an absent file is empty.
  package static func read(
    variables: [String: String], homeDirectory: String
  ) throws(ConfigurationError) -> AWSEnvironment {
    try AWSEnvironment(
      variables: variables, homeDirectory: homeDirectory,
      config: file(configName(variables), homeDirectory),
      credentials: file(credentialsName(variables), homeDirectory))
  }

  private static func file(
    _ name: String, _ homeDirectory: String
  ) throws(ConfigurationError) -> AWSFile {
    let path = name.hasPrefix("~/") ? homeDirectory + name.dropFirst() : name
    guard FileManager.default.fileExists(atPath: path) else { return AWSFile(name: name) }
    do {
      return try AWSFileParser.parse(
        SmallFile.read(path, maximumBytes: AWSFileParser.maximumBytes), name: name)
    } catch let error as ConfigurationError {
      throw error
    } catch {
      throw ConfigurationError(
        "\(name) can't be read", remedy: "make it a file that this user may read")
    }
  }
}

/// A file that ought to be small.
enum SmallFile {
  /// At most `maximumBytes` and one more, by which the caller can tell that there is more.
  static func read(_ path: String, maximumBytes: Int) throws -> [UInt8] {
    let handle = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? handle.close() }
    return [UInt8](try handle.read(upToCount: maximumBytes + 1) ?? Data())
  }
}
