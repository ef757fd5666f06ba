import HealthModel
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@testable import HealthLedger

/// R38: pointers move forward by compare-and-swap, or not at all.
@Suite(.unit) struct RepairTests {
  let bench = LedgerBench()
  let date: CalendarDate
  let draft: DayDraft

  init() throws {
    date = try Sample.date()
    draft = try Sample.draft(steps: 1)
  }

  private func repair(dryRun: Bool = false, in ledger: HealthLedger? = nil) async throws
    -> PointerRepair
  {
    try await (ledger ?? bench.ledger).repairPointer(date, dryRun: dryRun)
  }

  @Test
  func `R38 a stale pointer moves to the newest valid revision, and a dry run writes nothing`()
    async throws
  {
    for index in 0..<3 { try await bench.placeRevision(draft, Sample.id(index)) }
    let broken = bench.ledger.layout.revisionKey(date, Sample.id(3)).rawValue
    try await bench.place(broken, Array("{}".utf8))
    try await bench.placePointer(date, to: Sample.id(0))
    let before = bench.memory.contents
    #expect(try await repair(dryRun: true) == .wouldMove(from: Sample.id(0), to: Sample.id(2)))
    #expect(bench.memory.contents == before)
    #expect(try await repair() == .moved(from: Sample.id(0), to: Sample.id(2)))
    #expect(bench.pointer(date) == Sample.id(2))
    #expect(bench.memory.contents.count == before.count)
    #expect(try await repair() == .alreadySound(Sample.id(2)))
    #expect(bench.store.log.deletes == 0)
  }

  @Test(arguments: [nil, "null", "{}", String(repeating: " ", count: 5000)])
  func `R38 a missing or corrupt pointer is written again`(text: String?) async throws {
    try await bench.placeRevision(draft, Sample.id(0))
    let key = bench.ledger.layout.pointerKey(date).rawValue
    if let text { try await bench.place(key, Array(text.utf8)) }
    #expect(try await repair() == .moved(from: nil, to: Sample.id(0)))
    #expect(bench.pointer(date) == Sample.id(0))
  }

  @Test func `R38 a pointer beyond every valid revision is never moved back`() async throws {
    try await bench.placeRevision(draft, Sample.id(0))
    try await bench.placePointer(date, to: Sample.id(9))
    let before = bench.memory.contents
    #expect(try await repair() == .impossible(.namesGreaterID))
    #expect(bench.memory.contents == before)
  }

  @Test func `R38 the pointer does not pass a word that the newest revision lacks`() async throws {
    // It is stored late, under an id with room below it, and acknowledged through the pointer.
    let late = Sample.id(0)
    try await bench.placeRevision(try Sample.energy(300), late)
    try await bench.placePointer(date, to: late)
    try await bench.placeRevision(draft, Sample.id(1))
    let before = bench.memory.contents
    for dryRun in [true, false] {
      #expect(try await repair(dryRun: dryRun) == .impossible(.lacksWords))
    }
    #expect(bench.memory.contents == before)
    // The next publish, of whatever source, joins them.
    _ = try await bench.ledger.publish(draft)
    let revision = try #require(try await bench.ledger.resolve(date).latest?.revision)
    #expect(revision.reading(of: .activeEnergy) == .value(300))
    #expect(revision.reading(of: .steps) == .value(1))
    #expect(bench.pointer(date) == (try await bench.ledger.history(date)).max())
  }

  @Test func `R38 a day without a valid revision, and a store without compare-and-swap`()
    async throws
  {
    #expect(try await repair() == .impossible(.noValidRevision))
    try await bench.placeRevision(draft, Sample.id(0))
    for verdict in [ConditionalWrites.createOnly, .unsafe] {
      let weak = HealthLedger(
        store: WeakStore(base: bench.memory, verdict: verdict),
        environment: .test(now: Sample.noon))
      #expect(try await repair(in: weak) == .impossible(.noCompareAndSwap))
    }
    #expect(bench.pointer(date) == nil)
    #expect(bench.store.log.puts == 0)
  }

  @Test func `R38 every write of a repair carries the etag of what it replaces`() async throws {
    try await bench.placeRevision(draft, Sample.id(1))
    try await bench.placePointer(date, to: Sample.id(0))
    _ = try await repair()
    let old = LatestPointer(date: date, revisionID: Sample.id(0)).encoded
    let put = bench.store.log.entries.last { $0.kind == .put }
    let etag = try #require(bench.memory.predictedETag(of: old))
    #expect(put?.precondition == .matches(etag))
  }

  @Test func `R38 a store that refuses every write is reported, after as many tries as R25 allows`()
    async throws
  {
    let bench = self.bench.recounted(
      plan: FaultPlan(rules: [.init(.refused(.preconditionFailed), on: .put, which: nil)]))
    try await bench.placeRevision(draft, Sample.id(1))
    await #expect(throws: LedgerError.self) {
      try await bench.ledger.repairPointer(date, dryRun: false)
    }
    #expect(bench.store.log.puts == PublishMachine.maximumAttempts)
  }

  @Test func `R38 verify repairs only what it is asked to, and reports the day as it is after`()
    async throws
  {
    for index in 0..<2 { try await bench.placeRevision(draft, Sample.id(index)) }
    try await bench.placePointer(date, to: Sample.id(0))
    let range = try DateRange(from: date, to: date)
    var verdicts: [DayVerdict] = []
    for repair in [VerifyOptions.Repair.no, .dryRun, .apply, .apply] {
      try await bench.ledger.verify(range, VerifyOptions(repair: repair)) { verdicts.append($0) }
    }
    #expect(verdicts.map(\.status) == [.faulty, .faulty, .ok, .ok])
    #expect(
      verdicts.map(\.repair) == [
        nil, .wouldMove(from: Sample.id(0), to: Sample.id(1)),
        .moved(from: Sample.id(0), to: Sample.id(1)), nil,
      ])
    #expect(bench.store.log.puts == 1)
  }

  @Test(arguments: 1...20)
  func `R38 repairs among publishers and lost answers never move the pointer backwards`(
    seed: Int
  ) async throws {
    let recorder = PointerRecorder()
    let faulty = FaultInjectingStore(
      recorder,
      plan: FaultPlan(
        drawing: [
          .answerLost, .delayed(requests: 3), .duplicatedLate(requests: 4),
          .refused(.conflict), .refused(.preconditionFailed),
        ], perMillion: 250_000, seed: UInt64(seed)))
    let date = date
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let ledger = HealthLedger(
            store: faulty,
            environment: .test(
              now: Sample.noon.adding(seconds: writer), entropy: UInt32(writer + 1)))
          for round in 0..<6 {
            // A fault may end a publish or a repair with an error; the pointer is what counts.
            if let draft = try? Sample.draft(steps: Double(writer * 10 + round + 1)) {
              _ = try? await ledger.publish(draft)
            }
            _ = try? await ledger.repairPointer(date, dryRun: false)
          }
        }
      }
    }
    await faulty.settle()
    let values = recorder.values
    #expect(!values.isEmpty)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }, "\(values)")
    // Whatever was lost, a repair at rest leaves the pointer at the answer.
    let ledger = HealthLedger(store: recorder, environment: .test(now: Sample.noon))
    if try await repair(in: ledger) == .impossible(.lacksWords) {
      _ = try await ledger.publish(draft)
    }
    let resolution = try await ledger.resolve(date)
    #expect(resolution.pointer.revisionID == resolution.latest?.id && resolution.latest != nil)
  }
}

/// A store in memory that remembers every value that a pointer has had, in the order of writing.
final class PointerRecorder: ObjectStore {
  private struct State {
    var table = ObjectTable()
    var values: [RevisionID] = []
  }

  private let state = Mutex(State())

  var values: [RevisionID] { state.withLock { $0.values } }

  func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    let etag = state.withLock { state in
      let etag = state.table.put(key, body, if: precondition, at: nil)
      if etag != nil, let pointer = LatestPointer.decode(body).pointer {
        state.values.append(pointer.revisionID)
      }
      return etag
    }
    return etag.map(PutOutcome.stored) ?? .preconditionFailed
  }

  func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    state.withLock { $0.table[key] }.map { StoredObject(body: $0.body, etag: $0.etag) }
  }
  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    state.withLock { $0.table.list(request) }
  }
  func delete(_ key: ObjectKey) async throws(StoreError) {
    state.withLock { $0.table[key] = nil }
  }
  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }
  func predictedETag(of body: [UInt8]) -> ETag? { ETag(digestOf: body) }
}
