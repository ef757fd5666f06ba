import ObjectStore
import StoreTesting

/// A store whose replace is a look and then a blind write: what many programs do, and the negative
/// control of a race. Lives in the harness only.
struct CheckThenPutStore: ForwardingStore {
  let base: any ObjectStore

  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    guard case .matches(let etag) = precondition else {
      return try await base.put(key, body, if: precondition)
    }
    guard try await base.get(key, limit: .max)?.etag == etag else { return .preconditionFailed }
    do { try await Task.sleep(for: .milliseconds(Int.random(in: 0...10))) } catch {
      throw StoreError(.cancelled, "the race was interrupted")
    }
    // A blind write can't be spelled: it is a write under whatever is there now.
    while true {
      let current = try await base.get(key, limit: .max)
      let outcome = try await base.put(
        key, body, if: current.map { .matches($0.etag) } ?? .absent)
      if case .preconditionFailed = outcome { continue }
      return outcome
    }
  }
}

/// A store that acknowledges every eighth create of a revision and stores nothing.
struct LosingStore: ForwardingStore {
  let base: any ObjectStore
  private let creates = Counter()

  init(base: any ObjectStore) { self.base = base }

  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    if precondition == .absent, key.rawValue.contains("/revisions/"), creates.next() % 8 == 7 {
      return .stored(ETag("\"lost\""))
    }
    return try await base.put(key, body, if: precondition)
  }
}

extension LiveSubject {
  /// The store as this subject has it.
  func store(over base: any ObjectStore) -> any ObjectStore {
    switch self {
    case .sound: base
    case .checkThenPut: CheckThenPutStore(base: base)
    case .losesRevisions: LosingStore(base: base)
    }
  }

  /// What is broken, for people.
  package var summary: String {
    switch self {
    case .sound: "the ledger as it is"
    case .checkThenPut: "looks at the etag, then writes blindly"
    case .losesRevisions: "acknowledges revisions that were not stored"
    }
  }
}
