import Foundation

/// Files that a crashed program left half-written beside the file that they were to become.
package enum LeftoverParts {
  /// Removes those files of a folder whose names begin and end so, belong to this user and were not
  /// written to for a day; looks at a bounded number, and fails nothing.
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
      // A folder that can't be read is the writer's to complain of.
    }
  }
}
