import ContentDigests
import HealthLedger
import HealthModel
import ObjectStore
import StoreTesting
import Synchronization

/// The store as one writer sees it. It records each revision before its bytes are first sent, and counts
/// requests.
final class RecordingStore: ForwardingStore {
  let base: any ObjectStore
  private let layout: LedgerLayout
  private let note: @Sendable (RevisionID, String) -> Void
  private let state = Mutex(State())

  private struct State {
    var requests = 0
    var last: (id: RevisionID, digest: String)?
  }

  /// - Parameter note: called with a revision and the digest of its bytes before it is sent.
  init(
    _ base: any ObjectStore, _ layout: LedgerLayout,
    note: @escaping @Sendable (RevisionID, String) -> Void
  ) {
    (self.base, self.layout, self.note) = (base, layout, note)
  }

  /// Resets the count. Returns the number of requests so far.
  func startOver() -> Int {
    state.withLock { state in
      defer { state = State() }
      return state.requests
    }
  }

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    count()
    return try await base.get(key, limit: limit)
  }

  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    count()
    return try await base.list(request)
  }

  func delete(_ key: ObjectKey) async throws(StoreError) {
    count()
    try await base.delete(key)
  }

  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    count()
    if case .revision(_, let id) = layout.member(key.rawValue) {
      let digest = Self.digest(body)
      let isNew = state.withLock { state in
        defer { state.last = (id, digest) }
        return state.last.map { $0 != (id, digest) } ?? true
      }
      if isNew { note(id, digest) }
    }
    return try await base.put(key, body, if: precondition)
  }

  private func count() { state.withLock { $0.requests += 1 } }

  /// The SHA-256 of a revision's bytes, in hex.
  static func digest(_ body: [UInt8]) -> String { ContentDigest.hex(of: body) }
}
