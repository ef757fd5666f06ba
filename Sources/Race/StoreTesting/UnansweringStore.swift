package import ObjectStore

/// A store that gives no clear answer to writes of some keys, like a server that can't reach enough
/// of its drives.
package struct UnansweringStore: ForwardingStore {
  package let base: any ObjectStore
  /// Writes of keys with this suffix get no clear answer.
  private let suffix: String
  private let reason: StoreError

  package init(
    _ base: any ObjectStore, toKeysEndingWith suffix: String, because reason: StoreError
  ) {
    (self.base, self.suffix, self.reason) = (base, suffix, reason)
  }

  package func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    guard key.rawValue.hasSuffix(suffix) else {
      return try await base.put(key, body, if: precondition)
    }
    var reason = reason
    reason.key = key.rawValue
    return .unknown(reason)
  }
}
