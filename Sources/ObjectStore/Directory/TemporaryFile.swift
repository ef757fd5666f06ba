import Foundation

/// A file on its way into the store: complete and on the disk before it gets its name. Removed with
/// its scope, unless it has moved away.
struct TemporaryFile: ~Copyable {
  private let folder: Descriptor
  private let file: Descriptor
  private let name: String

  /// Writes `body` to a new file in `folder`.
  static func write(
    _ body: [UInt8], in folder: consuming Descriptor
  ) throws(SystemFailure) -> TemporaryFile {
    let name = "\(getpid())-\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
    let descriptor = try folder.file(name, creating: .exclusively)
    let file = TemporaryFile(folder: folder, file: descriptor, name: name)
    // Tells a sweeper that somebody is at work; where there are no locks, the file's age must do.
    _ = try? file.file.lock()
    try file.file.write(body)
    try file.file.synchronize()
    return file
  }

  deinit { unlinkat(folder.number, name, 0) }

  /// Gives the file a second name; EEXIST if that exists.
  func link(to folder: borrowing Descriptor, _ name: String) throws(SystemFailure) {
    try check("naming a file") { linkat(self.folder.number, self.name, folder.number, name, 0) }
  }

  /// Moves the file to another name, in the place of what has that name.
  func move(to folder: borrowing Descriptor, _ name: String) throws(SystemFailure) {
    try check("naming a file") { renameat(self.folder.number, self.name, folder.number, name) }
  }

  /// True if the lock that this file has keeps others from having it too; fails with ENOENT if the
  /// file was swept away meanwhile.
  func excludesOthers() throws(SystemFailure) -> Bool {
    do throws(SystemFailure) {
      // A sweeper that has the lock is as good a proof.
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

  /// Removes what crashed writers have left in `folder`: old enough, and locked by nobody. Looks at
  /// so many files at most; the next sweep meets the others.
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
        // Without locks, only a file that no writer can still be at.
        guard seconds > 86_400 else { continue }
      }
      unlinkat(folder.number, entry.name, 0)
    }
  }
}
