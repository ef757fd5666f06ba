package import Foundation
import Subprocess

/// Runs an independent implementation (botocore, jsonschema, zoneinfo, ...) as a Python script.
package enum PeerPython {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Runs `Tests/Peers/<script>` with `input` on stdin and returns its stdout.
  ///
  /// Throws if the peers' virtual environment is absent: `scripts/test` makes it.
  package static func run(
    _ script: String, arguments: [String] = [], input: [UInt8] = []
  ) async throws -> [UInt8] {
    let python = try interpreter()
    let path = ProjectTree.root.appending(path: "Tests/Peers/\(script)").path
    let result = try await Subprocess.run(
      .path(.init(python)), arguments: .init([path] + arguments), input: .array(input),
      output: .bytes(limit: 256 << 20), error: .string(limit: 1 << 20))
    guard result.terminationStatus.isSuccess else {
      throw Failure(
        description: "\(script): \(result.terminationStatus): \(result.standardError)")
    }
    return result.standardOutput
  }

  /// The interpreter of the peers' virtual environment.
  static func interpreter() throws -> String {
    guard let python = ProcessInfo.processInfo.environment["S3HEALTH_PEER_PYTHON"] else {
      throw Failure(description: "S3HEALTH_PEER_PYTHON is not set; run the tests by scripts/test")
    }
    return python
  }
}

/// Where this checkout lies.
package enum ProjectTree {
  /// The folder of Package.swift.
  package static var root: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }
}
