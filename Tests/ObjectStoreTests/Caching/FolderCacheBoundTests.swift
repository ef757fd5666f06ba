import Foundation
import Testing

@testable import ObjectStore

/// R39: the bound on a cache's size, and what goes first.
@Suite(.unit) struct FolderCacheBoundTests {
  @Test func `R39 what a cache takes on the disk stays within its bound`() async throws {
    let bench = try FolderCacheBench()
    let limit = 200_000
    let cache = bench.cache(limit: limit)
    for number in 0..<200 {
      let body = sampleBody(number, bytes: [100, 900, 5000, 20_000][number % 4])
      try await cache.keepNow(body, of: try key("k\(number)"))
      #expect(try bench.space() <= limit)
      #expect(cache.body(of: try key("k\(number)"), try version(body)) == body)
    }
    #expect(try bench.space() > limit / 2)
    // A smaller bound is kept from the next write on.
    let smaller = bench.cache(limit: 60_000)
    try await smaller.keepNow(sampleBody(1), of: try key("last"))
    #expect(try bench.space() <= 60_000)
    #expect(smaller.body(of: try key("last"), try version(sampleBody(1))) != nil)
  }

  @Test func `R39 a copy that would drive out the others is not kept`() async throws {
    let bench = try FolderCacheBench()
    let cache = bench.cache(limit: 40_000)
    try await cache.keepNow(sampleBody(1), of: try key("small"))
    try await cache.keepNow(sampleBody(2, bytes: 11_000), of: try key("large"))
    #expect(cache.body(of: try key("small"), try version(sampleBody(1))) != nil)
    #expect(bench.files.count == 1)
  }

  @Test func `R39 what was not used for longest goes first, and a use counts`() async throws {
    let bench = try FolderCacheBench()
    let limit = 20 * 4096
    let cache = bench.cache(limit: limit)
    var names: [Int: String] = [:]
    for number in 0..<20 {
      let before = Set(bench.files)
      try await cache.keepNow(sampleBody(number), of: try key("k\(number)"))
      let added: String? = Set(bench.files).subtracting(before).first
      let name = try #require(added)
      names[number] = name
    }
    // The older, the smaller its number; then the oldest is used.
    for (number, name) in names { try bench.age(name, seconds: (40 - number) * 86_400) }
    #expect(cache.body(of: try key("k0"), try version(sampleBody(0))) != nil)
    try await bench.cache(limit: limit).keepNow(sampleBody(99), of: try key("new"))
    let left = (0..<20).filter {
      FileManager.default.fileExists(atPath: bench.file(names[$0] ?? ""))
    }
    #expect(left.contains(0) && !left.contains(1) && left.contains(19), "\(left)")
    #expect(left.count >= 16 && left == left.sorted())
  }

  @Test func `R39 several processes may go over by an eighth of the bound each`() async throws {
    let bench = try FolderCacheBench()
    let limit = 400_000
    let caches = (0..<3).map { _ in bench.cache(limit: limit) }
    for number in 0..<300 {
      try await caches[number % 3].keepNow(sampleBody(number), of: try key("k\(number)"))
      #expect(try bench.space() <= limit + 2 * limit / 8)
    }
  }

  @Test func `what an interrupted writer has left goes after an hour`() async throws {
    let bench = try FolderCacheBench()
    try await bench.cache().keepNow(sampleBody(1), of: try key("k"))
    for name in ["part-77-ab", "part-77-cd"] {
      try bench.scratch.write("cut", to: "cache/objects/\(name)")
    }
    try bench.age("part-77-ab", seconds: 7200)
    try await bench.cache().keepNow(sampleBody(2), of: try key("l"))
    #expect(bench.files.filter { $0.hasPrefix("part-") } == ["part-77-cd"])
  }

  @Test func `a folder that is not full loses nothing, and a full one an eighth`() {
    let entries = (0..<100).map {
      CacheEviction.Entry(name: "\($0)", size: 10, lastUsed: ($0 * 37) % 100)
    }
    let fits = CacheEviction(entries, limit: 1010, room: 10)
    #expect(fits.victims.isEmpty && fits.rest == 1000)
    let full = CacheEviction(entries, limit: 1000, room: 10)
    #expect(full.rest <= 1000 - 125 - 10 && full.rest > 1000 - 125 - 10 - 10)
    #expect(full.victims.map(\.lastUsed) == Array(0..<full.victims.count))
    let tiny = CacheEviction(entries, limit: 5, room: 10)
    #expect(tiny.victims.count == 100 && tiny.rest == 0)
  }
}
