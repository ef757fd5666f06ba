import Foundation

/// The system calls on a cache's folder: one flat folder of small files that only its owner can
/// read and write.
///
/// It is opened again for each use, because it may be removed at any time: a process that runs for
/// weeks must then find the new folder.
struct CacheDirectory {
  let path: String

  /// The bytes of a file; nil if there is none, or if it is not private to its owner.
  func read(_ name: String, limit: Int, now: Int) throws(SystemFailure) -> [UInt8]? {
    guard let folder = try open(creating: false), let file = try folder.file(name) else {
      return nil
    }
    guard let status = try file.privateStatus() else { return nil }
    // Use is recorded once a day, so that not every read costs a write.
    if status.lastModified < now - 86_400 || status.lastModified > now { file.touch() }
    return try file.read(try file.status().size, limit: limit)
  }

  /// Writes a file under another name, then renames it, so that no reader sees half of it. Nothing
  /// is synced to the disk: a file that a crash damages fails its digest.
  func write(_ name: String, _ bytes: [UInt8]) throws(SystemFailure) {
    guard let folder = try open(creating: true) else {
      throw SystemFailure("creating the folder", number: ENOENT)
    }
    try TemporaryFile.write(bytes, in: folder, prefix: Self.partPrefix, isDurable: false)
      .move(to: name)
  }

  /// Removes a file, if it is there.
  func remove(_ name: String) throws(SystemFailure) {
    guard let folder = try open(creating: false) else { return }
    unlinkat(folder.number, name, 0)
  }

  /// The entries of the cache. Removes what interrupted writers left behind. Ignores files with
  /// other names.
  func entries(now: Int) throws(SystemFailure) -> [CacheEviction.Entry] {
    guard let folder = try open(creating: false) else { return [] }
    let names = try folder.entries {
      $0.kind == .file && (CachedObject.isName($0.name) || $0.name.hasPrefix(Self.partPrefix))
    }
    var entries: [CacheEviction.Entry] = []
    for name in names.map(\.name) {
      guard let status = try folder.status(of: name) else { continue }
      if CachedObject.isName(name) {
        entries.append(
          CacheEviction.Entry(name: name, size: status.space, lastUsed: status.lastModified))
      } else if abs(now - status.lastModified) > 3600 {
        unlinkat(folder.number, name, 0)
      }
    }
    return entries
  }

  /// Disk space that a file of this many bytes takes on common file systems.
  static func space(_ bytes: Int) -> Int { (bytes + 4095) & ~4095 }

  private static let partPrefix = "part-"

  /// The folder; nil if there is none.
  ///
  /// A symbolic link is not followed. A folder that other users can write to is refused, because
  /// their files could pass for entries of the cache.
  private func open(creating: Bool) throws(SystemFailure) -> Descriptor? {
    var isCreated = false
    while true {
      do throws(SystemFailure) {
        let folder = try Descriptor.folder(path: path, followsLink: false)
        let status = try folder.status()
        guard status.owner == geteuid(), status.permissions & 0o022 == 0 else {
          throw SystemFailure("trusting a folder that others can write to", number: EPERM)
        }
        if status.permissions & 0o077 != 0 { fchmod(folder.number, 0o700) }
        return folder
      } catch {
        guard error.number == ENOENT else { throw error }
        guard creating, !isCreated else { return nil }
        isCreated = true
        try create()
      }
    }
  }

  private func create() throws(SystemFailure) {
    do {
      try FolderOwner.check(path)
    } catch {
      throw SystemFailure("making a folder in another user's", number: EPERM)
    }
    try PrivateFolder.create(path)
  }
}

extension Descriptor {
  /// The status of a file that belongs to this user alone; nil if another user owns it, can read or
  /// write it, or has a hard link to it.
  fileprivate func privateStatus() throws(SystemFailure) -> FileStatus? {
    let status = try status()
    guard status.kind == .file, status.owner == geteuid(), status.permissions & 0o077 == 0,
      status.links == 1
    else { return nil }
    return status
  }

  /// Records that a file was used now. If that fails, the file is only removed earlier.
  fileprivate func touch() { futimens(number, nil) }
}

/// Decides which entries of the cache to remove to make room for a new one; pure.
struct CacheEviction {
  /// An entry of the cache.
  struct Entry: Hashable {
    let name: String
    /// Bytes that it takes on the disk.
    let size: Int
    /// Seconds since 1970, precise to a day.
    let lastUsed: Int
  }

  /// The entries to remove, the least recently used first.
  let victims: [Entry]
  /// Bytes that the remaining entries take.
  let rest: Int

  /// Removes nothing if `room` more bytes fit into `limit`. Otherwise it also frees an eighth of
  /// the limit, so that a full folder need not be searched again for each new entry.
  init(_ entries: [Entry], limit: Int, room: Int) {
    let total = entries.reduce(0) { $0 + $1.size }
    guard total + room > limit else {
      (victims, rest) = ([], total)
      return
    }
    let goal = max(0, limit - limit / 8 - room)
    var left = total
    victims = Array(
      entries.sorted { ($0.lastUsed, $0.name) < ($1.lastUsed, $1.name) }.prefix { entry in
        guard left > goal else { return false }
        left -= entry.size
        return true
      })
    rest = left
  }
}
