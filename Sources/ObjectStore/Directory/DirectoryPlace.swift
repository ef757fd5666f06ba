import Foundation
import Synchronization

/// The folder that a store keeps its objects in, and what this process knows about it.
final class DirectoryPlace: Sendable {
  let root: String
  let options: DirectoryOptions
  /// Folders whose own entry is known to be on the disk.
  private let durable = Mutex<Set<FileIdentity>>([])
  private let verdict = Mutex<ConditionalWrites?>(nil)
  private let swept = Mutex<ContinuousClock.Instant?>(nil)

  init(root: String, options: DirectoryOptions) {
    (self.root, self.options) = (root, options)
  }

  func openRoot() throws(StoreError) -> Descriptor {
    do throws(SystemFailure) {
      return try Descriptor.folder(path: root)
    } catch {
      throw error.rootError(root)
    }
  }

  /// The folder below the root with these segments; nil if it is not there.
  func folder(_ segments: [String]) throws -> Descriptor? {
    var current = try openRoot()
    for segment in segments {
      guard let next = try current.folder(segment) else { return nil }
      current = next
    }
    return current
  }

  /// The folder below the root with these segments, made where missing.
  ///
  /// Returns only when the entries of all of them are on the disk, whoever made them: an object in
  /// a folder that a power cut undoes would be lost with it. Fails with ENOENT if another process
  /// removes one of them meanwhile.
  func makeFolder(_ segments: [String]) throws -> Descriptor {
    var current = try openRoot()
    for segment in segments {
      let next = try current.makeFolder(segment)
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

  /// Removes those of the folders above an object that are empty, as a bucket has none.
  func removeEmptyFolders(_ segments: [String]) throws {
    for depth in stride(from: segments.count, to: 0, by: -1) {
      guard let parent = try folder(Array(segments.prefix(depth - 1))),
        let status = try parent.status(of: segments[depth - 1]),
        unlinkat(parent.number, segments[depth - 1], AT_REMOVEDIR) == 0
      else { return }
      durable.withLock { _ = $0.remove(status.identity) }
    }
  }

  /// A folder of the store's own, such as `locks`; made where missing.
  func workFolder(_ name: String) throws -> Descriptor {
    try openRoot().makeFolder(ObjectPath.workFolder).makeFolder(name)
  }

  /// What this file system's locks and links guarantee; found out once.
  func guarantees() throws -> ConditionalWrites {
    if let known = verdict.withLock({ $0 }) { return known }
    let found = try LockProbe(options: options).run { try workFolder("tmp") }
    verdict.withLock { $0 = found }
    return found
  }

  /// True at first, and then once in ten minutes.
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
  /// The folder of this name inside this one, made where missing.
  fileprivate func makeFolder(_ name: String) throws(SystemFailure) -> Descriptor {
    if let there = try folder(name) { return there }
    do throws(SystemFailure) {
      try check("making a folder") { mkdirat(number, name, 0o700) }
    } catch {
      guard error.number == EEXIST else { throw error }
    }
    if let made = try folder(name) { return made }
    // A file has the name, or another process has removed the folder again.
    let isFile = try status(of: name) != nil
    throw SystemFailure("making a folder", number: isFile ? ENOTDIR : ENOENT)
  }
}

/// How a folder store goes about its work; only tests need other values than these.
package struct DirectoryOptions: Sendable {
  /// False: as on a file system without hard links.
  package var usesHardLinks = true
  /// False: as on a file system without locks.
  package var usesLocks = true
  /// How old a temporary file must be before it counts as left over by a crash.
  package var leftoverAge: Duration = .seconds(60)
  /// How long to wait for another process's lock.
  package var lockPatience: Duration = .seconds(30)

  package init() {}
}
