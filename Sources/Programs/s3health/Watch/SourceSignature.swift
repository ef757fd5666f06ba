import Foundation

/// What distinguishes two states of a file or folder without reading it: names, sizes, times and
/// numbers of its files.
struct SourceSignature: Equatable {
  private struct File: Equatable {
    let name: String
    let size: Int64
    let seconds: Int
    let nanoseconds: Int
    let number: UInt64
  }

  private let files: [File]

  /// The state of what is at a path: of a folder, that of its own files and of the folders in it.
  init(_ path: String) {
    var files: [File] = []
    if let file = Self.file(path, named: "") { files.append(file) }
    for name in Self.names(in: path) {
      let inner = path + "/" + name
      if let file = Self.file(inner, named: name) { files.append(file) }
    }
    self.files = files
  }

  /// How many files there are.
  var count: Int { files.count }

  private static func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  private static func file(_ path: String, named name: String) -> File? {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    #if os(Linux)
      let time = found.st_mtim
    #else
      let time = found.st_mtimespec
    #endif
    return File(
      name: name, size: Int64(found.st_size), seconds: Int(time.tv_sec),
      nanoseconds: Int(time.tv_nsec), number: UInt64(found.st_ino))
  }
}
