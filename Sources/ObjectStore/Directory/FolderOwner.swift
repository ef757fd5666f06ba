import Foundation

/// Checks who owns the folder of a path.
package enum FolderOwner {
  /// Throws if this process would create files that the folder's owner could not read. The owner is
  /// that of the nearest existing folder above the path. This happens in another user's home when
  /// `sudo` runs a command.
  package static func check(_ path: String) throws(StoreError) {
    var folder = URL(filePath: path)
    while access(folder.path, F_OK) != 0, folder.path != "/" { folder.deleteLastPathComponent() }
    do {
      try DirectoryPlace.checkOwner(
        of: .folder(path: folder.path), folder.path, DirectoryOptions())
    } catch let error as StoreError {
      throw error
    } catch {
      // If it can't be opened, it can't be written to either, and the attempt to write reports
      // that.
    }
  }
}
