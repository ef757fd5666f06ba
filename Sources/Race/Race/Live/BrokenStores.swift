import ObjectStore
import StoreTesting

/// A store whose replace is a read followed by a blind write. Many programs do this. It is the
/// negative control of a race and used only in the harness.
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
    // The protocol has no blind write, so this writes under the current etag, whatever it is.
    while true {
      let current = try await base.get(key, limit: .max)
      let outcome = try await base.put(
        key, body, if: current.map { .matches($0.etag) } ?? .absent)
      if case .preconditionFailed = outcome { continue }
      return outcome
    }
  }
}

/// A store that acknowledges every eighth create of a revision but stores nothing.
struct LosingStore: ForwardingStore {
  let base: any ObjectStore
  private let creates = Counter()

  init(base: any ObjectStore) { self.base = base }

  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    if precondition == .absent, key.rawValue.firstRange(of: "/revisions/") != nil,
      creates.next() % 8 == 7
    {
      return .stored(ETag("\"lost\""))
    }
    return try await base.put(key, body, if: precondition)
  }
}

extension LiveSubject {
  /// The store for this subject.
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
    case .checkThenPut: "reads the etag, then writes without a precondition"
    case .losesRevisions: "acknowledges revisions that were not stored"
    }
  }
}
