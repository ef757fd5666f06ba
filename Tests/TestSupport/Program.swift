package import Foundation
import Subprocess

/// A program under test, s3health or s3race, run as a user runs it: the real binary in a home of its
/// own.
package struct Program: Sendable {
  /// What a run left behind.
  package struct Run: Sendable {
    /// As shells see it: 128 and the number for a run that a signal ended.
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

  /// The file that is run.
  package var binary = path
  /// HOME of every run; removed with `removeHome`.
  package let home: URL
  /// Added to a bare environment.
  package var environment: [String: String] = [:]
  /// A program, with its first arguments, that is given the command line to run: `sh -c`, `prlimit`.
  package var wrapper: [String] = []
  /// Where runs begin, if not where the tests did.
  package var workingDirectory: String?

  /// A program with an empty home in the temporary folder.
  package init() throws {
    home = URL(filePath: NSTemporaryDirectory()).appending(path: "s3health-\(UUID())")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  package func removeHome() {
    try? FileManager.default.removeItem(at: home)
  }

  /// Makes a folder below HOME.
  package func folder(_ name: String) throws -> URL {
    let folder = home.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Makes a file below HOME and returns its path.
  package func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = home.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  /// Where the program lies: S3HEALTH_BINARY, else in the build folder with the tests that run.
  package static let path =
    ProcessInfo.processInfo.environment["S3HEALTH_BINARY"] ?? BuiltProgram.path("s3health")

  /// Where s3race lies: S3RACE_BINARY, else beside the tests too.
  package static let racePath =
    ProcessInfo.processInfo.environment["S3RACE_BINARY"] ?? BuiltProgram.path("s3race")

  /// How its messages begin.
  package var name: String { binary == Self.racePath ? "s3race" : "s3health" }

  /// s3race, in the same home.
  package var race: Program {
    var program = self
    program.binary = Self.racePath
    return program
  }

  /// Runs the program to its end.
  package func run(_ arguments: String..., input: [UInt8] = []) async throws -> Run {
    try await run(arguments, input: input)
  }

  package func run(_ arguments: [String], input: [UInt8] = []) async throws -> Run {
    let command = wrapper + [binary] + arguments
    let executable = command[0]
    // A file and not a pipe: a program that refuses its arguments reads none of it.
    let file = home.appending(path: ".input-\(UUID())")
    try Data(input).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    let result = try await TimeLimit.run(command.joined(separator: " ")) {
      try await Subprocess.run(
        executable.hasPrefix("/") ? .path(.init(executable)) : .name(executable),
        arguments: .init(Array(command.dropFirst())), environment: .custom(variables),
        workingDirectory: workingDirectory.map { .init($0) },
        input: .fileDescriptor(.init(rawValue: descriptor), closeAfterSpawningProcess: true),
        output: .string(limit: 64 << 20), error: .string(limit: 16 << 20))
    }
    let exitCode: Int
    switch result.terminationStatus {
    case .exited(let code): exitCode = Int(code)
    case .signaled(let signal): exitCode = 128 + Int(signal)
    }
    return Run(exitCode: exitCode, output: result.standardOutput, errors: result.standardError)
  }

  private var variables: [Subprocess.Environment.Key: String] {
    var variables: [Subprocess.Environment.Key: String] = [
      "HOME": home.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "AWS_EC2_METADATA_DISABLED": "true", "S3HEALTH_TIMEZONE": "Europe/Berlin",
    ]
    for (name, value) in environment { variables[.init(stringLiteral: name)] = value }
    return variables
  }
}
