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

    /// The documents on stdout, one a line.
    package func lines() throws -> [[String: Any]] {
      try output.split(separator: "\n").map {
        try Run(exitCode: exitCode, output: String($0), errors: errors).json()
      }
    }

    /// What a command that publishes did with each day.
    package func results() throws -> [[String: Any]] {
      guard let results = try json()["results"] as? [[String: Any]] else {
        throw Failure(description: "the document has no results: \(output)")
      }
      return results
    }
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The file that is run.
  package var binary = path
  /// HOME of every run; removed with the last copy of this value.
  package let home: URL
  private let folder: Folder
  /// Added to a bare environment.
  package var environment: [String: String]
  /// A program, with its first arguments, that is given the command line to run: `sh -c`, `prlimit`.
  package var wrapper: [String] = []
  /// Where runs begin, if not where the tests did.
  package var workingDirectory: String?

  /// A program with an empty home in the temporary folder, and what is added to a bare environment.
  package init(_ environment: [String: String] = [:]) throws {
    self.environment = environment
    home = URL(filePath: NSTemporaryDirectory()).appending(path: "s3health-\(UUID())")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    folder = Folder(home)
  }

  /// Removes a folder when nobody uses it any more.
  private final class Folder: Sendable {
    let url: URL
    init(_ url: URL) { self.url = url }
    deinit { try? FileManager.default.removeItem(at: url) }
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

  package func file(_ name: String, _ text: String) throws -> String {
    try file(name, Array(text.utf8))
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
  package func run(
    _ arguments: String..., input: some ProgramInput = [UInt8]()
  ) async throws -> Run {
    try await run(arguments, input: input)
  }

  package func run(
    _ arguments: [String], input: some ProgramInput = [UInt8]()
  ) async throws -> Run {
    let command = wrapper + [binary] + arguments
    let executable = command[0]
    // A file and not a pipe: a program that refuses its arguments reads none of it.
    let file = home.appending(path: ".input-\(UUID())")
    try Data(input.bytes).write(to: file)
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

/// What a program finds on its stdin.
package protocol ProgramInput: Sendable {
  var bytes: [UInt8] { get }
}

extension String: ProgramInput {
  package var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8]: ProgramInput {
  package var bytes: [UInt8] { self }
}

/// A payload of Health Auto Export with rows of steps.
package func stepPayload(_ rows: String) -> String {
  #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[\#(rows)]}]}}"#
}

package func setMode(_ path: String, _ mode: Int) throws {
  try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

package func setModified(_ path: String, _ moment: Date) throws {
  try FileManager.default.setAttributes([.modificationDate: moment], ofItemAtPath: path)
}
