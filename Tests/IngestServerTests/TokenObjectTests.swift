import Foundation
import HealthModel
import ObjectStore
import StoreTesting
import Synchronization
import TestSupport
import Testing

@testable import IngestServer

/// Tokens in a bucket, for several instances.
@Suite(.server) struct TokenObjectTests {
  @Test func `R54: of tokens added at once none is lost or written over`() async throws {
    let store = MemoryStore()
    let object = try #require(TokenObject(store, prefix: "me/"))
    let tokens = (0..<8).map { AccessToken("t\($0)") }
    await withTaskGroup(of: Void.self) { group in
      for token in tokens {
        group.addTask {
          let isAdded = try? await object.change { $0.add(token) }
          #expect(isAdded == true)
        }
      }
    }
    #expect(try await object.read().tokens == tokens)
    // Nothing is written where nothing is changed.
    let key = try #require(ObjectKey(object.name))
    let written = try #require(try await store.get(key, limit: 1 << 20)?.etag)
    let isRemoved = try await object.change { $0.remove("t8") }
    #expect(!isRemoved)
    #expect(try await store.get(key, limit: 1 << 20)?.etag == written)
  }

  /// A store whose first answer to a write is lost, or is that of the write's own repetition.
  private final class Forgetful: ForwardingStore {
    let base: any ObjectStore = MemoryStore()
    let answer: Mutex<PutOutcome?>

    init(_ answer: PutOutcome) { self.answer = Mutex(answer) }

    func put(
      _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
    ) async throws(StoreError) -> PutOutcome {
      let outcome = try await base.put(key, body, if: precondition)
      return answer.withLock { answer in
        defer { answer = nil }
        return answer ?? outcome
      }
    }
  }

  @Test(arguments: [
    PutOutcome.unknown(StoreError(.unavailable, "the connection was lost")), .preconditionFailed,
  ])
  func `R54: a stored token is new, also if the answer was lost`(answer: PutOutcome) async throws {
    let object = try #require(TokenObject(Forgetful(answer), prefix: ""))
    let kept = AccessToken("a")
    let isAdded = try await object.change { $0.add(kept) }
    #expect(isAdded)
    #expect(try await object.read().tokens == [kept])
  }

  /// A store that can be away.
  private final class Away: ObjectStore {
    let inner = MemoryStore()
    let isAway = Mutex(false)

    private func check() throws(StoreError) {
      if isAway.withLock(\.self) { throw StoreError(.unavailable, "the store is away") }
    }
    func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
      try check()
      return try await inner.get(key, limit: limit)
    }
    func put(
      _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
    ) async throws(StoreError) -> PutOutcome {
      try check()
      return try await inner.put(key, body, if: precondition)
    }
    func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
      try await inner.list(request)
    }
    func delete(_ key: ObjectKey) async throws(StoreError) { try await inner.delete(key) }
    func conditionalWrites() async throws(StoreError) -> ConditionalWrites {
      try await inner.conditionalWrites()
    }
  }

  @Test func `R54: nobody gets in before tokens were read, which hold five minutes`() async throws {
    let store = Away()
    let object = try #require(TokenObject(store, prefix: ""))
    let secret = TokenSecret()
    let now = Mutex(1000.0)
    let cache = try TokenCache(.object(object)) { now.withLock(\.self) }
    #expect(throws: RequestFailure.self) { try cache.table() }
    store.isAway.withLock { $0 = true }
    await cache.read()
    #expect(throws: RequestFailure.self) { try cache.table() }
    store.isAway.withLock { $0 = false }
    let kept = AccessToken("a", secret: secret)
    _ = try await object.change { $0.add(kept) }
    await cache.read()
    let sent = Array(secret.text.utf8)
    #expect(try cache.table().token(sending: sent)?.name == "a")
    // The bucket is away: what was read last holds for a while, and not for ever.
    store.isAway.withLock { $0 = true }
    now.withLock { $0 += TokenCache.maximumAge }
    await cache.read()
    #expect(try cache.table().token(sending: sent)?.name == "a")
    now.withLock { $0 += 1 }
    #expect(throws: RequestFailure.self) { try cache.table() }
    // It is there again, and the token is revoked.
    store.isAway.withLock { $0 = false }
    _ = try await object.change { $0.remove("a") }
    await cache.read()
    #expect(try cache.table() == TokenTable())
    // What is damaged lets nobody in at once.
    let key = try #require(ObjectKey(object.name))
    let etag = try #require(try await store.get(key, limit: 1000)?.etag)
    _ = try await store.put(key, [1, 2, 3], if: .matches(etag))
    await cache.read()
    #expect(throws: RequestFailure.self) { try cache.table() }
  }

  @Test(arguments: TestServer.all.prefix(1))
  func `R54: a token in the bucket, and its end, is known to all`(server: TestServer) async throws {
    var program = try Program()
    program.environment = [
      "AWS_ACCESS_KEY_ID": server.accessKey, "AWS_SECRET_ACCESS_KEY": server.secretKey,
      "AWS_ENDPOINT_URL": server.endpoint, "AWS_REGION": server.region,
      "S3HEALTH_STORE": "s3://\(server.bucket)/hub/\(UUID())",
    ]
    if let bundle = server.caBundle { program.environment["AWS_CA_BUNDLE"] = bundle }
    let store = program.environment["S3HEALTH_STORE"] ?? ""
    let place = ["--tokens", "store"]
    let first = try await HubProgram(program, store: store, arguments: place)
    let second = try await HubProgram(program, store: store, arguments: place)
    func statuses(_ token: String) async throws -> [Int] {
      try await [
        CurlAnswer(first.url + "/api/ingest", token: token).status,
        CurlAnswer(second.url + "/api/ingest", token: token).status,
      ]
    }
    func until(_ token: String, _ expected: Int) async throws -> Bool {
      for _ in 0..<300 {
        if try await statuses(token) == [expected, expected] { return true }
        try await Task.sleep(for: .milliseconds(100))
      }
      return false
    }
    let token = try await HubProgram.token("phone", program, arguments: place)
    #expect(try await until(token, 204))
    #expect(try await HubProgram.run(program, ["token", "list"] + place).contains("phone"))
    try await HubProgram.run(program, ["token", "revoke", "phone"] + place)
    #expect(try await until(token, 401))
    #expect(try await first.end(by: SIGTERM) == 0)
    #expect(try await second.end(by: SIGTERM) == 0)
    // Others may read a folder.
    await #expect(throws: HubProgram.Failure.self) {
      try await HubProgram.run(program, ["token", "list", "--store", program.home.path] + place)
    }
  }
}
