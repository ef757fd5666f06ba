import Foundation
import InMemoryLogging
import Logging
import ObjectStore
import SigV4
import TestSupport
import Testing

@testable import S3Store

/// No secret reaches an error, a log or the cache, however an operation fails.
@Suite(.server) struct SecrecyTests {
  private static let secret = "wJalrXUtnFEMIsecretK7MDENG"
  private static let token = "FwoGZXIvYXdzEtokenBXcaDNr"

  @Test(arguments: [
    "echo", "garbage", "html", "error200", "slowforever", "applycut", "short", "nohttp", "circle",
    "redirect", "skewed", "skewednodate", "expires", "says501", "ignoresboth", "honest",
    "region400",
    "retrynever",
  ])
  func `neither the secret key nor the token is ever shown`(mode: String) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "s3health-secrecy-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = InMemoryLogHandler()
    var logger = Logger(label: "secrecy", factory: { _ in log })
    logger.logLevel = .trace
    let credentials = SigningCredentials(
      accessKeyID: "AKIATEST", secretAccessKey: Self.secret, sessionToken: Self.token)
    let server = try HostileServer(mode)
    let store = server.store(
      credentials: StaticCredentials(credentials), deadline: .milliseconds(500), logger: logger,
      cacheFolder: folder)
    let name = try key("a.json")
    var told: [String] = []
    func tell(_ work: () async throws -> some Any) async {
      do {
        let value = try await work()
        told += ["\(value)", String(reflecting: value)]
      } catch {
        told += ["\(error)", String(reflecting: error)]
        var text = ""
        dump(error, to: &text)
        told.append(text)
      }
    }
    await tell { try await store.put(name, [1], if: .absent) }
    await tell { try await store.put(name, [1], if: .matches(ETag("\"x\""))) }
    await tell { try await store.get(name, limit: 10) as Any }
    await tell { try await store.list(ListRequest(prefix: "")) }
    await tell { try await store.conditionalWrites() }
    await tell { await store.probe(racing: false) }
    await tell { try await store.delete(name) }
    told += log.entries.map { "\($0.message) \($0.metadata)" }
    told.append("\(credentials) \(store.configuration)")
    for file in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      told.append(try String(contentsOf: folder.appending(path: file), encoding: .utf8))
    }
    #expect(log.entries.contains { "\($0.metadata)".contains("PUT") }, "requests are logged")
    let signatures = try await server.log().compactMap {
      $0.headers["authorization"]?.components(separatedBy: "Signature=").last
    }
    #expect(!signatures.isEmpty)
    for text in told {
      #expect(!text.contains(Self.secret))
      #expect(!text.contains(Self.token))
      for signature in Set(signatures) { #expect(!text.contains(signature)) }
    }
    if mode == "echo" {
      #expect(told.contains { $0.contains("(hidden)") }, "the server did echo them")
    }
  }

  @Test(arguments: ServerFailureTests.strict)
  func `a refused signature reveals no secret on a real server`(server: TestServer) async throws {
    let store = try server.store(
      credentials: SigningCredentials(
        accessKeyID: server.accessKey, secretAccessKey: Self.secret))
    let error = try await storeError { try await store.list(ListRequest(prefix: "")) }
    #expect(!"\(error) \(String(reflecting: error))".contains(Self.secret))
    #expect(error.code == .notAuthorized)
  }
}
