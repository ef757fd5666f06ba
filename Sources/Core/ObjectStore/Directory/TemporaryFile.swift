import Foundation

/// A file being written: complete and on the disk before it gets its final name. Removed at the end
/// of its scope, unless it was renamed.
struct TemporaryFile: ~Copyable {
  private let folder: Descriptor
  private let file: Descriptor
  private let name: String

  /// Writes `body` to a new file in `folder`.
  ///
  /// - Parameters:
  ///   - prefix: how the names of such files begin.
  ///   - isDurable: whether it must outlast a crash of the machine.
  static func write(
    _ body: [UInt8], in folder: consuming Descriptor, prefix: String = "", isDurable: Bool = true
  ) throws(SystemFailure) -> TemporaryFile {
    let name = prefix + "\(getpid())-\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
    let descriptor = try folder.file(name, creating: .exclusively)
    let file = TemporaryFile(folder: folder, file: descriptor, name: name)
    // The lock shows a sweeper that the file is in use. Without locks, the file's age must do.
    _ = try? file.file.lock()
    try file.file.write(body)
    if isDurable { try file.file.synchronize() }
    return file
  }

  deinit { unlinkat(folder.number, name, 0) }

  /// Gives the file a second name; throws EEXIST if that name exists.
  func link(to folder: borrowing Descriptor, _ name: String) throws(SystemFailure) {
    try check("naming a file") { linkat(self.folder.number, self.name, folder.number, name, 0) }
  }

  /// Renames the file, replacing any file of that name.
  func move(to folder: borrowing Descriptor, _ name: String) throws(SystemFailure) {
    try check("naming a file") { renameat(self.folder.number, self.name, folder.number, name) }
  }

  /// The same within its own folder.
  func move(to name: String) throws(SystemFailure) { try move(to: folder, name) }

  /// True if this file's lock prevents others from locking it as well. Throws ENOENT if a sweep has
  /// removed the file meanwhile.
  func excludesOthers() throws(SystemFailure) -> Bool {
    do throws(SystemFailure) {
      // If a sweeper has the lock, that proves it as well.
      guard try file.lock() else { return true }
      guard let other = try folder.file(name) else {
        throw SystemFailure("opening a file", number: ENOENT)
      }
      return try !other.lock()
    } catch {
      guard error.doing == "locking" else { throw error }
      return false
    }
  }

  func canBeLinked() -> Bool {
    defer { unlinkat(folder.number, name + "-link", 0) }
    do throws(SystemFailure) {
      try link(to: folder, name + "-link")
      return true
    } catch {
      return false
    }
  }

  /// Removes files in `folder` that crashed writers left behind: old enough, and not locked. Looks
  /// at a limited number of files; the next sweep looks at the others.
  static func sweep(
    _ folder: borrowing Descriptor, olderThan age: Duration, limit: Int = 1000
  ) throws {
    for entry in try folder.entries(where: { $0.kind == .file }).prefix(limit) {
      guard let file = try folder.file(entry.name) else { continue }
      let seconds = Int(Date().timeIntervalSince1970) - (try file.status().lastModified)
      guard .seconds(seconds) >= age else { continue }
      do throws(SystemFailure) {
        guard try file.lock() else { continue }
      } catch {
        // Without locks, only a file that no writer can still be using.
        guard seconds > 86_400 else { continue }
      }
      unlinkat(folder.number, entry.name, 0)
    }
  }
}
