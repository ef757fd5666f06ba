import Foundation
import ObjectStore

/// What distinguishes two states of a file or folder without reading it: names, sizes, times and
/// numbers of its files.
struct SourceSignature: Equatable {
  private struct File: Equatable {
    let name: String
    let version: FileVersion
  }

  private let files: [File]

  /// The state of what is at a path: of a folder, that of its own files and of the folders in it.
  init(_ path: String) {
    var files: [File] = []
    if let version = FileVersion(path) { files.append(File(name: "", version: version)) }
    for name in Self.names(in: path) {
      guard let version = FileVersion(path + "/" + name) else { continue }
      files.append(File(name: name, version: version))
    }
    self.files = files
  }

  /// How many files there are.
  var count: Int { files.count }

  private static func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { !$0.hasPrefix(".") }.sorted()
  }
}
