import Foundation
import Synchronization

/// Copies of objects in a folder of the user's, bounded in size, safe to delete at any time (R39).
///
/// One file a copy, written under another name and then moved, so that processes can share the
/// folder and be killed. A file that is cut, damaged, foreign or not private is no copy: it is
/// removed and the object read again. Nothing that goes wrong here fails a reader; the first such
/// thing is told once.
package final class FolderCache: ObjectCache {
  private struct State {
    /// Bytes in the folder as this process knows them; nil before it has looked.
    var total: Int?
    /// Bytes written since it looked: others may have written too.
    var written = 0
    var hasTold = false
    /// Bytes that wait to be written.
    var waiting = 0
  }

  private let folder: CopyFolder
  private let store: String
  private let limit: Int
  private let now: @Sendable () -> Int
  private let tell: @Sendable (String) -> Void
  private let state = Mutex(State())
  /// Writing is nothing that a reader should wait for.
  private let queue = DispatchQueue(label: "ObjectStore.FolderCache", qos: .utility)

  /// - Parameters:
  ///   - path: the folder, made when it is first written to. Copies of all stores lie in it.
  ///   - store: tells this store from others, such as its endpoint and bucket; kept only as a part
  ///     of a digest.
  ///   - limit: most bytes that all copies take on the disk.
  ///   - tell: hears once, as one clause, why copies are not kept or used.
  package init(
    path: String, store: String, limit: Int,
    now: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) },
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    folder = CopyFolder(path: path)
    (self.store, self.limit, self.now, self.tell) = (store, limit, now, tell)
  }

  package func body(of key: ObjectKey, _ version: ObjectVersion) -> [UInt8]? {
    let copy = CachedCopy(of: key, version, in: store)
    do throws(SystemFailure) {
      let most = version.size + CachedCopy.lineLength
      guard let file = try folder.read(copy.name, limit: most, now: now()) else { return nil }
      if let body = copy.body(file) { return body }
      try folder.remove(copy.name)
    } catch {
      note(error)
    }
    return nil
  }

  package func keep(_ body: [UInt8], of key: ObjectKey, _ version: ObjectVersion) {
    let size = CopyFolder.space(body.count + CachedCopy.lineLength)
    // One copy must not drive out most of the others.
    guard body.count == version.size, size <= limit / 4 else { return }
    let waiting = state.withLock { state in
      state.waiting += size
      return state.waiting
    }
    let work: @Sendable () -> Void = { [self] in
      write(CachedCopy(of: key, version, in: store), body, size)
    }
    // A disk slower than the network holds its reader back instead of filling the memory.
    if waiting > Self.mostWaiting { queue.sync(execute: work) } else { queue.async(execute: work) }
  }

  package func finish() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }

  private static let mostWaiting = 8 << 20

  /// On the queue alone, so one at a time.
  private func write(_ copy: CachedCopy, _ body: [UInt8], _ size: Int) {
    defer { state.withLock { $0.waiting -= size } }
    do throws(SystemFailure) {
      try makeRoom(size)
      try folder.write(copy.name, copy.file(body))
      state.withLock { state in
        state.total = state.total.map { $0 + size }
        state.written += size
      }
    } catch {
      note(error)
    }
  }

  /// Looks through the folder before the first write, when it may be full, and now and then: other
  /// processes write to it as well.
  private func makeRoom(_ size: Int) throws(SystemFailure) {
    let isKnown = state.withLock { state in
      (state.total.map { $0 + size <= limit } ?? false) && state.written + size <= limit / 8
    }
    if isKnown { return }
    let eviction = CopyEviction(try folder.copies(now: now()), limit: limit, room: size)
    for victim in eviction.victims { try folder.remove(victim.name) }
    state.withLock { ($0.total, $0.written) = (eviction.rest, 0) }
  }

  private func note(_ failure: SystemFailure) {
    let isFirst = state.withLock { state in
      defer { state.hasTold = true }
      return !state.hasTold
    }
    guard isFirst else { return }
    let reason = String(cString: strerror(failure.number))
    tell("\(failure.doing) in \(folder.path) failed: \(reason)")
  }
}
