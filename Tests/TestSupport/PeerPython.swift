package import Foundation
import Subprocess

/// Runs an independent implementation (botocore, jsonschema, zoneinfo, ...) as a Python script.
package enum PeerPython {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The virtual environments, by the variables that name their interpreters.
  package enum Venv: String, Sendable {
    case peers = "S3HEALTH_PEER_PYTHON"
    case all = "S3HEALTH_PEER_PYTHON_ALL"
    case mcp1 = "S3HEALTH_PEER_PYTHON_MCP_1"
    case fastmcp = "S3HEALTH_PEER_PYTHON_FASTMCP"
    case engines = "S3HEALTH_PEER_PYTHON_ENGINES"

    /// A usual run has the first alone.
    package var isInThisRun: Bool { self == .peers || TestDepth.now == .all }
  }

  /// Runs `Tests/Peers/<script>` with `input` on stdin and returns its stdout.
  ///
  /// Throws if the virtual environment is absent: `scripts/test` makes it.
  package static func run(
    _ script: String, arguments: [String] = [], input: [UInt8] = [], in venv: Venv = .peers
  ) async throws -> [UInt8] {
    let python = try interpreter(of: venv)
    let path = ProjectTree.root.appending(path: "Tests/Peers/\(script)").path
    let result = try await TimeLimit.run(script) {
      try await Subprocess.run(
        .path(.init(python)), arguments: .init([path] + arguments), input: .array(input),
        output: .bytes(limit: 256 << 20), error: .string(limit: 1 << 20))
    }
    guard result.terminationStatus.isSuccess else {
      throw Failure(
        description: "\(script): \(result.terminationStatus): \(result.standardError)")
    }
    return result.standardOutput
  }

  /// The interpreter of a virtual environment.
  package static func interpreter(of venv: Venv = .peers) throws -> String {
    guard let python = ProcessInfo.processInfo.environment[venv.rawValue] else {
      throw Failure(description: "\(venv.rawValue) is not set; run the tests by scripts/test")
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

  /// Paths of files below a folder of the project, relative to it, without what is built.
  package static func files(below folder: String, ending: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    var files: [String] = []
    while let name = names?.nextObject() as? String {
      if name.contains(".build/") || !name.hasSuffix(ending) { continue }
      files.append("\(folder)/\(name)")
    }
    return files.sorted()
  }
}
