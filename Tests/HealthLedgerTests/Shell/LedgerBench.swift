import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// A ledger over a store that counts its requests, and hands to damage it with.
struct LedgerBench {
  let memory: MemoryStore
  let store: FaultInjectingStore
  let ledger: HealthLedger

  init(plan: FaultPlan = .none, clockOffset: Int? = nil, now: Timestamp = Sample.noon) {
    memory = MemoryStore(clockOffset: clockOffset, now: { now.secondsSince1970 })
    store = FaultInjectingStore(memory, plan: plan)
    ledger = HealthLedger(store: store, environment: .test(now: now))
  }

  /// Another collector at the same store.
  func ledger(now: Timestamp, entropy: UInt32 = 1) -> HealthLedger {
    HealthLedger(store: store, environment: .test(now: now, entropy: entropy))
  }

  /// The same objects behind a fresh counter.
  func recounted(plan: FaultPlan = .none) -> LedgerBench { LedgerBench(memory, plan) }

  private init(_ memory: MemoryStore, _ plan: FaultPlan) {
    self.memory = memory
    store = FaultInjectingStore(memory, plan: plan)
    ledger = HealthLedger(store: store, environment: .test(now: Sample.noon))
  }

  /// Puts an object there, whatever was there before.
  func place(_ text: String, _ body: [UInt8]) async throws {
    let key = try #require(ObjectKey(text))
    try await memory.delete(key)
    _ = try await memory.put(key, body, if: .absent)
  }

  func placeRevision(_ draft: DayDraft, _ id: RevisionID) async throws {
    let key = ledger.layout.revisionKey(draft.day.date, id).rawValue
    try await place(key, Sample.body(draft, id))
  }

  func placePointer(_ date: CalendarDate, to id: RevisionID) async throws {
    let key = ledger.layout.pointerKey(date).rawValue
    try await place(key, LatestPointer(date: date, revisionID: id).encoded)
  }

  func pointer(_ date: CalendarDate) -> RevisionID? {
    memory.contents[ledger.layout.pointerKey(date)].flatMap {
      LatestPointer.decode($0.body, date: date).pointer?.revisionID
    }
  }
}

extension LedgerEnvironment {
  /// A clock that stands, and waits that take no time but let others run.
  static func test(now: Timestamp, entropy: UInt32 = 0xABCDEF) -> LedgerEnvironment {
    LedgerEnvironment(
      now: { now }, entropy: { entropy },
      backOff: { _ async throws(CancellationError) in
        if Task.isCancelled { throw CancellationError() }
        await Task.yield()
      })
  }
}
