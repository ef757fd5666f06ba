import Foundation

/// Whose folder a path lies in.
package enum FolderOwner {
  /// Fails where the user who owns the nearest folder that exists on the way to a path could not
  /// read what this process makes there: another user's home, in a command that `sudo` runs.
  package static func check(_ path: String) throws(StoreError) {
    var folder = URL(filePath: path)
    while access(folder.path, F_OK) != 0, folder.path != "/" { folder.deleteLastPathComponent() }
    do {
      try DirectoryPlace.checkOwner(
        of: .folder(path: folder.path), folder.path, DirectoryOptions())
    } catch let error as StoreError {
      throw error
    } catch {
      // What can't be opened can't be written to either, and whoever tries will say so.
    }
  }
}
