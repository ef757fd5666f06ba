import Foundation
import Subprocess
import TestSupport
import Testing

/// The StoreWriter program that was built with these tests.
enum WriterProgram {
  struct Run {
    let lines: [String]
    let wasKilled: Bool
    let succeeded: Bool
  }

  private static let path = BuiltProgram.path("StoreWriter")

  /// Runs the program to its end, whichever that is.
  static func run(_ arguments: [String]) async throws -> Run {
    let result = try await Subprocess.run(
      .path(.init(path)), arguments: .init(arguments), output: .string(limit: 1 << 22),
      error: .string(limit: 1 << 16))
    return Run(
      lines: result.standardOutput.split(separator: "\n").map(String.init),
      wasKilled: result.terminationStatus == .signaled(SIGKILL),
      succeeded: result.terminationStatus.isSuccess)
  }
}
