import ObjectStore
import Synchronization

/// What this process has created in a bucket whose reads lag (R28), for a while.
///
/// The bucket has confirmed it, so it is durable, and only answers that are too old do not show it.
/// Without this, a writer that looks at what it has just written would find nothing and write again.
struct OwnWrites: Sendable {
  private struct Write {
    let object: StoredObject
    let at: ContinuousClock.Instant
  }

  private var writes: [String: Write] = [:]
  private var byteCount = 0

  /// How long answers of a store may lag.
  static let age: Duration = .seconds(600)
  static let (maximumCount, maximumBytes) = (256, 4 << 20)

  var isEmpty: Bool { writes.isEmpty }

  mutating func add(_ key: String, _ body: [UInt8], _ etag: ETag, at now: ContinuousClock.Instant) {
    remove(key)
    writes = writes.filter { now - $0.value.at < Self.age }
    guard body.count <= Self.maximumBytes else { return }
    writes[key] = Write(object: StoredObject(body: body, etag: etag), at: now)
    byteCount = writes.values.reduce(0) { $0 + $1.object.body.count }
    while writes.count > Self.maximumCount || byteCount > Self.maximumBytes {
      guard let oldest = writes.min(by: { $0.value.at < $1.value.at })?.key else { return }
      remove(oldest)
    }
  }

  mutating func remove(_ key: String) {
    guard let write = writes.removeValue(forKey: key) else { return }
    byteCount -= write.object.body.count
  }

  /// The object that was created under a key.
  func object(_ key: String, at now: ContinuousClock.Instant) -> StoredObject? {
    writes[key].flatMap { now - $0.at < Self.age ? $0.object : nil }
  }

  /// A page of a listing with what it lacks of them.
  ///
  /// - Parameter lastKey: where the page before it ended.
  func completing(
    _ page: ListPage, of request: ListRequest, after lastKey: String?,
    at now: ContinuousClock.Instant
  ) -> ListPage {
    let start = [request.startAfter, lastKey].compactMap { $0 }.max { $0.precedes($1) }
    let end = page.next == nil ? nil : page.lastKey
    var (entries, folders) = (page.entries, page.folders)
    for (key, write) in writes
    where key.utf8.starts(with: request.prefix.utf8) && now - write.at < Self.age {
      let folder = request.isShallow ? Self.folder(of: key, below: request.prefix) : nil
      let listed = folder ?? key
      guard start.map({ $0.precedes(listed) }) ?? true, end.map({ listed.precedes($0) }) ?? true
      else { continue }
      if let folder {
        if !folders.contains(folder) { folders.append(folder) }
      } else if !entries.contains(where: { $0.key == key }) {
        entries.append(
          ListEntry(
            key: key, size: write.object.body.count, etag: write.object.etag, lastModified: nil))
      }
    }
    guard (entries.count, folders.count) != (page.entries.count, page.folders.count) else {
      return page
    }
    return ListPage(
      entries: entries.sorted { $0.key.precedes($1.key) },
      folders: folders.sorted { $0.precedes($1) }, next: page.next)
  }

  private static func folder(of key: String, below prefix: String) -> String? {
    let rest = key.utf8.dropFirst(prefix.utf8.count)
    return rest.firstIndex(of: UInt8(ascii: "/")).flatMap { String(key.utf8[...$0]) }
  }
}

extension ListPage {
  /// The greatest key or folder that it shows.
  fileprivate var lastKey: String? {
    [entries.last?.key, folders.last].compactMap { $0 }.max { $0.precedes($1) }
  }
}
