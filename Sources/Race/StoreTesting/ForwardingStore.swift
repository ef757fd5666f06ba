package import ObjectStore

/// A store that forwards every request to another one. A conforming type implements only what
/// differs.
package protocol ForwardingStore: ObjectStore {
  var base: any ObjectStore { get }
}

extension ForwardingStore {
  package func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    try await base.get(key, limit: limit)
  }

  package func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    try await base.put(key, body, if: precondition)
  }

  package func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    try await base.list(request)
  }

  package func delete(_ key: ObjectKey) async throws(StoreError) { try await base.delete(key) }

  package func conditionalWrites() async throws(StoreError) -> ConditionalWrites {
    try await base.conditionalWrites()
  }

  package func unobserved() -> StoreError? { base.unobserved() }

  package func clockOffset() async -> Int? { await base.clockOffset() }

  package func predictedETag(of body: [UInt8]) -> ETag? { base.predictedETag(of: body) }
}
