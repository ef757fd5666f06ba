import Foundation
import TestSupport

/// The ExportBenchmark program that was built with these tests: a scan in a process of its own,
/// whose memory can be measured.
enum ScanProgram {
  struct Run: Decodable {
    let exitCode: Int
    let peakMegabytes: Double
    let output: String
  }

  private static let path = BuiltProgram.path("ExportBenchmark")

  /// Scans a file by its path.
  static func scan(_ file: String) async throws -> Run { try await run([path, file]) }

  /// Scans what a pipe brings.
  static func scan(pipe file: String) async throws -> Run {
    try await run(["--stdin", file, path, "-"])
  }

  private static func run(_ arguments: [String]) async throws -> Run {
    let output = try await PeerPython.run("peak_memory.py", arguments: arguments)
    return try JSONDecoder().decode(Run.self, from: Data(output))
  }
}

/// Zips that Python's zipfile has written.
enum ZipShape {
  /// Writes a zip of some shape (`Tests/Peers/zip_shapes.py`) into a folder.
  static func write(_ shape: String, to folder: ScratchFolder) async throws -> String {
    _ = try await PeerPython.run("zip_shapes.py", arguments: [folder.path, shape])
    return folder.file(shape + ".zip")
  }
}
