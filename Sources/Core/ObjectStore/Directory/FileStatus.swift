import Foundation

/// What the file system reports about a file.
struct FileStatus {
  enum Kind { case file, folder, link, other }

  let kind: Kind
  let size: Int
  /// Bytes on the disk, or the size if the file system reports fewer.
  let space: Int
  /// The user's id.
  let owner: uid_t
  /// The nine permission bits.
  let permissions: mode_t
  /// The group's rights, if the folder passes them on to what is created in it (setgid).
  let sharedRights: mode_t
  /// True if the file system keeps the content elsewhere until it is read.
  let isDataless: Bool
  /// The number of hard links.
  let links: Int
  /// Seconds since 1970.
  let lastModified: Int
  let identity: FileIdentity
  /// Changes whenever the folder's entries change, up to the resolution of the file system's clock.
  let change: Change

  struct Change: Equatable {
    let seconds: Int
    let nanoseconds: Int
  }

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    default: kind = .other
    }
    size = Int(status.st_size)
    space = max(Int(status.st_blocks) * 512, size)
    owner = status.st_uid
    permissions = status.st_mode & 0o777
    sharedRights =
      kind == .folder && status.st_mode & S_ISGID != 0 ? status.st_mode & 0o070 : 0
    links = Int(status.st_nlink)
    #if canImport(Darwin)
      let time = status.st_mtimespec
      // SF_DATALESS of sys/stat.h.
      isDataless = status.st_flags & 0x4000_0000 != 0
    #else
      let time = status.st_mtim
      isDataless = false
    #endif
    lastModified = Int(time.tv_sec)
    change = Change(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      number: UInt64(truncatingIfNeeded: status.st_ino))
  }
}

/// Identifies a file as long as it exists.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let number: UInt64
}

extension Descriptor {
  func status() throws(SystemFailure) -> FileStatus {
    var status = stat()
    try check("examining a file") { fstat(number, &status) }
    return FileStatus(status)
  }

  /// Whether what this belongs to is mounted so that nothing can be written.
  func isOnReadOnlyMount() throws(SystemFailure) -> Bool {
    var system = statvfs()
    try check("examining a file system") { fstatvfs(number, &system) }
    return Int(system.f_flag) & Int(ST_RDONLY) != 0
  }

  /// The status of an entry of this folder, without following a link; nil if there is none.
  func status(of name: String) throws(SystemFailure) -> FileStatus? {
    var status = stat()
    do throws(SystemFailure) {
      try check("examining a file") { fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) }
    } catch {
      guard error.number == ENOENT else { throw error }
      return nil
    }
    return FileStatus(status)
  }
}
