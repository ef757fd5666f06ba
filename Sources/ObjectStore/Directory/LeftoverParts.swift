import Foundation

/// Partly written files that a crashed program left next to their destination.
package enum LeftoverParts {
  /// Removes files of a folder whose names begin and end like this, that belong to this user, and
  /// that were not written to for a day. Looks at a limited number of files, and ignores failures.
  package static func sweep(_ folder: String, prefix: String, suffix: String = "") {
    do throws(SystemFailure) {
      let folder = try Descriptor.folder(path: folder)
      let parts = try folder.entries { entry in
        entry.kind == .file && entry.name.hasPrefix(prefix) && entry.name.hasSuffix(suffix)
      }
      let bound = Int(Date().timeIntervalSince1970) - 86_400
      for part in parts.prefix(100) {
        guard let status = try folder.status(of: part.name), status.owner == geteuid(),
          status.lastModified < bound
        else { continue }
        unlinkat(folder.number, part.name, 0)
      }
    } catch {
      // If the folder can't be read, the writer reports it.
    }
  }
}
