import Foundation
import ObjectStore

/// A folder that is there for one test.
final class ScratchFolder: Sendable {
  let url: URL
  var path: String { url.path }

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "s3health-store-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Whether the disk distinguishes names that differ in case or normalisation alone. APFS does not
  /// unless it was made to, and never for normalisation.
  static let keepsExactNames: Bool = {
    guard let scratch = try? ScratchFolder(), mkdir(scratch.path + "/Caf\u{E9}", 0o700) == 0 else {
      return true
    }
    return ["caf\u{E9}", "Cafe\u{301}"].allSatisfy { access(scratch.path + "/" + $0, F_OK) != 0 }
  }()

  /// The store in this folder, or in one below it.
  func store(
    _ folder: String = "", _ change: (inout DirectoryOptions) -> Void = { _ in }
  ) throws -> DirectoryStore {
    var options = DirectoryOptions()
    change(&options)
    return try DirectoryStore(
      path: url.appending(path: folder).path, createsRoot: true, options: options)
  }

  func write(_ text: String, to name: String) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// All files and folders below, but for the store's own.
  func contents() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path)
      .filter { !$0.hasPrefix(".s3health") }.sorted()
  }

  /// Names of files that writers have not finished.
  func temporaryFiles() -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path + "/.s3health/tmp")) ?? []
  }
}

func key(_ text: String) throws -> ObjectKey {
  guard let key = ObjectKey(text) else { throw NotAKey(text: text) }
  return key
}

struct NotAKey: Error { let text: String }

extension PutOutcome {
  var isStored: Bool { if case .stored = self { true } else { false } }
  var isRefused: Bool { if case .preconditionFailed = self { true } else { false } }
  var isUnknown: Bool { if case .unknown = self { true } else { false } }
}
