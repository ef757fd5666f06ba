import Foundation

/// The folder of a cache, as the system calls see it: one flat folder of small files that its owner
/// alone can read and write.
///
/// Opened anew for each use: it may be removed at any time, and a process that runs for weeks must
/// then find the new one.
struct CopyFolder {
  let path: String

  /// The bytes of a file; nil where there is none, or one that its owner did not leave so.
  func read(_ name: String, limit: Int, now: Int) throws(SystemFailure) -> [UInt8]? {
    guard let folder = try open(creating: false), let file = try folder.file(name) else {
      return nil
    }
    guard let status = try file.privateStatus() else { return nil }
    // To the day: a read must not cost a write each time.
    if status.lastModified < now - 86_400 || status.lastModified > now { file.touch() }
    return try file.read(limit: limit)
  }

  /// Puts a file there, whole or not at all: not to the disk itself, for damage is found out.
  func write(_ name: String, _ bytes: [UInt8]) throws(SystemFailure) {
    guard let folder = try open(creating: true) else {
      throw SystemFailure("creating the folder", number: ENOENT)
    }
    let part =
      Self.partPrefix + "\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    do throws(SystemFailure) {
      try folder.file(part, creating: .exclusively).write(bytes)
      try check("naming a file") { renameat(folder.number, part, folder.number, name) }
    } catch {
      unlinkat(folder.number, part, 0)
      throw error
    }
  }

  /// Removes a file, if it is there.
  func remove(_ name: String) throws(SystemFailure) {
    guard let folder = try open(creating: false) else { return }
    unlinkat(folder.number, name, 0)
  }

  /// The copies that are there; what interrupted writers have left is removed. Files of other names
  /// are not ours: neither counted nor touched.
  func copies(now: Int) throws(SystemFailure) -> [CopyEviction.Copy] {
    guard let folder = try open(creating: false) else { return [] }
    let names = try folder.entries {
      $0.kind == .file && (CachedCopy.isName($0.name) || $0.name.hasPrefix(Self.partPrefix))
    }
    var copies: [CopyEviction.Copy] = []
    for name in names.map(\.name) {
      guard let status = try folder.status(of: name) else { continue }
      if CachedCopy.isName(name) {
        copies.append(
          CopyEviction.Copy(name: name, size: status.space, lastUsed: status.lastModified))
      } else if abs(now - status.lastModified) > 3600 {
        unlinkat(folder.number, name, 0)
      }
    }
    return copies
  }

  /// What a file of so many bytes will take on common file systems.
  static func space(_ bytes: Int) -> Int { (bytes + 4095) & ~4095 }

  private static let partPrefix = "part-"

  /// The folder, which is its owner's alone; nil where there is none.
  ///
  /// A link in its place is not followed, and what others may write to is not used: their files
  /// could be read as copies.
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
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch is StoreError {
      throw SystemFailure("making a folder in another user's", number: EPERM)
    } catch {
      let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      throw SystemFailure(
        "creating the folder", number: underlying.map { Int32($0.code) } ?? EACCES)
    }
  }
}

extension Descriptor {
  /// The status of a file that is this user's alone; nil for what others own, can use or can name.
  fileprivate func privateStatus() throws(SystemFailure) -> FileStatus? {
    let status = try status()
    guard status.kind == .file, status.owner == geteuid(), status.permissions & 0o077 == 0,
      status.links == 1
    else { return nil }
    return status
  }

  /// Says that a file was used now; one that can't be marked so only goes earlier.
  fileprivate func touch() { futimens(number, nil) }
}
