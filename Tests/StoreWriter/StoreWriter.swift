import Foundation
import ObjectStore
import ObjectStoreConformance
import Synchronization

/// A program that writes to a folder store, for tests that kill it, race it and confine it.
///
/// Usage: `StoreWriter ROOT MODE NAME NUMBER [option=value]...`
/// - `publish NAME COUNT`: creates objects and moves a pointer, and says each write on stdout once it
///   is acknowledged; `delay` after so many it kills itself, whatever it is doing then.
/// - `count NAME TIMES`: adds its marks to one object by compare-and-swap.
/// - `put NAME BYTES`: creates one object.
/// - `cache NAME COUNT`: keeps and reads copies of so many objects in the cache at ROOT, again and
///   again, until it has killed itself after the `delay`; says `torn` if it read what it never kept.
/// Options: `links=no` (no hard links), `user=ID`, `largestFile=BYTES`, `delay=MICROSECONDS`.
@main struct StoreWriter {
  let store: DirectoryStore
  let name: String
  let number: Int
  let delay: UInt32

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 5, let number = Int(arguments[4]) else { exit(64) }
    var options = DirectoryOptions()
    options.leftoverAge = .zero
    var delay: UInt32 = 0
    for argument in arguments.dropFirst(5) {
      let parts = argument.split(separator: "=", maxSplits: 1)
      switch (parts.first, parts.last.flatMap { UInt32($0) }) {
      case ("links", _): options.usesHardLinks = parts.last == "yes"
      case ("user", let id?): guard setgid(id) == 0, setuid(id) == 0 else { exit(70) }
      case ("largestFile", let size?): limitFiles(to: size)
      case ("delay", let time?): delay = time
      default: exit(64)
      }
    }
    if arguments[2] == "cache" { try await cache(arguments[1], number, delay) }
    do {
      let store = try DirectoryStore(path: arguments[1], options: options)
      let writer = StoreWriter(
        store: store, name: arguments[3], number: number, delay: delay)
      switch arguments[2] {
      case "publish": try await writer.publish()
      case "count": try await writer.count()
      case "put": try await writer.put()
      default: exit(64)
      }
    } catch let error as StoreError {
      say("\(error.code.rawValue) \(error)")
    }
  }

  /// Writes at once, past all buffers: what was said before the end must be seen after it.
  static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = bytes.withUnsafeBytes { Foundation.write(1, $0.baseAddress, $0.count) }
  }

  private static func limitFiles(to size: UInt32) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    (limit.rlim_cur, limit.rlim_max) = (.init(size), .init(size))
    #if canImport(Darwin)
      setrlimit(RLIMIT_FSIZE, &limit)
    #else
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
  }

  private static func cache(_ path: String, _ count: Int, _ delay: UInt32) async throws {
    Thread.detachNewThread {
      usleep(delay)
      kill(getpid(), SIGKILL)
    }
    let cache = FolderCache(path: path, store: "store", limit: 200_000)
    while true {
      for number in (0..<count).shuffled() {
        let body = MarkedBody.make("\(number)")
        guard let key = ObjectKey("k\(number)"),
          let version = ObjectVersion(
            etag: ETag(digestOf: body), size: body.count, lastModified: nil)
        else { exit(70) }
        if let copy = cache.body(of: key, version), copy != body { say("torn") }
        cache.keep(body, of: key, version)
      }
      await cache.finish()
    }
  }

  private func key(_ text: String) throws -> ObjectKey {
    guard let key = ObjectKey(text) else { exit(64) }
    return key
  }

  private func publish() async throws {
    let acknowledged = Mutex(0)
    let countDown: @Sendable (Bool) -> Void = { isWrite in
      let count = acknowledged.withLock { count in
        if isWrite { count += 1 }
        return count
      }
      guard count == number else { return }
      Thread.detachNewThread {
        usleep(delay)
        kill(getpid(), SIGKILL)
      }
    }
    countDown(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<2 {
        group.addTask {
          for turn in 0... {
            let object = "data/\(name)/\(worker)/\(turn)"
            let outcome = try await store.put(key(object), MarkedBody.make(object), if: .absent)
            guard case .stored = outcome else { continue }
            Self.say("created \(object)")
            countDown(true)
          }
        }
        group.addTask {
          while true {
            let old = try await store.get(key("pointer"), limit: 1 << 20)
            let value = 1 + (old.flatMap { MarkedBody.mark(of: $0.body) }.flatMap { Int($0) } ?? 0)
            let outcome = try await store.put(
              key("pointer"), MarkedBody.make("\(value)"),
              if: old.map { .matches($0.etag) } ?? .absent)
            guard case .stored = outcome else { continue }
            Self.say("moved \(value)")
            countDown(true)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func count() async throws {
    for turn in 0..<number {
      while true {
        let old = try await store.get(key("counter"), limit: 1 << 20)
        let body = (old?.body ?? []) + Array("\(name).\(turn);".utf8)
        let outcome = try await store.put(
          key("counter"), body, if: old.map { .matches($0.etag) } ?? .absent)
        if case .stored = outcome { break }
      }
    }
    Self.say("done")
  }

  private func put() async throws {
    let body = [UInt8](repeating: 7, count: number)
    let outcome = try await store.put(key(name), body, if: .absent)
    Self.say("\(outcome)")
  }
}
