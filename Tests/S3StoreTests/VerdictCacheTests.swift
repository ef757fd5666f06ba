import Foundation
import ObjectStore
import SigV4
import Testing

@testable import S3Store

@Suite(.process) struct VerdictCacheTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "s3health-cache-\(UUID().uuidString)")

  private func report(_ verdict: ProbeVerdict) -> ProbeReport {
    ProbeReport(steps: [], verdict: verdict, isVersioned: false, isRaced: true)
  }

  private func files() throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }

  private func cleanUp() { try? FileManager.default.removeItem(at: folder) }

  @Test(arguments: [
    (ProbeVerdict.compareAndSwap(.quoted), 7), (.compareAndSwap(.bare), 7), (.createOnly, 1),
    (.refuses, 1), (.ignores, 1), (.lags, 1), (.racy, 1),
  ])
  func `a verdict is kept for its time, a bad one for a day`(
    verdict: ProbeVerdict, days: Int
  ) throws {
    defer { cleanUp() }
    let cache = VerdictCache(folder: folder)
    let kept = try #require(CachedVerdict(report(verdict), endpoint: "e", bucket: "b", now: 1000))
    try cache.write(kept)
    #expect(cache.read(endpoint: "e", bucket: "b", now: 1000)?.probeVerdict == verdict)
    let end = 1000 + days * 86_400
    #expect(cache.read(endpoint: "e", bucket: "b", now: end - 1) != nil)
    #expect(cache.read(endpoint: "e", bucket: "b", now: end) == nil)
    #expect(cache.read(endpoint: "e", bucket: "b", now: -10_000) == nil, "from the future")
    #expect(cache.read(endpoint: "e", bucket: "c", now: 1000) == nil)
    #expect(cache.read(endpoint: "f", bucket: "b", now: 1000) == nil)
  }

  @Test func `an unknown verdict is never kept`() {
    let unknown = report(.unknown(StoreError(.unavailable, "x")))
    #expect(CachedVerdict(unknown, endpoint: "e", bucket: "b", now: 0) == nil)
  }

  @Test func `the file is its owner's alone and replaced at once`() throws {
    defer { cleanUp() }
    let cache = VerdictCache(folder: folder)
    for verdict in [ProbeVerdict.ignores, .compareAndSwap(.bare)] {
      try cache.write(
        try #require(CachedVerdict(report(verdict), endpoint: "e", bucket: "b", now: 0)))
    }
    #expect(try files().count == 1, "no part is left")
    let path = cache.file(endpoint: "e", bucket: "b").path
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(cache.read(endpoint: "e", bucket: "b", now: 0)?.probeVerdict == .compareAndSwap(.bare))
  }

  @Test(arguments: ["", "{", "[]", "{\"verdict\":\"compareAndSwap\"}", "\u{0}"])
  func `a file that can't be read costs a probe and nothing else`(text: String) throws {
    defer { cleanUp() }
    let cache = VerdictCache(folder: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: cache.file(endpoint: "e", bucket: "b"))
    #expect(cache.read(endpoint: "e", bucket: "b", now: 0) == nil)
  }

  @Test func `a folder that can't be written is not a failure`() async throws {
    let server = try HostileServer("honest")
    let store = server.store(cacheFolder: URL(filePath: "/dev/null/cache"))
    #expect(try await store.conditionalWrites() == .compareAndSwap)
  }

  @Test func `a second run probes nothing, and probes again once asked to`() async throws {
    defer { cleanUp() }
    let server = try HostileServer("bare")
    #expect(try await server.store(cacheFolder: folder).conditionalWrites() == .compareAndSwap)
    let first = try await server.log().count
    let second = server.store(cacheFolder: folder)
    #expect(try await second.conditionalWrites() == .compareAndSwap)
    #expect(try await server.log().count == first)
    let etag = try #require(try await second.put(try key("a"), [1], if: .absent).etag)
    #expect(try await second.put(try key("a"), [2], if: .matches(etag)).etag != nil)
    _ = await second.probe(racing: false)
    #expect(try await server.log().count > first + 2 + 10, "it probed again")
    second.forgetVerdict()
    #expect(try files().isEmpty)
  }

  @Test func `many who ask at once share one probe`() async throws {
    let server = try HostileServer("honest")
    let store = server.store()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { #expect((try? await store.conditionalWrites()) == .compareAndSwap) }
      }
    }
    let folders = try await server.log().filter { $0.method == "PUT" }.map {
      $0.path.split(separator: "/").dropLast().joined(separator: "/")
    }
    #expect(Set(folders).count == 1)
  }

  @Test func `what is unknown is asked again`() async throws {
    let server = try HostileServer("applycutfirst")
    let store = server.store()
    #expect(try await store.conditionalWrites() == .compareAndSwap)
  }

  @Test func `versioning that is switched on later withdraws the verdict`() async throws {
    let server = try HostileServer("versioned")
    let store = server.store(bucket: "later", cacheFolder: folder)
    defer { cleanUp() }
    #expect(try await store.conditionalWrites() == .compareAndSwap)
    #expect(try files().count == 1)
    try await server.settle()
    #expect(try await store.put(try key("a"), [1], if: .absent).etag != nil)
    #expect(try files().isEmpty)
    #expect(try await store.conditionalWrites() == .unsafe)
  }
}
