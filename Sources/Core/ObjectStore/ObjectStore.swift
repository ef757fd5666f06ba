package import ContentDigests

/// A store of objects under keys, limited to what S3 stores and folders have in common.
///
/// Every write has a precondition; there is no way to write without one. Any task may call any
/// method at any time. An implementation is linearizable per key, as far as `conditionalWrites`
/// says. Cancelling the task stops the request, but a write that was already sent may still be
/// applied.
public protocol ObjectStore: Sendable {
  /// Reads a whole object; nil if there is none.
  ///
  /// - Parameters:
  ///   - key: the object's key.
  ///   - limit: the most bytes to read. A larger object throws `StoreError.Code.tooLarge`.
  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject?

  /// Writes a whole object under a precondition (R25).
  ///
  /// `.stored` means durable and visible to every reader. A thrown error means that the write was
  /// certainly not applied. If it may have been applied, the result is `.unknown`.
  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome

  /// One page of the keys that begin with a prefix, in UTF-8 byte order.
  func list(_ request: ListRequest) async throws(StoreError) -> ListPage

  /// Removes an object. Removing an object that does not exist is not an error.
  func delete(_ key: ObjectKey) async throws(StoreError)

  /// What this store's preconditions guarantee, as a probe has found.
  ///
  /// Cheap after the first call. Throws if the guarantees could not be determined.
  func conditionalWrites() async throws(StoreError) -> ConditionalWrites

  /// Why `conditionalWrites` could promise nothing, if an error kept it from being observed, such as
  /// a right that is missing. Nil if the store was seen to be unsafe, or before the first call.
  func unobserved() -> StoreError?

  /// How many seconds the store's clock is ahead of this machine's; nil if it has no clock of its
  /// own.
  func clockOffset() async -> Int?

  /// The etag that a plain write of `body` would get, if that is a pure function of the bytes.
  ///
  /// A reader can then compare with a listing instead of a read. Nil if the etag can't be
  /// predicted.
  func predictedETag(of body: [UInt8]) -> ETag?
}

extension ObjectStore {
  /// Nil: all was observed.
  public func unobserved() -> StoreError? { nil }
  /// Nil: no clock of its own.
  public func clockOffset() async -> Int? { nil }
  /// Nil: the etag can't be predicted.
  public func predictedETag(of body: [UInt8]) -> ETag? { nil }
}

/// An entity tag, verbatim as the store gave it, quotes included.
public struct ETag: Hashable, Sendable {
  /// The tag as text.
  public let rawValue: String

  /// The tag, verbatim.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The tag of an object in a folder or in memory: its digest, quoted as S3 does.
  package init(_ digest: consuming ContentDigest) { rawValue = "\"\(digest.hex())\"" }

  /// The same of an object's bytes.
  package init(digestOf bytes: [UInt8]) { rawValue = "\"\(ContentDigest.hex(of: bytes))\"" }
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
  /// The store refused: the precondition did not hold, or another write was in progress (412, 409,
  /// or 404 for If-Match). An earlier send of the same write, whose answer was lost, may be the
  /// cause. Read the object again.
  case preconditionFailed
  /// No clear answer: the write was applied, was not applied, or will be applied later. Read the
  /// object again.
  case unknown(StoreError)
}

/// What a store's preconditions guarantee.
public enum ConditionalWrites: String, Hashable, Sendable {
  /// Both preconditions are atomic, so pointers may be moved.
  case compareAndSwap
  /// Only `absent` is atomic: revisions are safe, but pointers may not be written.
  case createOnly
  /// Neither is reliable.
  case unsafe
}

/// An object as read.
public struct StoredObject: Hashable, Sendable {
  /// All its bytes.
  public let body: [UInt8]
  /// The etag of exactly these bytes, for `Precondition.matches`.
  public let etag: ETag
  /// Seconds since 1970 by the store's clock; nil if the store did not report it.
  public let lastModified: Int?

  /// An object as read.
  public init(body: [UInt8], etag: ETag, lastModified: Int? = nil) {
    (self.body, self.etag, self.lastModified) = (body, etag, lastModified)
  }
}
