import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import S3Store

@Suite(.server) struct ServerProbeTests {
  /// What each product honours, as its script in minio-test/servers says.
  private func expected(_ server: TestServer) -> ProbeVerdict {
    switch server.conditions {
    case .full: .compareAndSwap(server.product.contains("RADOS") ? .bare : .quoted)
    case .create: .createOnly
    case .none: .ignores
    }
  }

  @Test(arguments: TestServer.every)
  func `the sequential probe finds what works, in which spelling, and leaves nothing behind`(
    server: TestServer
  ) async throws {
    let store = try server.store(options: scratchOptions())
    #expect(try await store.conditionalWrites() == expected(server).guarantee)
    #expect(try await store.verdict() == expected(server))
    let left = try await store.listAll(ListRequest(prefix: store.options.probePrefix))
    #expect(left.isEmpty)
  }

  @Test(arguments: TestServer.every)
  func `the racing probe agrees and says what it saw`(server: TestServer) async throws {
    let store = try server.store(options: scratchOptions())
    let report = await store.probe(racing: true)
    #expect(report.verdict == expected(server), "\(report.steps)")
    #expect(!report.isVersioned)
    #expect(report.isRaced)
    // Where a single write breaks its condition, there is nothing to race for.
    #expect((report.verdict.remedy == nil) == (server.conditions == .full))
    #expect(server.conditions != .full || report.steps.count >= 9 + 10)
    let left = try await store.listAll(ListRequest(prefix: store.options.probePrefix))
    #expect(left.isEmpty)
  }

  /// RADOS gateway ignores If-None-Match in a versioned bucket; a server that honours it there
  /// must come out as sound, and both must be seen to keep versions.
  @Test(arguments: TestServer.all)
  func `a versioned bucket is judged on its own`(server: TestServer) async throws {
    let store = try server.store(bucket: server.versionedBucket, options: scratchOptions())
    let report = await store.probe(racing: false)
    #expect(report.isVersioned)
    if server.product.contains("RADOS") {
      #expect(report.verdict == .ignores)
      #expect(try await store.conditionalWrites() == .unsafe)
      #expect(report.verdict.remedy?.description.contains("unversioned") == true)
      let name = try key("\(freshPrefix())/a")
      let etag = try #require(try await store.put(name, [1], if: .absent).etag)
      await #expect { try await store.put(name, [2], if: .matches(etag)) } throws: {
        ($0 as? StoreError)?.code == .unsupported
      }
      #expect(try await store.get(name, limit: 10)?.body == [1])
      try await store.delete(name)
    } else {
      #expect(report.verdict == .compareAndSwap(.quoted))
    }
  }

  private func scratchOptions() -> S3Store.Options {
    var options = S3Store.Options()
    options.probePrefix = freshPrefix("probe")
    return options
  }
}
