import ObjectStore
import ObjectStoreConformance
import StoreTesting
import TestSupport
import Testing

@testable import S3Store

/// The promises that every ObjectStore keeps, on every real server.
@Suite(.tags(.server)) struct ServerConformanceTests {
  @Test(arguments: TestServer.all, ConformanceSuite.cases)
  func `keeps the promise`(server: TestServer, promise: ConformanceCase) async throws {
    try await promise.run(on: try SharedStores.store(server), prefix: freshPrefix("promise") + "/")
  }

  /// All but the one that takes a thousand writes: the wrapper changes nothing about pages.
  static let quickCases = ConformanceSuite.cases.filter { !$0.name.contains("thousand") }

  @Test(arguments: TestServer.all, quickCases)
  func `keeps the promise below a wrapper`(
    server: TestServer, promise: ConformanceCase
  ) async throws {
    let wrapper = FaultInjectingStore(try SharedStores.store(server))
    try await promise.run(on: wrapper, prefix: freshPrefix("wrapped") + "/")
    #expect(!wrapper.log.entries.isEmpty)
  }
}

/// One store per server for the whole run, as one program has: the probe runs once.
enum SharedStores {
  private static let all: [String: S3Store] = {
    var stores: [String: S3Store] = [:]
    for server in TestServer.all { stores[server.name] = try? server.store() }
    return stores
  }()

  static func store(_ server: TestServer) throws -> S3Store {
    try #require(all[server.name])
  }
}
