import HealthLedger
import HealthModel
import ObjectStore
import StoreTesting
import Synchronization

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
    try await Self.pause(.milliseconds(Int.random(in: 0...10)))
    return try await putBlindly(key, body)
  }
}

/// A store that acknowledges one in eight creates of a revision but stores nothing. The random end of
/// the id says which: a slow store may see fewer than eight of a process in a round.
struct LosingStore: ForwardingStore {
  let base: any ObjectStore

  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    if precondition == .absent, key.rawValue.firstRange(of: "/revisions/") != nil,
      ["0", "8"].contains(key.rawValue.dropLast(".json".count).last)
    {
      return .stored(ETag("\"lost\""))
    }
    return try await base.put(key, body, if: precondition)
  }
}

/// A store for a writer that does not look at the day again after its write (R20): from then on it
/// answers nothing but what moves the pointer.
final class LooksOnceStore: ForwardingStore {
  let base: any ObjectStore
  private let layout: LedgerLayout
  private let state = Mutex(State())

  private struct State {
    var stored: RevisionID?
    /// Whether a write of the pointer was refused, so that it is read again.
    var rereads = false
    var hasEnded = false
  }

  init(base: any ObjectStore, _ layout: LedgerLayout) { (self.base, self.layout) = (base, layout) }

  /// Begins another publish.
  func startOver() { state.withLock { $0 = State() } }

  /// The revision of a publish that has ended where it should have looked again.
  var ended: RevisionID? { state.withLock { $0.hasEnded ? $0.stored : nil } }

  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    try look()
    return try await base.list(request)
  }

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    if case .pointer = layout.member(key.rawValue) { try look() }
    return try await base.get(key, limit: limit)
  }

  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    let member = layout.member(key.rawValue)
    // So that others publish between its survey and its write.
    if case .revision = member {
      try? await Task.sleep(for: .milliseconds(Int.random(in: 0...100)))
    }
    let outcome = try await base.put(key, body, if: precondition)
    state.withLock { state in
      switch (member, outcome) {
      case (.revision(_, let id), .stored): state.stored = id
      case (.pointer, .stored): state.rereads = false
      case (.pointer, _): state.rereads = true
      default: break
      }
    }
    return outcome
  }

  private func look() throws(StoreError) {
    let isFirst = state.withLock { state in
      if state.stored == nil || state.rereads {
        state.rereads = false
        return true
      }
      state.hasEnded = true
      return false
    }
    guard isFirst else { throw StoreError(.cancelled, "it does not look again") }
  }
}

extension LiveSubject {
  /// The store for this subject.
  func store(over base: any ObjectStore, _ layout: LedgerLayout) -> any ObjectStore {
    switch self {
    case .sound: base
    case .checkThenPut: CheckThenPutStore(base: base)
    case .losesRevisions: LosingStore(base: base)
    case .looksOnce: LooksOnceStore(base: base, layout)
    }
  }

  /// What is broken, for people.
  package var summary: String {
    switch self {
    case .sound: "the ledger as it is"
    case .checkThenPut: "reads the etag, then writes without a precondition"
    case .losesRevisions: "acknowledges revisions that were not stored"
    case .looksOnce: "does not look at the day after its write"
    }
  }
}
