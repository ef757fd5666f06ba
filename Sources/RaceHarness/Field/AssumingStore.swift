import ObjectStore

/// A store whose conditional writes are taken for compare-and-swap, to convict one that a probe has
/// refused or could not refute. Its writes are as conditional as they were.
struct AssumingStore: ObjectStore {
  let base: any ObjectStore

  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    try await base.get(key, limit: limit)
  }
  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    try await base.put(key, body, if: precondition)
  }
  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    try await base.list(request)
  }
  func delete(_ key: ObjectKey) async throws(StoreError) { try await base.delete(key) }
  func clockOffset() async -> Int? { await base.clockOffset() }
  func predictedETag(of body: [UInt8]) -> ETag? { base.predictedETag(of: body) }
}
