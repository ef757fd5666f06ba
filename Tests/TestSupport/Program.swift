package import Foundation
import Subprocess

/// The program under test, run as a user runs it: the real binary in a home of its own.
package struct Program: Sendable {
  /// What a run left behind.
  package struct Run: Sendable {
    package let exitCode: Int
    package let output: String
    package let errors: String

    /// The document on stdout.
    package func json() throws -> [String: Any] {
      let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
      guard let object = value as? [String: Any] else {
        throw Failure(description: "stdout is not one JSON object: \(output)")
      }
      return object
    }
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// HOME of every run; removed with `removeHome`.
  package let home: URL
  /// Added to a bare environment.
  package var environment: [String: String] = [:]

  /// A program with an empty home in the temporary folder.
  package init() throws {
    home = URL(filePath: NSTemporaryDirectory()).appending(path: "s3health-\(UUID())")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  package func removeHome() {
    try? FileManager.default.removeItem(at: home)
  }

  /// Where the program lies: S3HEALTH_BINARY, else beside the tests that run.
  package static var path: String {
    ProcessInfo.processInfo.environment["S3HEALTH_BINARY"]
      ?? Bundle.main.bundleURL.deletingLastPathComponent().appending(path: "s3health").path
  }

  /// Runs the program to its end.
  package func run(_ arguments: String..., input: [UInt8] = []) async throws -> Run {
    try await run(arguments, input: input)
  }

  package func run(_ arguments: [String], input: [UInt8] = []) async throws -> Run {
    var variables: [Subprocess.Environment.Key: String] = [
      "HOME": home.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "AWS_EC2_METADATA_DISABLED": "true", "S3HEALTH_TIMEZONE": "Europe/Berlin",
    ]
    for (name, value) in environment { variables[.init(stringLiteral: name)] = value }
    let result = try await Subprocess.run(
      .path(.init(Self.path)), arguments: .init(arguments), environment: .custom(variables),
      input: .array(input), output: .string(limit: 64 << 20), error: .string(limit: 16 << 20))
    let exitCode: Int
    switch result.terminationStatus {
    case .exited(let code): exitCode = Int(code)
    case .signaled(let signal): exitCode = 128 + Int(signal)
    }
    return Run(exitCode: exitCode, output: result.standardOutput, errors: result.standardError)
  }
}
