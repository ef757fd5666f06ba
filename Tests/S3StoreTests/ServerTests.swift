import ObjectStore
import TestSupport
import Testing

@testable import S3Store

/// On every real server that `scripts/test` has started.
@Suite struct ServerTests {
  @Test func `there are servers to test on`() {
    #expect(
      !TestServer.all.isEmpty, "S3HEALTH_TEST_SERVERS names none; run the tests by scripts/test")
  }

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
    #expect(try #require(await store.clockOffset()) <= 2)
    try await store.delete(name)
    try await store.delete(name)
    #expect(try await store.get(name, limit: 100) == nil)
  }
}
