import ObjectStore
import ObjectStoreConformance
import StoreTesting
import Testing

/// Every promise of a store, kept by a folder in each way that it can keep it.
@Suite(.unit, .slow) struct DirectoryConformanceTests {
  /// All that this disk can keep.
  private static let promises = ConformanceSuite.cases(
    for: .compareAndSwap, exactNames: ScratchFolder.keepsExactNames)

  @Test(arguments: promises)
  func `with hard links and locks`(_ promise: ConformanceCase) async throws {
    let scratch = try ScratchFolder()
    try await promise.run(on: scratch.store(), prefix: "")
    #expect(scratch.temporaryFiles() == [])
  }

  @Test(arguments: promises)
  func `without hard links`(_ promise: ConformanceCase) async throws {
    let scratch = try ScratchFolder()
    let store = try scratch.store { $0.usesHardLinks = false }
    #expect(try await store.conditionalWrites() == .compareAndSwap)
    try await promise.run(on: store, prefix: "some/where/")
    #expect(scratch.temporaryFiles() == [])
  }

  @Test(
    arguments: ConformanceSuite.cases(
      for: .createOnly, exactNames: ScratchFolder.keepsExactNames))
  func `without locks`(_ promise: ConformanceCase) async throws {
    let scratch = try ScratchFolder()
    let store = try scratch.store { $0.usesLocks = false }
    #expect(try await store.conditionalWrites() == .createOnly)
    try await promise.run(on: store, prefix: "")
  }

  @Test(arguments: promises)
  func `below the injector of faults`(_ promise: ConformanceCase) async throws {
    let scratch = try ScratchFolder()
    try await promise.run(on: FaultInjectingStore(scratch.store()), prefix: "p/")
    try await promise.run(on: FaultInjectingStore(MemoryStore()), prefix: "p/")
  }
}

@Suite(.unit) struct MemoryStoreTests {
  @Test(arguments: ConformanceSuite.cases)
  func `keeps the promise that`(_ promise: ConformanceCase) async throws {
    try await promise.run(on: MemoryStore(), prefix: "")
    try await promise.run(on: MemoryStore(), prefix: "some/where/")
  }

  @Test func `says the time and offset that it was given`() async throws {
    let store = MemoryStore(clockOffset: -3, now: { 1_700_000_000 })
    let key = try #require(ObjectKey("a"))
    _ = try await store.put(key, [1], if: .absent)
    #expect(await store.clockOffset() == -3)
    #expect(try await store.get(key, limit: 1)?.lastModified == 1_700_000_000)
    let page = try await store.list(ListRequest(prefix: ""))
    #expect(page.entries.map(\.lastModified) == [1_700_000_000])
  }

  @Test(arguments: [0, -1])
  func `a page of nothing is refused`(limit: Int) async throws {
    await #expect(throws: StoreError.self) {
      try await MemoryStore().list(ListRequest(prefix: "", limit: limit))
    }
  }
}
