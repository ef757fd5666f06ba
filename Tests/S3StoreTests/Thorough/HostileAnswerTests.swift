import ObjectStore
import Testing

@testable import S3Store

/// Answers that are not valid: each operation must say so and lose nothing.
@Suite(.process) struct HostileAnswerTests {
  private let name = ObjectKey("a.json")

  @Test(arguments: ["garbage", "html"])
  func `a 200 that is not S3's is an error for every operation`(mode: String) async throws {
    let store = try HostileServer(mode).store()
    let key = try #require(name)
    let listing = try await storeError { try await store.list(ListRequest(prefix: "p")) }
    #expect(listing.code == .unavailable)
    #expect(listing.message.contains("no XML"))
    if mode == "html" {
      let reading = try await storeError { try await store.get(key, limit: 100) }
      #expect(reading.code == .unavailable)
      #expect(reading.remedy?.description.contains("console") == true)
    }
    let writing = try #require(try await store.put(key, [1], if: .absent).unknown)
    #expect(writing.message.contains("not S3's"))
  }

  @Test func `a 404 page of a web site is not an absent object`() async throws {
    let store = try HostileServer("html404").store()
    let error = try await storeError { try await store.get(try key("a"), limit: 100) }
    #expect(error.code == .unavailable)
    #expect(error.key == "a")
  }

  @Test func `an error in a 200 is an error`() async throws {
    let server = try HostileServer("error200")
    let store = server.store(deadline: .seconds(1))
    let unknown = try #require(try await store.put(try key("a"), [1], if: .absent).unknown)
    #expect(unknown.serverDetail?.hasPrefix("InternalError: We encountered") == true)
    #expect(unknown.serverDetail?.contains("request id REQ1") == true)
    #expect(unknown.remedy == .retryLater)
    #expect(try await server.log().count == 1)
    let listing = try await storeError { try await store.list(ListRequest(prefix: "")) }
    #expect(listing.code == .unavailable)
    #expect(listing.isRetryable)
  }

  @Test func `a conflict in a 200 is a refused precondition`() async throws {
    let store = try HostileServer("conflict200").store()
    #expect(try await store.put(try key("a"), [1], if: .absent).isRefused)
  }

  @Test func `an endless body is cut off at the limit`() async throws {
    let store = try HostileServer("endless").store()
    let error = try await storeError { try await store.get(try key("a"), limit: 1000) }
    #expect(error.code == .tooLarge)
    #expect(error.message.contains("1000 bytes"))
    let listing = try await storeError { try await store.list(ListRequest(prefix: "")) }
    #expect(listing.code == .unavailable)
    let writing = try #require(try await store.put(try key("a"), [1], if: .absent).unknown)
    #expect(writing.code == .unavailable)
  }

  @Test func `a body shorter than announced is never an object`() async throws {
    let server = try HostileServer("short")
    let store = server.store { $0.maximumAttempts = 3 }
    let error = try await storeError { try await store.get(try key("a"), limit: 10_000) }
    #expect(error.code == .unavailable)
    #expect(error.isRetryable)
    #expect(try await server.log().count == 3)
  }

  @Test func `what is not HTTP is an error`() async throws {
    let store = try HostileServer("nohttp").store()
    let error = try await storeError { try await store.get(try key("a"), limit: 100) }
    #expect(error.code == .unavailable)
  }

  @Test func `an entity bomb is refused`() async throws {
    let store = try HostileServer("listbomb").store()
    let error = try await storeError { try await store.list(ListRequest(prefix: "")) }
    #expect(error.message.contains("document type declaration"))
  }

  @Test func `a server that says nothing is given up at the deadline`() async throws {
    let server = try HostileServer("mute")
    let store = server.store(deadline: .seconds(9)) { $0.requestTimeout = .seconds(4) }
    let error = try await storeError { try await store.get(try key("a"), limit: 100) }
    #expect(error.code == .unavailable)
    #expect(error.remedy == .allowMoreTime)
    #expect(try await !server.log().isEmpty)
    let unknown = try #require(try await store.put(try key("b"), [1], if: .absent).unknown)
    #expect(unknown.key == "b")
    let puts = try await server.log().filter { $0.method == "PUT" }
    #expect(puts.count == 1)
  }

  @Test(arguments: [
    ("listloop", "same keys again"), ("listself", "leads to itself"),
    ("listunsorted", "out of order"), ("listforeign", "outside of the prefix"),
    ("listnotoken", "no continuation token"), ("listempty", "empty pages"),
    ("listnoend", "does not say whether more follow"),
    ("listprefix", "another prefix"), ("listbucket", "another bucket"),
  ])
  func `a listing that can't be relied on ends in an error`(
    mode: String, reason: String
  ) async throws {
    let store = try HostileServer(mode).store()
    let error = try await storeError {
      try await store.listAll(ListRequest(prefix: "p/", limit: 2))
    }
    #expect(error.code == .unavailable)
    #expect(error.message.contains(reason), "\(error)")
  }

  @Test(arguments: [1, 2, 1000])
  func `keys up to the start are left out where the server ignores it`(limit: Int) async throws {
    let store = try HostileServer("listnostart").store()
    let entries = try await store.listAll(
      ListRequest(prefix: "p/", startAfter: "p/b", limit: limit))
    #expect(entries.map(\.key) == ["p/c", "p/d"])
  }

  @Test(arguments: [2, 3, 1000])
  func `a listing whose pages have no order is read whole and sorted`(limit: Int) async throws {
    let store = try HostileServer("listanyorder").store()
    let all = try await store.listAll(ListRequest(prefix: "p/", limit: limit))
    #expect(all.map(\.key) == ["p/a", "p/b", "p/c", "p/d", "p/e"])
    let some = try await store.listAll(ListRequest(prefix: "p/", startAfter: "p/b", limit: limit))
    #expect(some.map(\.key) == ["p/c", "p/d", "p/e"])
  }

  @Test func `empty pages before the keys are passed over`() async throws {
    let store = try HostileServer("listgaps").store()
    let page = try await store.list(ListRequest(prefix: "p/"))
    #expect(page.entries.map(\.key) == ["p/a", "p/b", "p/c", "p/d"])
    #expect(page.next == nil)
  }

  @Test func `a continuation of another store is refused`() async throws {
    let store = try HostileServer("honest").store()
    let error = try await storeError {
      try await store.list(ListRequest(prefix: "", continuation: "99:short"))
    }
    #expect(error.code == .invalidRequest)
  }
}
