import ObjectStore
import StoreTesting
import Synchronization

/// A store that lists no etags, or weak ones.
struct RelabellingStore: ForwardingStore {
  enum Labels { case none, weak }

  let base: any ObjectStore
  let labels: Labels

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    guard let object = try await base.get(key, limit: limit) else { return nil }
    return StoredObject(
      body: object.body, etag: label(object.etag) ?? object.etag,
      lastModified: object.lastModified)
  }
  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    let page = try await base.list(request)
    let entries = page.entries.map {
      ListEntry(
        key: $0.key, size: $0.size, etag: $0.etag.flatMap(label), lastModified: $0.lastModified)
    }
    return ListPage(entries: entries, folders: page.folders, next: page.next)
  }
  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }

  private func label(_ etag: ETag) -> ETag? {
    labels == .none ? nil : ETag("W/" + etag.rawValue)
  }
}

/// A store in which somebody is at work between a listing and the reads that follow it.
struct OvertakenStore: ForwardingStore {
  let base: any ObjectStore
  let meanwhile: @Sendable () async -> Void

  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    let page = try await base.list(request)
    await meanwhile()
    return page
  }
  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }
}

/// A store in which one entry can't be read, as a link in a folder.
struct ObstructedStore: ForwardingStore {
  let base: any ObjectStore
  let key: String
  let isRetryable: Bool

  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    let page = try await base.list(request)
    let entries = page.entries.map { listed in
      var entry = listed
      if entry.key == key {
        entry.obstacle = StoreError(
          .unreadable, "\(key) can't be read", key: key, isRetryable: isRetryable)
      }
      return entry
    }
    return ListPage(entries: entries, next: page.next)
  }
  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }
}

/// A cache without copies that counts how often it is turned to.
final class CacheSpy: ObjectCache {
  private let count = Mutex(0)
  var calls: Int { count.withLock(\.self) }

  func body(of key: ObjectKey, _ version: ObjectVersion) -> [UInt8]? {
    count.withLock { $0 += 1 }
    return nil
  }
  func keep(_ body: [UInt8], of key: ObjectKey, _ version: ObjectVersion) {
    count.withLock { $0 += 1 }
  }
  func finish() async {}
}

/// A store whose reads end early, with the etag of the whole object.
struct CuttingStore: ForwardingStore {
  let base: any ObjectStore
  /// Whether an object's reads do.
  var cuts: @Sendable (StoredObject) -> Bool = { _ in true }

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    guard let object = try await base.get(key, limit: limit) else { return nil }
    guard cuts(object) else { return object }
    return StoredObject(
      body: Array(object.body.dropLast(20)), etag: object.etag, lastModified: object.lastModified)
  }
  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }
}

/// A store whose checksums say that some bytes are not those that were stored.
struct DamagedStore: ForwardingStore {
  let base: any ObjectStore
  let isDamaged: @Sendable (StoredObject) -> Bool

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    let object = try await base.get(key, limit: limit)
    guard let object, isDamaged(object) else { return object }
    var error = StoreError(.unreadable, "the checksum is that of other bytes", key: key.rawValue)
    error.damaged = object
    throw error
  }
  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }
}

/// A store that lists an object and does not find it when it is read, as a node of several that was
/// killed does for seconds after its start.
struct HidingStore: ForwardingStore {
  let base: any ObjectStore
  let hides: @Sendable (ObjectKey) -> Bool

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    hides(key) ? nil : try await base.get(key, limit: limit)
  }
  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }
}
