import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import S3Store

/// Where the probe writes, what it may not do there, and what it leaves (R28).
@Suite(.process) struct ProbeInPlaceTests {
  @Test func `R28: the probe writes below health/v0/.probe/ alone`() async throws {
    let server = try HostileServer("honest")
    let store = server.store()
    #expect(try await store.conditionalWrites() == .compareAndSwap)
    let written = try await server.log().filter { $0.method == "PUT" }.map(\.path)
    #expect(!written.isEmpty)
    #expect(written.allSatisfy { $0.contains("/bucket/health/v0/.probe/") }, "\(written)")
  }

  @Test func `R28: a denied probe promises nothing, is not an error, and is repeated later`()
    async throws
  {
    let server = try HostileServer("probedenied")
    let clock = LocalClock()
    let store = server.store(clock: clock)
    #expect(try await store.conditionalWrites() == .unsafe)
    guard case .denied = store.knownVerdict else {
      Issue.record("the verdict is \(String(describing: store.knownVerdict))")
      return
    }
    let asked = try await server.log().count
    #expect(try await store.conditionalWrites() == .unsafe)
    #expect(try await server.log().count == asked)
    clock.advance(601)
    #expect(try await store.conditionalWrites() == .unsafe)
    #expect(try await server.log().count > asked)
  }

  @Test func `R28: a denial is not kept for the next run`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "s3health-cache-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try await HostileServer("probedenied").store(cacheFolder: folder).conditionalWrites()
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `R28: a verdict counts although the scratch objects may not be deleted`() async throws
  {
    let server = try HostileServer("nodelete")
    let store = server.store()
    #expect(try await store.conditionalWrites() == .compareAndSwap)
    let left = try await store.listAll(ListRequest(prefix: "health/v0/.probe/"))
    #expect(left.count == 17, "one small object a probe, and those of its race")
    let report = await store.probe(racing: false)
    #expect(report.verdict == .compareAndSwap(.quoted))
    #expect(
      report.steps.contains { $0.name.contains("scratch") && $0.seen.contains("left behind") })
  }

  @Test func `R28: the next probe removes what an interrupted one has left, and nothing younger`()
    async throws
  {
    let server = try HostileServer("dated")
    let old = try #require(ObjectKey("health/v0/.probe/TWOHOURSOLD/main"))
    let young = try #require(ObjectKey("health/v0/.probe/YOUNG/main"))
    let store = server.store()
    for key in [old, young] { #expect(try await store.put(key, [1], if: .absent).etag != nil) }
    #expect(try await store.conditionalWrites() == .compareAndSwap)
    #expect(try await store.get(old, limit: 9) == nil)
    #expect(try await store.get(young, limit: 9) != nil, "it may be in use")
  }

  @Test func `R28: what is too young to be removed is counted`() async throws {
    let store = try HostileServer("dated").store()
    let young = try #require(ObjectKey("health/v0/.probe/YOUNG/main"))
    #expect(try await store.put(young, [1], if: .absent).etag != nil)
    let report = await store.probe(racing: false)
    let sweep = try #require(report.steps.first { $0.name.contains("earlier probes") })
    #expect(sweep.outcome == .passed)
    #expect(sweep.seen.hasPrefix("1 object of the last hour stays"), "\(sweep)")
  }

  @Test func `R28: a sweep that is denied fails no probe, and is reported where one asks for all`()
    async throws
  {
    let server = try HostileServer("nodelete")
    let store = server.store()
    let old = try #require(ObjectKey("health/v0/.probe/TWOHOURSOLD/main"))
    #expect(try await store.put(old, [1], if: .absent).etag != nil)
    let report = await store.probe(racing: false)
    #expect(report.verdict == .compareAndSwap(.quoted))
    let sweep = report.steps.first { $0.name.contains("earlier probes") }
    #expect(sweep?.outcome == .unclear && sweep?.seen.contains("1 left behind") == true)
  }
}
