import ObjectStore
import ObjectStoreConformance
import Testing

@Suite struct MemoryStoreTests {
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
