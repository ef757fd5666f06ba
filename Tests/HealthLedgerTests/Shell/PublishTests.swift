import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// R20 to R27 and R40 through the ledger, over a store in memory.
@Suite(.unit) struct PublishTests {
  @Test func `R27 what was published is what a reader resolves`() async throws {
    let bench = LedgerBench()
    let draft = try Sample.draft(steps: 100)
    let outcome = try await bench.ledger.publish(draft)
    #expect(outcome == .published(Sample.id(of: draft)))
    let resolution = try await bench.ledger.resolve(draft.day.date)
    #expect(resolution.latest?.id == outcome.revisionID)
    #expect(resolution.latest?.revision.readings == draft.revision(at: Sample.noon).readings)
    #expect(bench.memory.contents.count == 2)
  }

  @Test func `R20 the same payload again writes nothing`() async throws {
    let bench = LedgerBench()
    let draft = try Sample.draft(steps: 100)
    let first = try await bench.ledger.publish(draft)
    let again = bench.recounted()
    let later = try Sample.draft(steps: 100, capturedAt: Sample.noon.adding(seconds: 60))
    #expect(try await again.ledger.publish(later) == .unchanged(first.revisionID))
    #expect(again.store.log.puts == 0)
    #expect(again.store.log.entries.count <= 3)
  }

  @Test func `R21 a later publish wins, whatever its clock says`() async throws {
    let bench = LedgerBench()
    let date = try Sample.date()
    let hour = 3600
    var last: RevisionID?
    for (index, offset) in [0, -3 * hour, 40 * hour, -9000 * hour, 9000 * hour, 0].enumerated() {
      let ledger = bench.ledger(now: Sample.noon.adding(seconds: offset))
      let outcome = try await ledger.publish(try Sample.draft(steps: Double(index)))
      guard case .published(let id) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      if let last { #expect(id > last) }
      last = id
      #expect(try await ledger.resolve(date).latest?.id == id)
    }
    // A year ahead and then the true clock: a second later, not a year more.
    #expect(last?.timestamp == Sample.noon.adding(seconds: 9000 * hour + 1))
  }

  @Test func `R21 the store's clock corrects the publisher's`() async throws {
    let bench = LedgerBench(clockOffset: -7200)
    let outcome = try await bench.ledger.publish(try Sample.draft(steps: 1))
    #expect(outcome.revisionID.timestamp == Sample.noon.adding(seconds: -7200))
  }

  @Test func `R24 a store without compare-and-swap gets no pointer, and readers list`() async throws
  {
    for verdict in [ConditionalWrites.createOnly, .unsafe] {
      let memory = MemoryStore()
      let store = WeakStore(base: memory, verdict: verdict)
      let ledger = HealthLedger(store: store, environment: .test(now: Sample.noon))
      let draft = try Sample.draft(steps: 100)
      let outcome = try await ledger.publish(draft)
      #expect(outcome == .pointerSkipped(Sample.id(0)))
      #expect(outcome.word == "pointer_skipped")
      #expect(memory.contents.count == 1)
      #expect(try await ledger.resolve(draft.day.date).latest?.id == outcome.revisionID)
    }
  }

  @Test func `R23 lost and repeated answers do not make a second revision`() async throws {
    let faults: [Fault] = [
      .lost, .answerLost, .resent, .delayed(requests: 2), .duplicatedLate(requests: 3),
      .refused(.conflict), .refused(.preconditionFailed),
    ]
    let draft = try Sample.draft(steps: 100)
    for first in faults {
      for second in faults {
        let plan = FaultPlan(rules: [
          .init(first, on: .put, suffix: "\(Sample.id(of: draft)).json"),
          .init(second, on: .put, suffix: "latest.json"),
        ])
        let bench = LedgerBench(plan: plan)
        let outcome = try await bench.ledger.publish(draft)
        await bench.store.settle()
        #expect(outcome == .published(Sample.id(of: draft)), "\(first), \(second)")
        #expect(bench.memory.contents.count == 2, "\(first), \(second)")
        #expect(bench.pointer(draft.day.date) == outcome.revisionID)
      }
    }
  }

  @Test func `R27 a failure says whether the revision was stored, and a repeat completes it`()
    async throws
  {
    let draft = try Sample.draft(steps: 100)
    let cases: [(FaultPlan.Rule, String)] = [
      (.init(.lost, on: .list), "nothing was stored"),
      (.init(.refused(.unavailable), on: .put, suffix: "latest.json"), "is stored"),
    ]
    for (rule, words) in cases {
      let bench = LedgerBench(plan: FaultPlan(rules: [rule]))
      let error = await #expect(throws: LedgerError.self) {
        _ = try await bench.ledger.publish(draft)
      }
      #expect(error?.code == .storageUnavailable)
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
      let outcome = try await bench.recounted().ledger.publish(draft)
      #expect(bench.memory.contents.count == 2)
      #expect(bench.pointer(draft.day.date) == outcome.revisionID)
    }
  }

  @Test func `R27 an unconfirmed create is said to be unknown`() async throws {
    let draft = try Sample.draft(steps: 100)
    let name = "\(Sample.id(of: draft)).json"
    let plan = FaultPlan(rules: [
      .init(.answerLost, on: .put, suffix: name), .init(.lost, on: .get, suffix: name),
    ])
    let error = await #expect(throws: LedgerError.self) {
      _ = try await LedgerBench(plan: plan).ledger.publish(draft)
    }
    #expect(error?.message.contains("is not known") == true)
  }

  @Test(arguments: [
    (false, "the store never confirmed the revision in 16 attempts"),
    (true, "is stored, but the store confirmed no write of the pointer"),
  ])
  func `R27 a publish that is never confirmed says why the last write was not`(
    isPointer: Bool, words: String
  ) async throws {
    let full = StoreError(
      .unavailable, "writing failed", remedy: "look at the drives", serverDetail: "planted")
    let draft = try Sample.draft(steps: 100)
    let name = isPointer ? "latest.json" : "\(Sample.id(of: draft)).json"
    let store = UnansweringStore(MemoryStore(), toKeysEndingWith: name, because: full)
    let ledger = HealthLedger(store: store, environment: .test(now: Sample.noon))
    let error = try #require(
      await #expect(throws: LedgerError.self) {
        _ = try await ledger.publish(draft)
      })
    #expect(error.message.contains(words), "\(error)")
    #expect(error.message.hasSuffix("; lastly writing failed: the server said planted"), "\(error)")
    #expect(error.ownMessage.hasSuffix("; lastly writing failed"), "\(error)")
    #expect(error.remedy?.description == "look at the drives")
    #expect(error.isRetryable)
  }

  @Test(arguments: [
    (false, "it is not known whether revision"),
    (true, "is stored, but its pointer is not confirmed"),
  ])
  func `R27 a publish whose writes hang ends before its last attempt and says what is stored`(
    isPointer: Bool, words: String
  ) async throws {
    let held = StoreError(.unavailable, "writing got no answer", isRetryable: true)
    let draft = try Sample.draft(steps: 100)
    let name = isPointer ? "latest.json" : "\(Sample.id(of: draft)).json"
    let store = UnansweringStore(MemoryStore(), toKeysEndingWith: name, because: held)
    var environment = LedgerEnvironment.test(now: Sample.noon)
    environment.patience = .zero
    let ledger = HealthLedger(store: store, environment: environment)
    let error = try #require(
      await #expect(throws: LedgerError.self) {
        _ = try await ledger.publish(draft)
      })
    #expect(error.message.hasPrefix("writing got no answer"), "\(error)")
    #expect(error.message.contains(words), "\(error)")
    #expect(error.isRetryable)
  }

  @Test func `R9 an invalid draft is INVALID_ARGUMENTS and nothing is sent`() async throws {
    let bench = LedgerBench()
    var draft = try Sample.draft(steps: 1)
    draft.readings[.steps] = .value(-1)
    let broken = draft
    let error = await #expect(throws: LedgerError.self) {
      _ = try await bench.ledger.publish(broken)
    }
    #expect(error?.code == .invalidArguments)
    #expect(error?.message.contains("/metrics/steps") == true)
    #expect(bench.store.log.entries.isEmpty)
  }

  @Test func `R25 an oversized pointer is corrupt and is replaced under its own etag`() async throws
  {
    for size in [5000, 2_000_000] {
      let bench = LedgerBench()
      let draft = try Sample.draft(steps: 100)
      let key = bench.ledger.layout.pointerKey(draft.day.date).rawValue
      try await bench.place(key, [UInt8](repeating: 0x20, count: size))
      guard case .corrupt(.some, _) = try await bench.ledger.resolve(draft.day.date).pointer else {
        Issue.record("a pointer of \(size) bytes was not found corrupt")
        return
      }
      let outcome = try await bench.ledger.publish(draft)
      #expect(bench.pointer(draft.day.date) == outcome.revisionID)
    }
  }
}

/// A store whose preconditions are not to be relied on, and whose etags say nothing beforehand.
struct WeakStore: ForwardingStore {
  let base: any ObjectStore
  let verdict: ConditionalWrites

  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { verdict }
  func predictedETag(of body: [UInt8]) -> ETag? { nil }
}
