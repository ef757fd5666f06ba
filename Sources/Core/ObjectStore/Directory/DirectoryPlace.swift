import Foundation
import Synchronization

/// The folder in which a store keeps its objects, and what this process knows about it.
final class DirectoryPlace: Sendable {
  let root: String
  let options: DirectoryOptions
  /// Folders whose own directory entry is known to be on the disk.
  private let durable = Mutex<Set<FileIdentity>>([])
  private let verdict = Mutex<ConditionalWrites?>(nil)
  private let isOwnerKnown = Mutex(false)
  private let workFolderName: String
  private let swept = Mutex<ContinuousClock.Instant?>(nil)

  init(root: String, options: DirectoryOptions) {
    (self.root, self.options) = (root, options)
    workFolderName =
      CloudDrive.contains(root) ? ObjectPath.unsynchronisedWorkFolder : ObjectPath.workFolder
  }

  func openRoot() throws(StoreError) -> Descriptor {
    do throws(SystemFailure) {
      return try Descriptor.folder(path: root)
    } catch {
      throw error.rootError(root)
    }
  }

  /// The folder below the root with these segments; nil if it does not exist.
  func folder(_ segments: [String]) throws -> Descriptor? {
    var current = try openRoot()
    if segments.count > 1, let found = current.folder(below: segments) { return found }
    for (index, segment) in segments.enumerated() {
      guard let next = try folder(segment, in: current, segments[...index]) else { return nil }
      current = next
    }
    return current
  }

  /// A folder inside another one; nil if there is none. Throws if something else has its name and
  /// may hide a folder.
  private func folder(
    _ name: String, in parent: borrowing Descriptor, _ path: ArraySlice<String>
  ) throws -> Descriptor? {
    func obstacle(_ obstacle: Obstacle) -> StoreError {
      let path = path.joined(separator: "/")
      return obstacle.error(path, in: root, key: path)
    }
    do throws(SystemFailure) {
      if let found = try parent.folder(name) { return found }
    } catch {
      throw error.isSymbolicLink ? obstacle(.link) : error
    }
    if try parent.status(of: name)?.kind == .other { throw obstacle(.special) }
    if try parent.hasPlaceholder(of: name) { throw obstacle(.notDownloaded) }
    return nil
  }

  /// The folder below the root with these segments, created if missing.
  ///
  /// Returns only when the entries of all these folders are on the disk, whoever created them.
  /// Otherwise a power cut could remove a folder together with an object in it. Throws ENOENT if
  /// another process removes one of them meanwhile.
  func makeFolder(_ segments: [String]) throws -> Descriptor {
    var current = try openRoot()
    for (index, segment) in segments.enumerated() {
      // Look it up first, so that an error names what is in the way.
      let there = try folder(segment, in: current, segments[...index])
      let next = if let there { there } else { try current.makeFolder(segment) }
      let identity = try next.status().identity
      if !durable.withLock({ $0.contains(identity) }) {
        try current.synchronize()
        durable.withLock { known in
          if known.count >= 1 << 16 { known.removeAll() }
          known.insert(identity)
        }
      }
      current = next
    }
    return current
  }

  /// Removes those folders above an object that are empty, because a bucket has no empty folders.
  func removeEmptyFolders(_ segments: [String]) throws {
    for depth in stride(from: segments.count, to: 0, by: -1) {
      guard let parent = try folder(Array(segments.prefix(depth - 1))),
        let status = try parent.status(of: segments[depth - 1]),
        unlinkat(parent.number, segments[depth - 1], AT_REMOVEDIR) == 0
      else { return }
      durable.withLock { _ = $0.remove(status.identity) }
    }
  }

  /// A folder for the store's own use, such as `locks`, created if missing.
  func workFolder(_ name: String) throws -> Descriptor {
    try checkOwner()
    return try openRoot().makeFolder(workFolderName).makeFolder(name)
  }

  /// Throws if the user who owns the store could not read this user's files. This happens when
  /// `sudo` runs a command as root.
  func checkOwner() throws {
    if isOwnerKnown.withLock({ $0 }) { return }
    try Self.checkOwner(of: openRoot(), root, options)
    isOwnerKnown.withLock { $0 = true }
  }

  static func checkOwner(
    of folder: borrowing Descriptor, _ path: String, _ options: DirectoryOptions
  ) throws {
    LeftoverParts.sweep(path, prefix: ObjectPath.ownerFile)
    let owner = try options.owner ?? folder.status().owner
    guard try folder.wouldLockOut(owner) else { return }
    let (user, name) = (name(of: geteuid()), name(of: owner))
    throw StoreError(
      .notAuthorized,
      "the folder \(path) belongs to the user \(name), who could not read what \(user) writes there",
      remedy: .runAs(user: name))
  }

  private static func name(of user: uid_t) -> String {
    var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    var text = [CChar](repeating: 0, count: 1 << 14)
    guard getpwuid_r(user, &entry, &text, text.count, &found) == 0, found != nil,
      let name = entry.pw_name
    else { return "\(user)" }
    return String(cString: name)
  }

  /// What this file system's locks and links guarantee; determined once.
  func guarantees() throws -> ConditionalWrites {
    if let known = verdict.withLock({ $0 }) { return known }
    let found = try LockProbe(options: options).run { try workFolder("tmp") }
    verdict.withLock { $0 = found }
    return found
  }

  /// True on the first call, and then once every ten minutes.
  func isTimeToSweep() -> Bool {
    let now = ContinuousClock.now
    return swept.withLock { last in
      if let last, now - last < .seconds(600) { return false }
      last = now
      return true
    }
  }
}

extension Descriptor {
  /// The folder of this name inside this one, created if missing.
  fileprivate func makeFolder(_ name: String) throws(SystemFailure) -> Descriptor {
    if let there = try folder(name) { return there }
    var isMade = false
    do throws(SystemFailure) {
      try check("making a folder") { mkdirat(number, name, 0o700) }
      isMade = true
    } catch {
      guard error.number == EEXIST else { throw error }
    }
    if let made = try folder(name) {
      let shared = try status().sharedRights
      if isMade, shared != 0 {
        try check("sharing a folder") { fchmod(made.number, 0o700 | S_ISGID | shared) }
      }
      return made
    }
    // A file has this name, or another process has removed the folder again.
    let isFile = try status(of: name) != nil
    throw SystemFailure("making a folder", number: isFile ? ENOTDIR : ENOENT)
  }
}

extension Descriptor {
  /// Whether a user could not read what this process creates in this folder.
  func wouldLockOut(_ user: uid_t) throws(SystemFailure) -> Bool {
    // Root can read everything. In a folder shared by setgid, the group can read.
    if user == geteuid() || user == 0 { return false }
    if try status().sharedRights & 0o040 != 0 { return false }
    // Some file systems give all files to one user, whoever creates them.
    let name = ObjectPath.ownerFile + String(UInt64.random(in: 0...UInt64.max), radix: 16)
    let file = try file(name, creating: .exclusively)
    defer { unlinkat(number, name, 0) }
    return try file.status().owner != user
  }
}

/// Options of a folder store. Only tests change those that have a value.
package struct DirectoryOptions: Sendable {
  /// False: behaves as on a file system without hard links.
  package var usesHardLinks = true
  /// False: behaves as on a file system without locks.
  package var usesLocks = true
  /// How old a temporary file must be to count as left over from a crash.
  package var leftoverAge: Duration = .seconds(60)
  /// How long to wait for another process's lock.
  package var lockPatience: Duration = .seconds(30)

  /// The owner of the root, if it differs from what the file system reports.
  package var owner: UInt32?
  /// What takes part in changes of files.
  package var cloud: (any CloudFolders)?

  package init() {}
}
