import Foundation

/// Reads and writes single files that are small, such as settings.
package enum SmallFile {
  /// At most `maximumBytes` of a file and one more, so that the caller notices if there is more.
  package static func read(_ path: String, maximumBytes: Int) throws(SystemFailure) -> [UInt8] {
    try Descriptor.file(path: path).read(first: maximumBytes + 1)
  }

  /// A file whose content decides what a program does, and may hold commands or secrets.
  ///
  /// - Parameter isSecret: whether others may not read it either.
  /// - Returns: at most `maximumBytes` of it and one more.
  /// - Throws: `TrustFailure` for a file that somebody else could have written, and for what is not
  ///   a file. A pipe is not waited for.
  package static func readTrusted(
    _ path: String, maximumBytes: Int, isSecret: Bool = false
  ) throws(TrustFailure) -> [UInt8] {
    let failure: TrustFailure
    do throws(SystemFailure) {
      let file = try Descriptor.file(path: path, waits: false)
      let status = try file.status()
      if status.kind != .file {
        failure = .notAFile
      } else if !isSecret, try file.isOnReadOnlyMount() {
        // As in a container: whoever starts it chose the file, and nobody inside can change it.
        return try file.read(first: maximumBytes + 1)
      } else if ![0, geteuid()].contains(status.owner) {
        failure = .foreign
      } else if status.permissions & (isSecret ? 0o077 : 0o022) != 0 {
        failure = .openToOthers
      } else {
        return try file.read(first: maximumBytes + 1)
      }
    } catch {
      failure = .system(error)
    }
    throw failure
  }

  /// Why a file is not trusted.
  package enum TrustFailure: Error {
    case notAFile
    /// Neither this user nor root owns it.
    case foreign
    /// Others may write it, or read it if it is secret.
    case openToOthers
    case system(SystemFailure)
  }
}

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
