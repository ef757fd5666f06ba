import Foundation
import ObjectStore
import Testing

@testable import S3Store

/// Buckets that take writes only without a condition, or only with a proof of their body (R28).
@Suite(.process) struct PlainWriteTests {
  @Test(arguments: ["says501", "says400", "says405", "plain400"])
  func `R28: what a bucket takes only without a condition is written so, and never over another`(
    mode: String
  ) async throws {
    let server = try HostileServer(mode)
    let store = server.store()
    let name = try key("p/a")
    #expect(try await store.put(name, [1], if: .absent).etag != nil)
    #expect(try await store.conditionalWrites() == .unsafe)
    guard case .preconditionFailed = try await store.put(name, [2], if: .absent) else {
      Issue.record("it was written over another object")
      return
    }
    #expect(try await store.get(name, limit: 10)?.body == [1])
    let error = try await storeError {
      try await store.put(name, [3], if: .matches(ETag("\"x\"")))
    }
    #expect(error.code == .unsupported, "\(error)")
    let plain = try await server.log().filter {
      $0.method == "PUT" && $0.path.hasSuffix("/p/a") && $0.headers["if-none-match"] == nil
    }
    #expect(plain.count == 1)
  }

  /// Whoever was told that the conditions hold may rely on them, such as the writer of a pointer.
  @Test func `R24: a store that has promised its conditions never writes without them`()
    async throws
  {
    let server = try HostileServer("honest")
    let store = server.store()
    #expect(try await store.conditionalWrites() == .compareAndSwap)
    store.known.withLock { $0.verdict = nil }
    let cached = CachedVerdict(
      ProbeReport(steps: [], verdict: .refuses, isVersioned: false, isRaced: false),
      endpoint: store.client.endpointName, bucket: "bucket",
      now: Int(Date().timeIntervalSince1970))
    store.known.withLock { $0.verdict = cached }
    #expect(store.knownVerdict == .refuses)
    #expect(try await store.put(try key("p/a"), [1], if: .absent).etag != nil)
    let written = try await server.log().filter { $0.path.hasSuffix("/p/a") }
    #expect(written.count == 1 && written[0].headers["if-none-match"] == "*")
  }

  @Test func `R28: a store that takes no write at all says so, with and without a condition`()
    async throws
  {
    let store = try HostileServer("nowrite501").store()
    let error = try await storeError { try await store.put(try key("p/a"), [1], if: .absent) }
    #expect(error.message.contains("not implemented"), "\(error)")
    #expect(error.remedy?.description.contains("another store") == true, "\(error)")
  }

  @Test(arguments: [("objectlock", 1), ("md5only", 1), ("sha256only", 2)])
  func `R28: a proof of the body is sent once the server has asked for it`(
    mode: String, refusals: Int
  ) async throws {
    let server = try HostileServer(mode)
    let store = server.store()
    for name in ["p/a", "p/b"] {
      #expect(try await store.put(try key(name), [1], if: .absent).etag != nil)
    }
    let writes = try await server.log().filter { $0.method == "PUT" }
    // The first is refused and sent again; the second has learned it.
    #expect(writes.count == 2 + refusals, "\(writes.map(\.headers))")
    #expect(writes[0].headers["content-md5"] == nil)
    #expect(writes.dropFirst().allSatisfy { $0.headers["content-md5"] != nil })
    let signed = try #require(writes.last?.headers["authorization"])
    #expect(signed.contains("content-md5"))
  }

  @Test func `R28: a proof that is asked for again and again is sent once each`() async throws {
    let server = try HostileServer("unprovable")
    let store = server.store()
    let error = try await storeError { try await store.put(try key("p/a"), [1], if: .absent) }
    #expect(error.serverDetail?.contains("Content-MD5") == true, "\(error)")
    #expect(error.remedy?.description.contains("encryption") != true, "\(error)")
  }
}
