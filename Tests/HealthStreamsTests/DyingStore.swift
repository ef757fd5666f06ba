import ObjectStore
import Synchronization

/// A store whose caller ends after some writes: every later request fails and does nothing.
final class DyingStore: ObjectStore {
  private let base: any ObjectStore
  private let left: Mutex<Int>
  private let failure: StoreError

  init(
    _ base: any ObjectStore, after writes: Int,
    with failure: StoreError = StoreError(.unavailable, "the process has ended")
  ) {
    (self.base, self.failure) = (base, failure)
    left = Mutex(writes)
  }

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    guard left.withLock({ $0 > 0 }) else { throw failure }
    return try await base.get(key, limit: limit)
  }

  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    let isAlive = left.withLock { left in
      left -= 1
      return left >= 0
    }
    guard isAlive else { throw failure }
    let outcome = try await base.put(key, body, if: precondition)
    // The last answer never arrives.
    guard left.withLock({ $0 > 0 }) else { throw failure }
    return outcome
  }

  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    try await base.list(request)
  }

  func delete(_ key: ObjectKey) async throws(StoreError) { try await base.delete(key) }

  func conditionalWrites() async throws(StoreError) -> ConditionalWrites {
    try await base.conditionalWrites()
  }
}
