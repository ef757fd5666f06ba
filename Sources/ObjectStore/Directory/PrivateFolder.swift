import Foundation

/// Folders that only their owner can use, such as those of settings and caches.
package enum PrivateFolder {
  /// Creates a folder, and those above it. One that exists stays as it is.
  package static func create(_ path: String) throws(SystemFailure) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw SystemFailure("creating a folder", number: ENOTDIR)
      }
      return
    }
    let parent = URL(filePath: path).deletingLastPathComponent().path
    if parent != path { try create(parent) }
    // Another process may create it at the same time.
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemFailure("creating a folder") }
  }
}
