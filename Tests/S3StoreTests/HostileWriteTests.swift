import ObjectStore
import TestSupport
import Testing

@testable import S3Store

/// Writes whose outcome is not known: sent once, reported as unknown, never guessed.
@Suite(.server) struct HostileWriteTests {
  @Test(arguments: ["applycut", "applyerror"])
  func `a write that was applied without an answer is unknown, and sent once`(
    mode: String
  ) async throws {
    let server = try HostileServer(mode)
    let store = server.store()
    let unknown = try #require(try await store.put(try key("a"), [7], if: .absent).unknown)
    #expect(unknown.isRetryable)
    #expect(unknown.key == "a")
    #expect(try await server.log().filter { $0.method == "PUT" }.count == 1)
    #expect(try await store.get(try key("a"), limit: 10)?.body == [7])
  }

  @Test func `a write that met an overload is unknown, and sent once`() async throws {
    let server = try HostileServer("slowforever")
    let unknown = try #require(
      try await server.store().put(try key("a"), [1], if: .absent).unknown)
    #expect(unknown.serverDetail?.hasPrefix("SlowDown") == true)
    #expect(try await server.log().count == 1)
  }

  @Test func `429 promises that nothing was applied, so the write is sent again`() async throws {
    let server = try HostileServer("toomany")
    let store = server.store()
    #expect(try await store.put(try key("a"), [1], if: .absent).etag != nil)
    let stamps = try await server.log().map { $0.headers["authorization"] }
    #expect(stamps.count == 2)
  }

  @Test(arguments: ["says304", "says409"])
  func `a conflict in any spelling is a refused precondition`(mode: String) async throws {
    let store = try HostileServer(mode).store()
    _ = try await store.put(try key("a"), [1], if: .absent)
    #expect(try await store.put(try key("a"), [2], if: .absent).isRefused)
    #expect(try await store.get(try key("a"), limit: 10)?.body == [1])
  }

  @Test func `501 is a capability that is missing, thrown at once`() async throws {
    let server = try HostileServer("match501")
    let store = server.store()
    _ = try await store.put(try key("a"), [1], if: .absent)
    let error = try await storeError {
      try await store.put(try key("a"), [1], if: .matches(ETag("\"1\"")))
    }
    #expect(error.code == .unsupported)
    #expect(try await server.log().count { $0.path.hasSuffix("/a") } == 1)
  }

  @Test(arguments: ["ignoresmatch", "lax", "creates"])
  func `where If-Match is not honoured it is not sent`(mode: String) async throws {
    let store = try HostileServer(mode).store()
    let etag = try #require(try await store.put(try key("a"), [1], if: .absent).etag)
    _ = try await store.put(try key("b"), [1], if: .absent)
    let error = try await storeError { try await store.put(try key("a"), [2], if: .matches(etag)) }
    #expect(error.code == .unsupported)
    #expect(try await store.get(try key("a"), limit: 10)?.body == [1])
  }

  @Test func `If-Match goes out in the spelling that the probe found`() async throws {
    let server = try HostileServer("bare")
    let store = server.store()
    let etag = try #require(try await store.put(try key("a"), [1], if: .absent).etag)
    #expect(etag.rawValue.hasPrefix("\""))
    #expect(try await store.put(try key("a"), [2], if: .matches(etag)).etag != nil)
    let sent = try await server.log().last?.headers["if-match"]
    #expect(sent.map { "\"\($0)\"" } == etag.rawValue)
  }

  @Test func `conditions, encryption and content are signed`() async throws {
    let server = try HostileServer("honest")
    let store = server.store { $0.serverSideEncryption = .kms(keyID: "key-1") }
    _ = try await store.put(try key("a.json"), Array("{}".utf8), if: .absent)
    let headers = try #require(try await server.log().first?.headers)
    #expect(headers["if-none-match"] == "*")
    #expect(headers["x-amz-server-side-encryption"] == "aws:kms")
    #expect(headers["x-amz-server-side-encryption-aws-kms-key-id"] == "key-1")
    #expect(headers["content-type"] == "application/json")
    #expect(
      headers["x-amz-content-sha256"]
        == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
    #expect(headers["expect"] == nil)
    #expect(!headers.keys.contains { $0.hasPrefix("x-amz-checksum") || $0 == "x-amz-trailer" })
    #expect(
      headers["authorization"]?.contains(
        """
        SignedHeaders=content-type;host;if-none-match;x-amz-content-sha256;x-amz-date;\
        x-amz-server-side-encryption;x-amz-server-side-encryption-aws-kms-key-id
        """) == true)
    #expect(store.predictedETag(of: [1]) == nil)
  }

  /// As MinIO does, so many milliseconds after its answer. What is sent until then is lost, and then
  /// nobody knows whether it was written.
  @Test(arguments: HostileServer.schemes, [2, 20])
  func `nothing is sent on a connection whose server will close it after a refused write`(
    scheme: S3Endpoint.Scheme, pause: Int
  ) async throws {
    let server = try HostileServer("closesrefused", over: scheme)
    let store = server.store(bucket: "after-\(pause)")
    let taken = try key("taken")
    #expect(try await store.put(taken, [1], if: .absent).etag != nil)
    for round in 0..<20 {
      #expect(try await store.put(taken, [2], if: .absent).isRefused)
      #expect(try await store.put(try key("\(round)"), [3], if: .absent).etag != nil)
    }
    let methods = try await server.log().filter { !$0.path.contains("/.probe/") }.map(\.method)
    #expect(methods == Array(repeating: "PUT", count: 41))
  }

  @Test(arguments: HostileServer.upstreams)
  func `a proxy that strips the condition causes a refusal and not a blind write`(
    server: TestServer
  ) async throws {
    let direct = try server.store()
    let proxied = try server.store {
      $0.endpoint = S3Endpoint(
        scheme: .http, host: "127.0.0.1", port: (try? HostileServer.proxyPort()) ?? 1)
    }
    let name = try key("\(freshPrefix())/a")
    #expect(try await direct.put(name, [1], if: .absent).etag != nil)
    #expect(try await proxied.get(name, limit: 10)?.body == [1], "the proxy works as such")
    let error = try await storeError { try await proxied.put(name, [2], if: .absent) }
    #expect(error.code == .notAuthorized)
    let code = server.strippedRefusal.dropFirst(4)
    #expect(error.serverDetail?.hasPrefix(code) == true)
    #expect(try await direct.get(name, limit: 10)?.body == [1])
    try await direct.delete(name)
  }
}
