import ObjectStore
import Testing

@testable import S3Store

/// Buckets whose reads do not show what was just written (R28).
@Suite(.process) struct LaggingReadTests {
  @Test(arguments: ["lags", "lagsignoring", "lagsrefusing", "cached"])
  func `R28: a writer sees what it has written itself, in reads and in listings`(mode: String)
    async throws
  {
    let store = try HostileServer(mode).store()
    let names = try ["p/a/1", "p/a/2", "p/b"].map { try key($0) }
    #expect(try await store.listAll(ListRequest(prefix: "p/")).isEmpty)
    #expect(try await store.get(names[0], limit: 10) == nil)
    #expect(try await store.conditionalWrites() == .unsafe)
    for (number, name) in names.enumerated() {
      #expect(try await store.put(name, [UInt8(number)], if: .absent).etag != nil)
    }
    for (number, name) in names.enumerated() {
      #expect(try await store.get(name, limit: 10)?.body == [UInt8(number)])
    }
    let all = try await store.listAll(ListRequest(prefix: "p/"))
    #expect(all.map(\.key) == names.map(\.rawValue))
    #expect(
      try await store.listAll(ListRequest(prefix: "p/", startAfter: "p/a/1")).map(\.key)
        == ["p/a/2", "p/b"])
  }

  @Test
  func `R28: own writes stand in the page where they belong, and as folders in a shallow one`()
    throws
  {
    var own = OwnWrites()
    let now = ContinuousClock.now
    for name in ["p/a/1", "p/a/2", "p/b", "p/d", "q"] {
      own.add(name, [1], ETag("\"1\""), at: now)
    }
    func entry(_ key: String) -> ListEntry {
      ListEntry(key: key, size: 9, etag: nil, lastModified: 7)
    }
    var request = ListRequest(prefix: "p/")
    let page = ListPage(entries: [entry("p/b"), entry("p/c")], next: "more")
    let first = own.completing(page, of: request, after: nil, at: now)
    #expect(first.entries.map(\.key) == ["p/a/1", "p/a/2", "p/b", "p/c"])
    #expect(first.entries[2].size == 9 && first.next == "more")
    let last = own.completing(
      ListPage(entries: [], next: nil), of: request, after: "p/c", at: now)
    #expect(last.entries.map(\.key) == ["p/d"])
    request.isShallow = true
    let shallow = own.completing(
      ListPage(entries: [entry("p/c")], folders: ["p/x/"], next: nil), of: request, after: nil,
      at: now)
    #expect(shallow.folders == ["p/a/", "p/x/"])
    #expect(shallow.entries.map(\.key) == ["p/b", "p/c", "p/d"])
    let later = own.completing(page, of: request, after: nil, at: now + OwnWrites.age)
    #expect(later.entries.count == 2)
  }
}

/// What a diagnosis finds in listings.
@Suite(.process) struct PagedListingTests {
  @Test(arguments: [
    ("honest", nil), ("says501", nil), ("pagesnotoken", "no continuation token"),
    ("pagesrepeat", "the same keys again"), ("pagescut", "found 1 of them"),
  ])
  func `a listing that can't be read page by page is found by three objects`(
    mode: String, words: String?
  ) async throws {
    let server = try HostileServer(mode)
    let store = server.store()
    let problem = try await store.problemWithPages()
    #expect((problem == nil) == (words == nil), "\(problem?.description ?? "")")
    if let words { #expect(problem?.description.contains(words) == true, "\(problem as Any)") }
    let left = try await server.log().filter { $0.method == "DELETE" }
    #expect(left.count >= 3)
  }
}
