import ObjectStore
import TestSupport
import Testing

@testable import S3Store

/// On every real server that `scripts/test` has started.
@Suite(.server) struct ServerTests {
  @Test(arguments: TestServer.all)
  func `an object is created, read, replaced, listed and deleted`(server: TestServer) async throws {
    let store = try server.store()
    let prefix = freshPrefix()
    let name = try key("\(prefix)/a.json")
    #expect(try await store.get(name, limit: 100) == nil)
    let first = try #require(try await store.put(name, Array("one".utf8), if: .absent).etag)
    #expect(try await store.put(name, Array("two".utf8), if: .absent).isRefused)
    let read = try #require(try await store.get(name, limit: 100))
    #expect(read.body == Array("one".utf8))
    #expect(read.etag == first)
    #expect(read.lastModified != nil)
    let second = try #require(
      try await store.put(name, Array("two".utf8), if: .matches(first)).etag)
    #expect(try await store.put(name, Array("three".utf8), if: .matches(first)).isRefused)
    let entries = try await store.listAll(ListRequest(prefix: prefix))
    #expect(entries.map(\.key) == [name.rawValue])
    #expect(entries.first?.size == 3)
    #expect(entries.first?.etag == second)
    #expect(entries.first?.lastModified != nil)
    #expect(abs(try #require(await store.clockOffset())) < 60)
    try await store.delete(name)
    try await store.delete(name)
    #expect(try await store.get(name, limit: 100) == nil)
  }

  /// Tokens and markers of odd keys must come back to the server as it gave them.
  @Test(arguments: TestServer.all.filter { !$0.hasFolders })
  func `odd keys are paged one by one and started after`(server: TestServer) async throws {
    let store = try server.store()
    let prefix = freshPrefix() + "/"
    let names = [
      "a b", "a%20b", "a%2Fb", "a&b<c>\"d'", "a+b", "a=b?c#d", "a~b", "é", "e\u{301}", "日本",
      "\u{1F600}", "\u{FFFD}", "(a)!*;:@$,", "[a]{b}|^`\\",
    ].map { prefix + $0 }.sorted { $0.precedes($1) }
    for name in names {
      #expect(try await store.put(try key(name), Array(name.utf8), if: .absent).etag != nil)
    }
    for name in names {
      #expect(try await store.get(try key(name), limit: 1000)?.body == Array(name.utf8))
    }
    for limit in [1, 3, 1000] {
      let entries = try await store.listAll(ListRequest(prefix: prefix, limit: limit))
      #expect(entries.map(\.key).elementsEqual(names) { $0.utf8.elementsEqual($1.utf8) })
    }
    for (position, name) in names.enumerated() {
      let rest = try await store.listAll(ListRequest(prefix: prefix, startAfter: name))
      #expect(rest.count == names.count - position - 1)
    }
    for name in names { try await store.delete(try key(name)) }
    #expect(try await store.listAll(ListRequest(prefix: prefix)).isEmpty)
  }
}
