/// A place that keeps objects under keys, in the terms that every S3 store and a folder share.
///
/// Every write carries a precondition: a blind write cannot be spelled. All methods may be called
/// from any task, at the same time; an implementation is linearizable per key as far as its
/// `conditionalWrites` says. Cancelling the task stops the request; a write cancelled in flight may
/// still have been applied.
public protocol ObjectStore: Sendable {
  /// Reads a whole object; nil where there is none.
  ///
  /// - Parameter limit: most bytes to take; a larger object fails with `StoreError.Code.tooLarge`.
  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject?

  /// Writes a whole object under a precondition (R25).
  ///
  /// `.stored` means durable and visible to every reader. Errors thrown mean "certainly not
  /// applied"; what may have been applied comes back as `.unknown`.
  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome

  /// One page of the keys that begin with a prefix, in UTF-8 byte order.
  func list(_ request: ListRequest) async throws(StoreError) -> ListPage

  /// Removes an object; removing an absent one is no error.
  func delete(_ key: ObjectKey) async throws(StoreError)

  /// What this store's preconditions were found to guarantee.
  ///
  /// Cheap after the first call. Throws when that could not be found out.
  func conditionalWrites() async throws(StoreError) -> ConditionalWrites

  /// How far the store's clock is ahead of this machine's, in seconds; nil where it has none of its own.
  func clockOffset() async -> Int?

  /// The etag that a plain write of `body` would get, if that is a pure function of the bytes.
  ///
  /// Lets a reader compare by a listing instead of a read. Nil where it can't be told.
  func predictedETag(of body: [UInt8]) -> ETag?
}

extension ObjectStore {
  /// Nil: no clock of its own.
  public func clockOffset() async -> Int? { nil }
  /// Nil: can not be told.
  public func predictedETag(of body: [UInt8]) -> ETag? { nil }
}

/// An entity tag, verbatim as the store gave it, quotes included.
public struct ETag: Hashable, Sendable {
  /// The tag as text.
  public let rawValue: String

  /// The tag, verbatim.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// What must hold for a write to be applied.
public enum Precondition: Hashable, Sendable {
  /// There is no object under the key (`If-None-Match: *`).
  case absent
  /// The object is the one that was read with this etag (`If-Match`).
  case matches(ETag)
}

/// What became of a write.
public enum PutOutcome: Sendable {
  /// Applied, durable and visible; the new etag.
  case stored(ETag)
  /// The store refused: the precondition did not hold, or another writer was at it (412, 409, and
  /// 404 on If-Match). An earlier, unanswered send of the same write may be the reason: read again.
  case preconditionFailed
  /// No clean answer: applied, not applied, or to be applied later. Read again.
  case unknown(StoreError)
}

/// What a store's preconditions guarantee.
public enum ConditionalWrites: String, Hashable, Sendable {
  /// Both preconditions hold atomically: pointers may move.
  case compareAndSwap
  /// Only `absent` holds: revisions are safe, pointers may not be written.
  case createOnly
  /// Neither can be relied on.
  case unsafe
}

/// An object as read.
public struct StoredObject: Sendable {
  /// All its bytes.
  public let body: [UInt8]
  /// Names exactly these bytes to `Precondition.matches`.
  public let etag: ETag
  /// Seconds since 1970 by the store's clock; nil if it did not say.
  public let lastModified: Int?

  /// An object as read.
  public init(body: [UInt8], etag: ETag, lastModified: Int? = nil) {
    (self.body, self.etag, self.lastModified) = (body, etag, lastModified)
  }
}
