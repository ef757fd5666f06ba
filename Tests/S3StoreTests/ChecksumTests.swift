import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import S3Store

/// The SHA-256 that a store keeps beside an object (R28): sent where it is kept, and never in the way.
@Suite(.server) struct ChecksumTests {
  /// `printf 8432 | openssl sha256 -binary | base64`
  private static let checksum = "Uz9P8H+NW8NYu748ZVwAmSYkQLr1Wx+77MYVGghwbxw="

  @Test func `R28: a store that keeps checksums is sent one with each write`() async throws {
    let server = try HostileServer("keepschecksum")
    let store = server.store()
    // Nothing is known before the probe.
    _ = try await store.put(try key("a"), Array("8432".utf8), if: .absent)
    #expect(await store.probe(racing: false).keepsChecksums)
    _ = try await store.put(try key("b"), Array("8432".utf8), if: .absent)
    let log = try await server.log()
    func sent(_ name: String) -> [String] {
      log.filter { $0.method == "PUT" && $0.path.hasSuffix("/\(name)") }
        .map { $0.headers["x-amz-checksum-sha256"] ?? "none" }
    }
    #expect(sent("a") == ["none"])
    #expect(sent("b") == [Self.checksum])
    let authorization = log.last { $0.path.hasSuffix("/b") }?.headers["authorization"]
    #expect(authorization?.contains("x-amz-checksum-sha256") == true, "it is signed")
  }

  @Test(arguments: ["honest", "refuseschecksum", "forgetschecksum"])
  func `R28: a store that ignores or refuses checksums loses no write by it`(mode: String)
    async throws
  {
    let server = try HostileServer(mode)
    let store = server.store()
    let report = await store.probe(racing: false)
    #expect(report.verdict == .compareAndSwap(.quoted))
    #expect(report.keepsChecksums == (mode == "forgetschecksum"))
    let etag = try #require(try await store.put(try key("a"), [1], if: .absent).etag)
    #expect(try await store.put(try key("a"), [2], if: .matches(etag)).etag != nil)
    #expect(try await store.put(try key("a"), [3], if: .absent).isRefused)
    #expect(try await store.get(try key("a"), limit: 10)?.body == [2])
    #expect(report.steps.contains { $0.name == "keep the SHA-256 beside an object" })
  }

  @Test func `R28: bytes that do not fit the checksum are read again, and then not believed`()
    async throws
  {
    let server = try HostileServer("keepschecksum")
    let store = server.store()
    _ = await store.probe(racing: false)
    for name in ["spoiled", "spoiled-always"] {
      _ = try await store.put(try key(name), Array("8432".utf8), if: .absent)
    }
    #expect(try await store.get(try key("spoiled"), limit: 10)?.body == Array("8432".utf8))
    let error = try #require(
      await #expect(throws: StoreError.self) {
        try await store.get(try key("spoiled-always"), limit: 10)
      })
    #expect(error.code == .unreadable && error.key == "spoiled-always" && error.remedy != nil)
    #expect(error.damaged?.body == Array("9432".utf8) && error.damaged?.etag.rawValue != "")
    let reads = try await server.log()
      .count { $0.method == "GET" && $0.path.hasSuffix("/spoiled-always") }
    #expect(reads == 2)
  }

  @Test func `R28: the checksum of an object that was uploaded in parts is not compared`()
    async throws
  {
    let server = try HostileServer("keepschecksum")
    let store = server.store()
    _ = await store.probe(racing: false)
    _ = try await store.put(try key("parts"), Array("8432".utf8), if: .absent)
    #expect(try await store.get(try key("parts"), limit: 10)?.body == Array("8432".utf8))
    let reads = try await server.log()
      .count { $0.method == "GET" && $0.path.hasSuffix("/parts") }
    #expect(reads == 1)
  }

  @Test(arguments: TestServer.all)
  func `R28: the probe says that a server keeps checksums where boto3 sees it too`(
    server: TestServer
  ) async throws {
    var options = S3Store.Options()
    options.probePrefix = freshPrefix("probe")
    let store = try server.store(options: options)
    let report = await store.probe(racing: false)
    let isKept = try await Self.keepsChecksum(server)
    #expect(report.keepsChecksums == isKept, "\(server.product)")
    let name = try key("\(freshPrefix())/a.json")
    let etag = try #require(try await store.put(name, Array("8432".utf8), if: .absent).etag)
    #expect(try await store.put(name, Array("8433".utf8), if: .matches(etag)).etag != nil)
    #expect(try await store.get(name, limit: 10)?.body == Array("8433".utf8))
  }

  /// The product's name does not show it: MinIO keeps them since 2022, other servers may begin to.
  private static func keepsChecksum(_ server: TestServer) async throws -> Bool {
    let question = server.question(["key": "\(freshPrefix("peer"))/a"])
    let input = try JSONSerialization.data(withJSONObject: question)
    let output = try await PeerPython.run(
      "bucket.py", arguments: ["keeps_checksum"], input: Array(input))
    return try JSONDecoder().decode(Bool.self, from: Data(output))
  }
}
