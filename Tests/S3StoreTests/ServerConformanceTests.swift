import ObjectStore
import ObjectStoreConformance
import StoreTesting
import TestSupport
import Testing

@testable import S3Store

/// The promises that every ObjectStore keeps, on every real server.
@Suite(.server) struct ServerConformanceTests {
  /// Where keys are paths of folders, these are not kept. A ledger needs none of them: all days have
  /// folders of the same depth, and no object has the name of a folder.
  static let promisesOfKeys: Set = [
    "a create after a delete is applied", "a listing starts after a marker, there or not",
    "a shallow listing gives what is directly below, and each folder once",
    "odd keys are kept, listed and removed as they are", "pages of any size join to the whole",
  ]

  static let servers = TestServer.all

  /// The one that takes a thousand writes is kept by one server in a usual run.
  static let promises = servers.flatMap { server in
    let isOne = TestServer.one.contains { $0.name == server.name }
    return ConformanceSuite.cases
      .filter { !server.hasFolders || !promisesOfKeys.contains($0.name) }
      .filter { TestDepth.now == .all || isOne || !$0.name.contains("thousand") }
      .map { (server, $0) }
  }

  @Test(arguments: promises)
  func `keeps the promise`(server: TestServer, promise: ConformanceCase) async throws {
    try await promise.run(on: try SharedStores.store(server), prefix: freshPrefix("promise") + "/")
  }

  @Test func `the promises that are left out are so called`() {
    #expect(Self.promisesOfKeys.isSubset(of: ConformanceSuite.cases.map(\.name)))
  }

  /// All but the one that takes a thousand writes: the wrapper changes nothing about pages, nor about what
  /// servers differ in.
  @Test(
    arguments: promises.filter { server, promise in
      !promise.name.contains("thousand") && TestServer.one.contains { $0.name == server.name }
    })
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
