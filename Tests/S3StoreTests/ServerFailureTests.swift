import Foundation
import HTTPClient
import ObjectStore
import SigV4
import TestSupport
import Testing

@testable import S3Store

/// Settings that are wrong, on real servers: each error names the cause and the remedy.
@Suite(.server) struct ServerFailureTests {
  /// Those whose refusals can be relied on.
  static let strict = TestServer.all.filter(\.checksSignatures)

  @Test(arguments: strict)
  func `an unknown access key is named as such`(server: TestServer) async throws {
    let store = try server.store(
      credentials: SigningCredentials(
        accessKeyID: "AKIAUNKNOWN", secretAccessKey: server.secretKey))
    let error = try await storeError { try await store.get(try key("a"), limit: 10) }
    #expect(error.code == .notAuthorized)
    #expect(error.message.contains("does not accept the access key"))
    #expect(error.message.contains("endpoint \(server.endpoint), region \(server.region), path"))
    // This machine's clock, known from the answer and right.
    #expect(!error.message.contains("server clock"))
    #expect(error.serverDetail?.contains("InvalidAccessKeyId") == true)
    #expect(error.serverDetail?.contains("request id") == true)
    #expect(error.remedy != nil)
  }

  @Test(arguments: strict)
  func `a wrong secret is a signature that does not match`(server: TestServer) async throws {
    let store = try server.store(
      credentials: SigningCredentials(
        accessKeyID: server.accessKey, secretAccessKey: "wrong-secret-0123456789"))
    let works: [() async throws -> Any] = [
      { try await store.get(try key("a"), limit: 10) as Any },
      { try await store.put(try key("a"), [1], if: .absent) },
      { try await store.list(ListRequest(prefix: "")) },
      { try await store.delete(try key("a")) },
      { try await store.conditionalWrites() },
    ]
    for work in works {
      let error = try await storeError { try await work() }
      #expect(error.code == .notAuthorized)
      #expect(error.message.contains("signature does not match"), "\(error)")
      #expect(!"\(error)".contains("wrong-secret"))
    }
  }

  @Test(arguments: TestServer.all)
  func `a bucket that is not there is named`(server: TestServer) async throws {
    let store = try server.store(bucket: "s3health-no-such-bucket")
    for work: () async throws -> Any in [
      { try await store.get(try key("a"), limit: 10) as Any },
      { try await store.put(try key("a"), [1], if: .absent) },
      { try await store.list(ListRequest(prefix: "")) },
    ] {
      let error = try await storeError { try await work() }
      #expect(error.code == .storeMissing, "\(error)")
      #expect(error.message.contains("s3health-no-such-bucket"))
    }
  }

  @Test(arguments: TestServer.all)
  func `a region that is signed wrongly is refused or overlooked, never misread`(
    server: TestServer
  ) async throws {
    let store = try server.store { $0.region = "eu-nowhere-9" }
    do {
      #expect(try await store.get(try key("never/\(freshPrefix())"), limit: 10) == nil)
    } catch let error as StoreError {
      #expect(error.code == .notAuthorized)
      #expect(error.remedy == .chooseRegion(andEndpoint: false))
    }
  }

  @Test func `a closed port is reported as unreachable at once`() async throws {
    let configuration = S3Configuration(
      bucket: "b", endpoint: S3Endpoint(scheme: .http, host: "127.0.0.1", port: 1),
      maximumAttempts: 2)
    let store = S3Store(
      configuration,
      credentials: StaticCredentials(SigningCredentials(accessKeyID: "a", secretAccessKey: "s")),
      transport: SharedTransport.plain)
    for work: () async throws -> Any in [
      { try await store.get(try key("a"), limit: 10) as Any },
      { try await store.put(try key("a"), [1], if: .absent) },
      { try await store.list(ListRequest(prefix: "")) },
      { try await store.delete(try key("a")) },
      { try await store.conditionalWrites() },
    ] {
      let error = try await storeError { try await work() }
      #expect(error.code == .unavailable)
      #expect(error.message.contains("127.0.0.1:1 can't be reached"), "\(error)")
      #expect(error.remedy == .checkServerAndNetwork)
      #expect(error.isRetryable)
    }
  }

  @Test func `a host that does not exist is named`() async throws {
    let configuration = S3Configuration(
      bucket: "b", endpoint: S3Endpoint(scheme: .http, host: "no-such-host.invalid"),
      maximumAttempts: 1)
    let store = S3Store(
      configuration,
      credentials: StaticCredentials(SigningCredentials(accessKeyID: "a", secretAccessKey: "s")),
      transport: SharedTransport.plain)
    let error = try await storeError { try await store.get(try key("a"), limit: 10) }
    #expect(error.code == .unavailable)
    #expect(error.message.contains("no-such-host.invalid"))
  }

  @Test(arguments: TestServer.overTLS.filter { $0.caBundle != nil })
  func `a certificate of an unknown authority is refused with the way to trust it`(
    server: TestServer
  ) async throws {
    let store = try server.store { $0.caBundle = nil }
    for work: () async throws -> Any in [
      { try await store.get(try key("a"), limit: 10) as Any },
      { try await store.put(try key("a"), [1], if: .absent) },
    ] {
      let error = try await storeError { try await work() }
      #expect(error.code == .unavailable)
      #expect(error.remedy == .trustAuthority)
      #expect(!error.isRetryable)
    }
  }

  /// RADOS gateway is started with the domain `localhost`, whose every name is this machine's.
  @Test(
    arguments: TestServer.all.filter {
      $0.product.contains("RADOS") && $0.endpoint.hasPrefix("http:")
    })
  func `virtual addressing reaches the same object`(server: TestServer) async throws {
    let path = try server.store()
    let virtual = try server.store {
      $0.addressingStyle = .virtual
      $0.endpoint = S3Endpoint(scheme: .http, host: "localhost", port: $0.endpoint?.port)
    }
    let name = try key("\(freshPrefix())/a b+c~é")
    #expect(try await virtual.put(name, [1], if: .absent).etag != nil)
    #expect(try await path.get(name, limit: 10)?.body == [1])
    let entries = try await virtual.listAll(ListRequest(prefix: String(name.rawValue.dropLast())))
    #expect(entries.map(\.key) == [name.rawValue])
    try await virtual.delete(name)
    #expect(try await path.get(name, limit: 10) == nil)
  }

  @Test(arguments: TestServer.all)
  func `a clock that is an hour off is corrected by the server's`(server: TestServer) async throws {
    var options = S3Store.Options()
    options.localNow = { Int(Date().timeIntervalSince1970) - 3600 }
    let store = try server.store(options: options)
    #expect(try await store.get(try key("never/\(freshPrefix())"), limit: 10) == nil)
    let offset = try #require(await store.clockOffset())
    #expect((3540...3660).contains(offset))
  }
}
