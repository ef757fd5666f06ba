import Foundation
import Testing

@testable import ObjectStore

/// R39: a copy answers for exactly what it was made of, or not at all.
@Suite(.unit) struct FolderCacheTests {
  private let body = sampleBody(1)

  @Test func `R39 a copy answers for its own store, key, etag and size alone`() async throws {
    let bench = try FolderCacheBench()
    let (cache, one, two) = (bench.cache(), try key("a/1.json"), try key("a/2.json"))
    #expect(cache.body(of: one, try version(body)) == nil)
    try await cache.keepNow(body, of: one)
    #expect(cache.body(of: one, try version(body)) == body)
    #expect(bench.cache().body(of: one, try version(body)) == body)

    #expect(cache.body(of: two, try version(body)) == nil)
    #expect(cache.body(of: one, try version(body, etag: ETag("\"other\""))) == nil)
    let longer = ObjectVersion(
      etag: ETag(digestOf: body), size: body.count + 1, lastModified: nil)
    #expect(cache.body(of: one, try #require(longer)) == nil)
    for store in ["https://s3.example\nhealth2", "https://s3.example:443\nhealth", ""] {
      #expect(bench.cache(store: store).body(of: one, try version(body)) == nil)
    }
    #expect(bench.files.count == 1 && bench.told == [])
  }

  @Test func `R39 when a version was written is not part of what it is`() async throws {
    let bench = try FolderCacheBench()
    try await bench.cache().keepNow(body, of: try key("k"))
    let later = ObjectVersion(
      etag: ETag(digestOf: body), size: body.count, lastModified: 1_800_000_000)
    #expect(bench.cache().body(of: try key("k"), try #require(later)) == body)
  }

  @Test func `R39 an etag listed without its quotes is the same etag`() async throws {
    let bench = try FolderCacheBench()
    let cache = bench.cache()
    cache.keep(body, of: try key("k"), try version(body, etag: ETag("\"5d41\"")))
    await cache.finish()
    #expect(cache.body(of: try key("k"), try version(body, etag: ETag("5d41"))) == body)
  }

  @Test(arguments: [nil, "", "\"\"", "W/\"5d41402a\"", "W/5d41402a"])
  func `R39 what has no strong etag has no version`(etag: String?) {
    #expect(ObjectVersion(etag: etag.map(ETag.init), size: 3, lastModified: nil) == nil)
  }

  @Test func `R39 parts of an identity can not be mistaken for one another`() throws {
    let names = try [("s", "a/b", "c"), ("s", "a", "b/c"), ("sa", "b", "c"), ("s", "a", "bc")].map {
      CachedObject(of: try key($0.1), try version([], etag: ETag($0.2)), in: $0.0).name
    }
    #expect(Set(names).count == names.count)
  }

  @Test func `R39 files are their owner's alone, and say nothing of store or key`() async throws {
    let bench = try FolderCacheBench()
    let cache = bench.cache(store: "https://key:hunter2@s3.example\nsecret-bucket")
    try await cache.keepNow(body, of: try key("ann/health/v0/data/2026/02/08/latest.json"))
    let name = try #require(bench.files.first)
    #expect(try bench.mode(bench.path) == 0o700)
    #expect(try bench.mode(bench.file(name)) == 0o600)
    let bytes = try Data(contentsOf: URL(filePath: bench.file(name)))
    for word in ["hunter2", "secret-bucket", "s3.example", "ann", "latest"] {
      #expect(!name.contains(word) && bytes.range(of: Data(word.utf8)) == nil)
    }
  }

  @Test func `R39 a cut or damaged copy is not answered, and goes`() async throws {
    let bench = try FolderCacheBench()
    let (cache, one) = (bench.cache(), try key("k"))
    let small = sampleBody(2, bytes: 30)
    try await cache.keepNow(small, of: one)
    let file = URL(filePath: bench.file(try #require(bench.files.first)))
    let whole = try Data(contentsOf: file)
    func spoil(_ bytes: Data) throws {
      try bytes.write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      #expect(cache.body(of: one, try version(small)) == nil)
      #expect(bench.files == [], "a damaged copy was left")
    }
    for length in 0..<whole.count { try spoil(whole.prefix(length)) }
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 0x01
      try spoil(damaged)
    }
    // And the next read keeps a sound one.
    try await cache.keepNow(small, of: one)
    #expect(cache.body(of: one, try version(small)) == small)
    #expect(bench.told == [])
  }

  @Test func `R39 a copy under another copy's name is not answered`() async throws {
    let bench = try FolderCacheBench()
    let cache = bench.cache()
    // Of one length, so that only the check can tell.
    try await cache.keepNow(sampleBody(1), of: try key("one"))
    let one = try #require(bench.files.first)
    try await cache.keepNow(sampleBody(2), of: try key("two"))
    let two = try #require(bench.files.first { $0 != one })
    try FileManager.default.removeItem(atPath: bench.file(one))
    try FileManager.default.moveItem(atPath: bench.file(two), toPath: bench.file(one))
    #expect(cache.body(of: try key("one"), try version(sampleBody(1))) == nil)
  }

  @Test func `R39 bytes of another length than the version's are not kept`() async throws {
    let bench = try FolderCacheBench()
    let cache = bench.cache()
    cache.keep(sampleBody(1, bytes: 100), of: try key("k"), try version(body))
    await cache.finish()
    #expect(bench.files == [])
  }
}
