import Foundation

/// A file that processes take turns with: one has it, and the others wait. Whoever has it loses it
/// when its process ends in any way.
package final class LockFile: Sendable {
  private let file: Descriptor

  /// For reading and writing the file itself.
  package var number: Int32 { file.number }

  /// Opens a file, which is made if it is missing, for this user alone. A link is not followed, and
  /// a pipe not waited for.
  ///
  /// - Parameter appends: whether all that is written goes to the end.
  package init(_ path: String, appends: Bool = false) throws(SystemFailure) {
    file = try Descriptor.sharedFile(path: path, appends: appends)
  }

  /// Waits until no other open file has the lock.
  package func wait() throws(SystemFailure) {
    try check("locking") { flock(number, LOCK_EX) }
  }

  /// Takes the lock; false if another open file has it.
  package func take() throws(SystemFailure) -> Bool { try file.lock() }

  package func release() { flock(number, LOCK_UN) }

  /// Whether the file still has this name. While this process waited, another may have moved or
  /// removed it; who comes next would lock a new one.
  package func isStill(_ path: String) throws(SystemFailure) -> Bool {
    let held = try file.status().identity
    var named = stat()
    guard lstat(path, &named) == 0 else {
      guard errno == ENOENT else { throw SystemFailure("reading a file's status") }
      return false
    }
    return FileStatus(named).identity == held
  }
}
