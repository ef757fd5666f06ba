import Foundation
import HealthModel
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@testable import HealthLedger

/// R34: a revision that is listed and not found was deleted in between, or the store fails.
@Suite(.unit) struct UnfoundRevisionTests {
  let bench = LedgerBench()
  let date: CalendarDate
  let range: DateRange
  let draft: DayDraft
  /// Steps alone, so that the day's other metrics have to be kept.
  let partial: DayDraft

  init() throws {
    date = try Sample.date()
    range = try DateRange(from: date, to: date)
    var draft = try Sample.draft(steps: 1)
    draft.readings[.activeEnergy] = .value(512)
    self.draft = draft
    partial = DayDraft(
      day: draft.day, collector: draft.collector, readings: [.steps: .value(2)],
      capturedAt: draft.capturedAt.adding(seconds: 60))
  }

  /// The bench's objects in a store that finds no revision.
  private var failing: HealthLedger {
    ledger(HidingStore(base: bench.memory) { $0.rawValue.contains("/revisions/") })
  }

  private func ledger(_ store: any ObjectStore) -> HealthLedger {
    HealthLedger(store: store, environment: .test(now: Sample.noon.adding(seconds: 120)))
  }

  private func key(_ id: RevisionID) -> ObjectKey { bench.ledger.layout.revisionKey(date, id) }

  private func expectFailure(
    _ what: String, _ work: () async throws -> Void
  ) async {
    let error = await #expect(throws: LedgerError.self, "\(what)") { try await work() }
    #expect(error?.code == .storageUnavailable && error?.isRetryable == true, "\(what)")
    #expect(error?.key?.contains("/revisions/") == true, "\(what)")
    #expect(error?.message.contains("does not find it") == true, "\(what): \(error?.message ?? "")")
  }

  @Test(arguments: [true, false])
  func `R34 a revision that is listed, and not found twice, is a failure of the store`(
    hasPointer: Bool
  ) async throws {
    let id = Sample.id(0)
    try await bench.placeRevision(draft, id)
    if hasPointer { try await bench.placePointer(date, to: id) }
    let failing = failing
    var cached = failing
    cached.cache = CacheSpy()
    for ledger in [failing, cached] {
      await expectFailure("a day") { _ = try await ledger.resolve(date) }
      await expectFailure("a range") { try await ledger.resolve(range) { _ in } }
      await expectFailure("dates") { try await ledger.resolve([date]) { _ in } }
      await expectFailure("as of") { _ = try await ledger.resolve(date, asOf: .last) }
      await expectFailure("before") { _ = try await ledger.resolve(date, before: Sample.id(1)) }
      await expectFailure("by its id") { _ = try await ledger.revision(date, id) }
      await expectFailure("decoded") { _ = try await ledger.decodedRevision(date, id) }
      await expectFailure("verify") { try await ledger.verify(range) { _ in } }
      await expectFailure("verify alone") { _ = try await ledger.verify(date, known: nil) }
      await expectFailure("repair") { _ = try await ledger.repairPointer(date, dryRun: true) }
    }
  }

  @Test func `R34, R35 a deep look fails for an older revision that is listed and not found`()
    async throws
  {
    for index in 0..<2 { try await bench.placeRevision(draft, Sample.id(index)) }
    try await bench.placePointer(date, to: Sample.id(1))
    let hidden = key(Sample.id(0))
    let ledger = ledger(HidingStore(base: bench.memory) { $0 == hidden })
    #expect(try await ledger.resolve(date).latest?.id == Sample.id(1))
    await expectFailure("deep") {
      try await ledger.verify(range, VerifyOptions(isDeep: true)) { _ in }
    }
  }

  @Test(arguments: [true, false])
  func `R20, R34 a publish whose store does not find what it lists stores nothing`(
    hasPointer: Bool
  ) async throws {
    try await bench.placeRevision(draft, Sample.id(0))
    if hasPointer { try await bench.placePointer(date, to: Sample.id(0)) }
    let before = bench.memory.contents.keys
    let ledger = failing
    for draft in [partial, draft] {
      await expectFailure("one") { _ = try await ledger.publish(draft) }
      await expectFailure("preview") { try await ledger.preview([draft]) { _, _ in } }
      var failure: LedgerError?
      try await ledger.publish([draft]) { _, result in
        if case .failed(let error) = result { failure = error }
      }
      #expect(failure?.code == .storageUnavailable)
      #expect(failure?.message.hasSuffix("; nothing was stored") == true)
    }
    #expect(bench.memory.contents.keys == before)
    // The same store, once it finds them again, keeps what the source does not cover.
    _ = try await bench.ledger(now: Sample.noon.adding(seconds: 120)).publish(partial)
    let latest = try #require(try await bench.ledger.resolve(date).latest)
    #expect(latest.revision.readings[.steps] == .value(2))
    #expect(latest.revision.readings[.activeEnergy] == .value(512))
  }

  @Test func `R34 a revision that is found when it is read again is the answer`() async throws {
    try await bench.placeRevision(draft, Sample.id(0))
    let reads = Mutex(0)
    let ledger = ledger(
      HidingStore(base: bench.memory) { key in
        guard key.rawValue.contains("/revisions/") else { return false }
        return reads.withLock { count in
          count += 1
          return count == 1
        }
      })
    let resolution = try await ledger.resolve(date)
    #expect(resolution.latest?.id == Sample.id(0) && resolution.rejected == [])
    #expect(reads.withLock(\.self) == 2)
  }

  @Test func `R34 a revision that was deleted after its listing is gone`() async throws {
    let (older, deleted) = (Sample.id(0), Sample.id(1))
    func overtaken(_ store: any ObjectStore, _ key: ObjectKey) -> HealthLedger {
      ledger(OvertakenStore(base: store) { try? await store.delete(key) })
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "gone-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let stores: [any ObjectStore] = [
      bench.memory, try DirectoryStore(root: folder, createsRoot: true),
    ]
    for store in stores {
      func place(_ id: RevisionID) async throws {
        _ = try await store.put(key(id), Sample.body(draft, id), if: .absent)
      }
      // Nothing else is there: the day has no revision.
      try await place(deleted)
      var resolution = try await overtaken(store, key(deleted)).resolve(date)
      #expect(resolution.latest == nil && resolution.rejected == [])
      try await place(deleted)
      let verdict = try await overtaken(store, key(deleted)).verify(date, known: nil)
      #expect(verdict.status == .missing && verdict.findings.map(\.code) == ["missing_date"])
      // An older one is the answer.
      try await place(older)
      try await place(deleted)
      resolution = try await overtaken(store, key(deleted)).resolve(date)
      #expect(resolution.latest?.id == older && resolution.rejected == [])
      try await place(deleted)
      #expect(try await overtaken(store, key(deleted)).publish(partial).word == "published")
      let latest = try #require(try await ledger(store).resolve(date).latest)
      #expect(latest.revision.parent == older)
      #expect(latest.revision.readings[.activeEnergy] == .value(512))
    }
  }

  @Test func `R23 a create without an answer is read back without a listing`() async throws {
    let plan = FaultPlan(rules: [.init(.lost, on: .put, which: [1])])
    let bench = bench.recounted(plan: plan)
    #expect(try await bench.ledger.publish(draft).word == "published")
    let undisturbed = LedgerBench()
    _ = try await undisturbed.ledger.publish(draft)
    #expect(bench.store.log.puts == undisturbed.store.log.puts + 1)
    #expect(bench.store.log.lists == undisturbed.store.log.lists)
  }
}
