public import Foundation
import Synchronization

/// A store in memory: linearizable, and gone when the process ends.
///
/// Simulations run on it, and tests compare other stores with it. Listings have etags and are never
/// stale.
public final class MemoryStore: ObjectStore {
  private let table: Mutex<ObjectTable>
  private let now: @Sendable () -> Int
  private let offset: Int?

  /// An empty store.
  ///
  /// - Parameters:
  ///   - clockOffset: what `clockOffset()` answers, to play a server whose clock differs.
  ///   - now: the store's clock, in seconds since 1970.
  public init(
    clockOffset: Int? = nil,
    now: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }
  ) {
    table = Mutex(ObjectTable())
    offset = clockOffset
    self.now = now
  }

  /// Everything that the store holds now.
  package var contents: ObjectTable { table.withLock { $0 } }

  /// Reads a copy of the object.
  public func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    try StoreError.checkCancellation()
    guard let object = table.withLock({ $0[key] }) else { return nil }
    guard object.body.count <= limit else { throw .larger(than: limit, key) }
    return StoredObject(body: object.body, etag: object.etag, lastModified: object.lastModified)
  }

  /// Writes in one atomic step. Never returns `.unknown`.
  public func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    try StoreError.checkCancellation()
    let time = now()
    let etag = table.withLock { $0.put(key, body, if: precondition, at: time) }
    return etag.map(PutOutcome.stored) ?? .preconditionFailed
  }

  /// Lists the state at the moment of the call.
  public func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    try StoreError.checkCancellation()
    try request.check()
    return table.withLock { $0.list(request) }
  }

  /// Removes the object.
  public func delete(_ key: ObjectKey) async throws(StoreError) {
    try StoreError.checkCancellation()
    table.withLock { $0[key] = nil }
  }

  /// Always `compareAndSwap`.
  public func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }

  /// The value that the initializer was given.
  public func clockOffset() async -> Int? { offset }

  /// The SHA-256 of the bytes, quoted.
  public func predictedETag(of body: [UInt8]) -> ETag? { ETag(digestOf: body) }
}

extension StoreError {
  /// Throws `cancelled` if the task is cancelled.
  static func checkCancellation() throws(StoreError) {
    if Task.isCancelled { throw cancelledBeforeSending }
  }

  package static let cancelledBeforeSending = StoreError(.cancelled, "the request was cancelled")

  static func larger(than limit: Int, _ key: ObjectKey) -> StoreError {
    StoreError(
      .tooLarge, "the object is larger than \(limit) bytes", key: key.rawValue,
      remedy: "check what wrote it: a health document is a few kilobytes")
  }
}
