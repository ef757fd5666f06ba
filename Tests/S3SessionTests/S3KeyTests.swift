import Foundation
import ObjectStore
import S3Session
import S3Store
import Secrets
import TestSupport
import Testing

/// A bucket as an app opens it.
@Suite(.unit) struct S3KeyTests {
  private func withSecrets<Value>(
    _ work: (SecretFolder) async throws -> Value
  ) async throws -> Value {
    let path = NSTemporaryDirectory() + "keys-\(UInt64.random(in: .min ... .max))"
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await work(SecretFolder(path: path))
  }

  @Test func `without keys nothing is sent, and the error says what to do`() async throws {
    try await withSecrets { secrets in
      let store = try S3Store(bucket: "health", endpoint: "http://127.0.0.1:9", secrets: secrets)
      let key = try #require(ObjectKey("a"))
      let error = await #expect(throws: StoreError.self) { try await store.get(key, limit: 1) }
      #expect(error?.code == .notAuthorized)
      #expect("\(error.map { "\($0)" } ?? "")".contains("access key"))
    }
  }

  @Test(arguments: [
    ("health", "http://minio.example:9000"), ("health", "minio.example"),
    ("h", "https://a.example"), ("health", "https://user:pass@minio.example"),
    ("health/..", "https://a.example"),
  ])
  func `a bucket or endpoint that can't be used is refused without quoting it`(
    bucket: String, endpoint: String
  ) async throws {
    try await withSecrets { secrets in
      let error = #expect(throws: StoreError.self) {
        try S3Store(bucket: bucket, endpoint: endpoint, secrets: secrets)
      }
      #expect(error?.code == .invalidRequest)
      #expect(error?.message.contains("user:") == false)
    }
  }
}

/// The same on real servers.
@Suite(.server) struct S3KeysOnServersTests {
  @Test(arguments: TestServer.one.filter { !$0.speaksTLS && $0.checksSignatures })
  func `an app reads a bucket with keys of its secrets, and with new ones once they are kept`(
    server: TestServer
  ) async throws {
    let path = NSTemporaryDirectory() + "keys-\(UInt64.random(in: .min ... .max))"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let secrets = SecretFolder(path: path)
    try secrets.keep(Secret(server.accessKey), named: S3Store.KeyName.accessKeyID)
    try secrets.keep(Secret("wrong"), named: S3Store.KeyName.secretAccessKey)
    let store = try S3Store(
      bucket: server.bucket, endpoint: server.endpoint, region: server.region, secrets: secrets)
    let key = try #require(ObjectKey("s3session/\(UUID().uuidString)"))
    let error = await #expect(throws: StoreError.self) { try await store.get(key, limit: 100) }
    #expect(error?.code == .notAuthorized)
    // The app keeps the right ones; the store that is open finds them.
    try secrets.keep(Secret(server.secretKey), named: S3Store.KeyName.secretAccessKey)
    guard case .stored = try await store.put(key, Array("one".utf8), if: .absent) else {
      Issue.record("not stored")
      return
    }
    #expect(try await store.get(key, limit: 100)?.body == Array("one".utf8))
    guard case .preconditionFailed = try await store.put(key, Array("two".utf8), if: .absent) else {
      Issue.record("overwritten")
      return
    }
    let page = try await store.list(ListRequest(prefix: key.rawValue))
    #expect(page.entries.map(\.key) == [key.rawValue])
    try await store.delete(key)
    #expect(try await store.get(key, limit: 100) == nil)
  }
}
