public import ObjectStore

/// Why streams could not be stored or read.
public struct StreamError: Error, Hashable, Sendable {
  /// The kind of failure.
  public enum Code: String, Hashable, Sendable {
    /// The store failed; `cause` says how.
    case store
    /// The batch breaks a bound, or its id is not its digest. Nothing was stored.
    case invalidBatch = "invalid_batch"
    /// An object with other content has the key of a batch or marker.
    case occupied
    /// The store gave no clear answer to any of several attempts.
    case unanswered
    /// The store's create-if-absent is not reliable, so a batch could be replaced.
    case unsafeStore = "unsafe_store"
    /// More devices than one person's streams have (R43).
    case tooManyDevices = "too_many_devices"
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, as one clause without a full stop.
  public let message: String
  /// The object concerned, if there is one.
  public let key: String?
  /// The store's own error.
  public let cause: StoreError?

  init(_ code: Code, _ message: String, key: String? = nil, cause: StoreError? = nil) {
    (self.code, self.message, self.key, self.cause) = (code, message, key, cause)
  }

  init(_ cause: StoreError) {
    self.init(.store, cause.message, key: cause.key, cause: cause)
  }

  /// Turns a store's error into one of streams.
  static func wrapping<Value>(
    _ work: () async throws(StoreError) -> Value
  ) async throws(StreamError) -> Value {
    do throws(StoreError) {
      return try await work()
    } catch {
      throw StreamError(error)
    }
  }
}
