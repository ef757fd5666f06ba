import ObjectStore
import StoreTesting
import Testing

@Suite(.unit) struct FaultInjectingStoreTests {
  let base = MemoryStore()

  /// A store whose first put, or whichever is asked for, meets a fault.
  private func store(
    _ fault: Fault, on kind: RequestKind = .put, which: Set<Int>? = [1]
  ) -> FaultInjectingStore {
    FaultInjectingStore(
      base, plan: FaultPlan(rules: [FaultPlan.Rule(fault, on: kind, which: which)]))
  }

  private func body(_ name: String = "a") throws -> [UInt8]? {
    base.contents[try key(name)]?.body
  }

  @Test func `a lost put is not applied, and the client can't tell`() async throws {
    let store = store(.lost)
    let outcome = try await store.put(key("a"), [1], if: .absent)
    #expect(outcome.isUnknown)
    #expect(try body() == nil)
    #expect(try await store.put(key("a"), [2], if: .absent).isStored)
  }

  @Test func `a put whose answer is lost is applied, and the client can't tell`() async throws {
    let store = store(.answerLost)
    #expect(try await store.put(key("a"), [1], if: .absent).isUnknown)
    #expect(try body() == [1])
    #expect(try await store.put(key("a"), [1], if: .absent).isRefused)
  }

  @Test func `a delayed put is applied after as many requests as the plan says`() async throws {
    let store = store(.delayed(requests: 2))
    #expect(try await store.put(key("a"), [1], if: .absent).isUnknown)
    #expect(try await store.get(key("a"), limit: 9) == nil)
    #expect(try await store.get(key("a"), limit: 9)?.body == [1])
  }

  @Test func `a delayed put keeps its precondition`() async throws {
    let store = store(.delayed(requests: 100))
    #expect(try await store.put(key("a"), [1], if: .absent).isUnknown)
    #expect(try await store.put(key("a"), [2], if: .absent).isStored)
    await store.settle()
    #expect(try body() == [2])
  }

  @Test func `a delayed put is applied at last by settling`() async throws {
    let store = store(.delayed(requests: 100))
    #expect(try await store.put(key("a"), [1], if: .absent).isUnknown)
    await store.settle()
    #expect(try body() == [1])
  }

  @Test func `writes under way arrive when due, and then in the order of sending`() async throws {
    let faults = [
      1: Fault.delayed(requests: 3), 2: .delayed(requests: 1), 3: .delayed(requests: 9),
    ]
    let store = FaultInjectingStore(base, plan: FaultPlan(positions: faults))
    for name in ["a", "b", "c"] { _ = try await store.put(key(name), [1], if: .absent) }
    #expect(try body("a") == nil && body("b") == [1])
    _ = try await store.get(key("a"), limit: 9)
    #expect(try body("a") == [1] && body("c") == nil)
    await store.settle()
    #expect(try body("c") == [1])
  }

  @Test func `a resent put is refused for what it wrote itself`() async throws {
    let store = store(.resent)
    #expect(try await store.put(key("a"), [1], if: .absent).isRefused)
    #expect(try body() == [1])
  }

  @Test func `a late duplicate does no harm under its precondition`() async throws {
    let store = store(.duplicatedLate(requests: 1))
    #expect(try await store.put(key("a"), [1], if: .absent).isStored)
    try await store.delete(key("b"))
    #expect(try body() == [1])
    // A late copy of a create comes to life again after a delete: the zombie that readers must bear.
    let zombie = self.store(.duplicatedLate(requests: 2))
    #expect(try await zombie.put(key("z"), [1], if: .absent).isStored)
    try await zombie.delete(key("z"))
    await zombie.settle()
    #expect(try body("z") == [1])
  }

  @Test func `a put stripped of its precondition overwrites`() async throws {
    let store = store(.preconditionStripped, which: nil)
    #expect(try await store.put(key("a"), [1], if: .matches(ETag("none"))).isStored)
    #expect(try await store.put(key("a"), [2], if: .absent).isStored)
    #expect(try await store.put(key("a"), [3], if: .matches(ETag("none"))).isStored)
    #expect(try body() == [3])
  }

  @Test(arguments: Fault.Refusal.allCases)
  func `a refused put is not applied`(refusal: Fault.Refusal) async throws {
    let store = store(.refused(refusal))
    do {
      let outcome = try await store.put(key("a"), [1], if: .absent)
      #expect(outcome.isRefused && refusal != .unavailable)
    } catch let error as StoreError {
      #expect(error.code == .unavailable && error.isRetryable && refusal == .unavailable)
    }
    #expect(try body() == nil)
  }

  @Test(arguments: [
    (Fault.lost, false), (.answerLost, true), (.delayed(requests: 1), false),
    (.refused(.unavailable), false),
  ])
  func `a delete that fails is applied or not as the fault says`(
    fault: Fault, applied: Bool
  ) async throws {
    _ = try await base.put(key("a"), [1], if: .absent)
    let store = store(fault, on: .delete)
    await #expect(throws: StoreError.self) { try await store.delete(key("a")) }
    #expect(try (body() == nil) == applied)
    if case .delayed = fault {
      await store.settle()
      #expect(try body() == nil)
    }
  }

  @Test(arguments: [Fault.lost, .answerLost, .delayed(requests: 1), .refused(.unavailable)])
  func `reads fail, and may be tried again`(fault: Fault) async throws {
    _ = try await base.put(key("a"), [1], if: .absent)
    let getting = store(fault, on: .get)
    let error = await #expect(throws: StoreError.self) {
      try await getting.get(key("a"), limit: 9)
    }
    #expect(error?.code == .unavailable && error?.isRetryable == true)
    #expect(try await getting.get(key("a"), limit: 9)?.body == [1])
    let listing = store(fault, on: .list)
    await #expect(throws: StoreError.self) { try await listing.list(ListRequest(prefix: "")) }
    #expect(try await listing.list(ListRequest(prefix: "")).entries.count == 1)
  }

  @Test func `a slow request is still completed`() async throws {
    let store = store(.slow(.milliseconds(5)))
    #expect(try await store.put(key("a"), [1], if: .absent).isStored)
  }

  @Test func `the log holds every request with its fault and its answer`() async throws {
    let store = FaultInjectingStore(
      base, plan: FaultPlan(positions: [2: .lost, 4: .refused(.unavailable)]))
    _ = try await store.get(key("a"), limit: 1)
    _ = try await store.put(key("a"), [1, 2], if: .absent)
    _ = try await store.put(key("a"), [1, 2], if: .absent)
    _ = try? await store.list(ListRequest(prefix: "a"))
    _ = try await store.list(ListRequest(prefix: "a"))
    _ = try? await store.get(key("a"), limit: 1)
    try await store.delete(key("a"))
    let log = store.log
    #expect(
      log.entries.map(\.answer) == [
        .absent, .unknown, .stored, .failed(.unavailable), .listed(1), .failed(.tooLarge), .deleted,
      ])
    #expect(
      log.entries.map(\.fault) == [nil, .lost, nil, .refused(.unavailable), nil, nil, nil])
    #expect(log.entries.map(\.number) == Array(1...7))
    #expect((log.gets, log.puts, log.lists, log.deletes) == (2, 2, 2, 1))
  }
}
