import Foundation
import Synchronization

/// A cache of objects in a folder of the user, bounded in size and safe to delete at any time
/// (R39).
///
/// Each object is one file. It is written under another name and then renamed, so that several
/// processes can share the folder and any of them can be killed. A file that is truncated, damaged,
/// foreign or not private is removed, and the object is read from the store again. No failure of
/// the cache fails a reader; the first one is reported, once.
package final class FolderCache: ObjectCache {
  private struct State {
    /// Bytes in the folder, as far as this process knows; nil before it has looked.
    var total: Int?
    /// Bytes that this process has written since it looked. Others may have written as well.
    var written = 0
    var hasReported = false
    /// Bytes that wait to be written.
    var waiting = 0
  }

  private let directory: CacheDirectory
  private let store: String
  private let limit: Int
  private let now: @Sendable () -> Int
  private let report: @Sendable (String) -> Void
  private let state = Mutex(State())
  /// Writes run here, so that readers do not wait for them.
  private let queue = DispatchQueue(label: "ObjectStore.FolderCache", qos: .utility)

  /// - Parameters:
  ///   - path: the folder, created by the first write. All stores share it.
  ///   - store: distinguishes this store from others, such as its endpoint and bucket; stored only
  ///     as part of a digest.
  ///   - limit: the most bytes that the whole cache may take on the disk.
  ///   - report: called once, with one clause, if the cache can't be read or written.
  package init(
    path: String, store: String, limit: Int,
    now: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) },
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    directory = CacheDirectory(path: path)
    (self.store, self.limit, self.now, self.report) = (store, limit, now, report)
  }

  package func body(of key: ObjectKey, _ version: ObjectVersion) -> [UInt8]? {
    let cached = CachedObject(of: key, version, in: store)
    do throws(SystemFailure) {
      let most = version.size + CachedObject.lineLength
      guard let file = try directory.read(cached.name, limit: most, now: now()) else { return nil }
      if let body = cached.body(file) { return body }
      try directory.remove(cached.name)
    } catch {
      note(error)
    }
    return nil
  }

  package func keep(_ body: [UInt8], of key: ObjectKey, _ version: ObjectVersion) {
    let size = CacheDirectory.space(body.count + CachedObject.lineLength)
    // One object must not evict most of the others.
    guard body.count == version.size, size <= limit / 4 else { return }
    let waiting = state.withLock { state in
      state.waiting += size
      return state.waiting
    }
    let work: @Sendable () -> Void = { [self] in
      write(CachedObject(of: key, version, in: store), body, size)
    }
    // If the disk is slower than the network, the reader waits instead of filling the memory.
    if waiting > Self.mostWaiting { queue.sync(execute: work) } else { queue.async(execute: work) }
  }

  package func finish() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }

  private static let mostWaiting = 8 << 20

  /// Runs on the queue only, so one write at a time.
  private func write(_ cached: CachedObject, _ body: [UInt8], _ size: Int) {
    defer { state.withLock { $0.waiting -= size } }
    do throws(SystemFailure) {
      try makeRoom(size)
      try directory.write(cached.name, cached.file(body))
      state.withLock { state in
        state.total = state.total.map { $0 + size }
        state.written += size
      }
    } catch {
      note(error)
    }
  }

  /// Measures the folder before the first write, when it may be full, and from time to time,
  /// because other processes write to it as well.
  private func makeRoom(_ size: Int) throws(SystemFailure) {
    let isKnown = state.withLock { state in
      (state.total.map { $0 + size <= limit } ?? false) && state.written + size <= limit / 8
    }
    if isKnown { return }
    let eviction = CacheEviction(try directory.entries(now: now()), limit: limit, room: size)
    for victim in eviction.victims { try directory.remove(victim.name) }
    state.withLock { ($0.total, $0.written) = (eviction.rest, 0) }
  }

  private func note(_ failure: SystemFailure) {
    let isFirst = state.withLock { state in
      defer { state.hasReported = true }
      return !state.hasReported
    }
    guard isFirst else { return }
    let reason = String(cString: strerror(failure.number))
    report("\(failure.doing) in \(directory.path) failed: \(reason)")
  }
}
