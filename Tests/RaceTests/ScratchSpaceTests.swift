import HealthLedger
import ObjectStore
import StoreTesting
import Testing

@testable import Race

/// A race writes below a scratch folder of its own, and only where it can clean up.
@Suite(.unit) struct ScratchSpaceTests {
  private let store = MemoryStore()

  @Test func `claiming leaves nothing behind`() async throws {
    try await ScratchSpace(store: store, prefix: "a/race").claim()
    #expect(try await store.list(ListRequest(prefix: "")).entries.isEmpty)
  }

  @Test func `a folder that holds data is refused, and the data stays`() async throws {
    let key = try #require(ObjectKey("a/race/deep/down"))
    _ = try await store.put(key, [1], if: .absent)
    let error = await #expect(throws: LedgerError.self) {
      try await ScratchSpace(store: store, prefix: "a/race").claim()
    }
    #expect(error?.code == .invalidArguments)
    #expect(error?.key == "a/race/deep/down")
    #expect(try await store.list(ListRequest(prefix: "")).entries.map(\.key) == [key.rawValue])
    // A neighbour whose name begins like it is another folder.
    try await ScratchSpace(store: store, prefix: "a/rac").claim()
  }

  @Test func `a store that may not delete is refused before anything is raced`() async throws {
    let error = await #expect(throws: LedgerError.self) {
      try await ScratchSpace(store: UndeletingStore(base: store), prefix: "race").claim()
    }
    #expect(error?.code == .notAuthorized)
    #expect(error?.message.contains("delete its scratch objects") == true)
    #expect(
      error?.remedy?.description.hasPrefix("allow this user to read, write, list and delete")
        == true)
    #expect(error?.remedy?.description.hasSuffix("nothing was raced") == true)
  }

  @Test func `what killed races left beside a scratch folder is found`() async throws {
    let space = ScratchSpace(store: store, prefix: "me/.s3health-race/mine")
    #expect(try await space.neighbours() == [])
    for key in [
      "me/.s3health-race/mine/a", "me/.s3health-race/b/a", "me/.s3health-race/b/c", "me/x",
    ] {
      _ = try await store.put(try #require(ObjectKey(key)), [1], if: .absent)
    }
    #expect(try await space.neighbours() == ["me/.s3health-race/b"])
  }

  @Test func `a store that is out of reach is not blamed on the user's rights`() async throws {
    let plan = FaultPlan(rules: [.init(.lost, which: nil)])
    let error = await #expect(throws: LedgerError.self) {
      try await ScratchSpace(store: FaultInjectingStore(store, plan: plan), prefix: "race").claim()
    }
    #expect(error?.code == .storageUnavailable)
    #expect(error?.remedy?.description.contains("allow this user") == false)
    #expect(error?.remedy?.description.hasSuffix("nothing was raced") == true)
  }

  @Test(.nightly) func `sweeping takes the folder and nothing else, however much there is`()
    async throws
  {
    for name in ["race/", "race2/", ""] {
      for number in 0..<(name == "race/" ? 1203 : 2) {
        let key = try #require(ObjectKey("\(name)k\(number)"))
        _ = try await store.put(key, [1], if: .absent)
      }
    }
    #expect(try await ScratchSpace(store: store, prefix: "race").sweep() == 1203)
    let left = try await store.listAll(ListRequest(prefix: "")).map(\.key)
    #expect(left == ["k0", "k1", "race2/k0", "race2/k1"])
  }

  @Test func `each folder in which something may lie is emptied, and named where it can't be`()
    async throws
  {
    let folders = ScratchFolders(["race"])
    folders.add("me/health/v0/.probe/AB")
    for name in ["race/k", "me/health/v0/.probe/AB/main", "me/health/v0/.probe/CD/main"] {
      _ = try await store.put(try #require(ObjectKey(name)), [1], if: .absent)
    }
    let error = await #expect(throws: LedgerError.self) {
      try await folders.sweep(UndeletingStore(base: store))
    }
    #expect(error?.message.contains("left below me/health/v0/.probe/AB/") == true)
    #expect(error?.details.map { $0.message.contains("left below race/") } == [true])
    #expect(error?.remedy?.description.contains("remove all that lies there") == true)
    #expect(!folders.isEmpty)
    try await folders.sweep(store)
    #expect(folders.isEmpty)
    let left = try await store.listAll(ListRequest(prefix: "")).map(\.key)
    #expect(left == ["me/health/v0/.probe/CD/main"])
  }

  @Test func `what can't be swept is reported with where it lies`() async throws {
    _ = try await store.put(try #require(ObjectKey("race/k")), [1], if: .absent)
    let error = await #expect(throws: LedgerError.self) {
      try await ScratchSpace(store: UndeletingStore(base: store), prefix: "race").sweep()
    }
    #expect(error?.message.contains("left below race/") == true)
  }

  @Test func `a race at one key has one winner, or the store is refuted`() async throws {
    let barrier = BarrierRace()
    #expect(try await barrier.refutation(of: store, below: "race") == nil)
    #expect(try await store.list(ListRequest(prefix: "")).entries.isEmpty)
    let broken = CheckThenPutStore(base: store)
    let refutation = try await barrier.refutation(of: broken, below: "race")
    #expect(refutation?.contains("writers won the replace of one key") == true)
  }
}

/// Refuses every delete.
private struct UndeletingStore: ForwardingStore {
  let base: any ObjectStore
  func delete(_ key: ObjectKey) async throws(StoreError) {
    throw StoreError(.notAuthorized, "deleting was refused", key: key.rawValue)
  }
  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }
}
