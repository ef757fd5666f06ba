import Foundation
import Testing

@testable import ObjectStore

/// R39: what lies where the cache should be, and is not a cache.
@Suite(.unit) struct FolderCacheTrustTests {
  private let body = sampleBody(1)

  enum Stranger: String, CaseIterable {
    case link, secondName, folder, pipe, readable, writable
  }

  @Test(arguments: Stranger.allCases)
  func `R39 a file that is not its owner's alone is not a copy`(stranger: Stranger) async throws {
    let bench = try FolderCacheBench()
    let (cache, one) = (bench.cache(), try key("k"))
    try await cache.keepNow(body, of: one)
    let file = bench.file(try #require(bench.files.first))
    let aside = bench.scratch.url.appending(path: "aside").path
    let files = FileManager.default
    switch stranger {
    case .link:
      try files.moveItem(atPath: file, toPath: aside)
      try files.createSymbolicLink(atPath: file, withDestinationPath: aside)
    case .secondName: try files.linkItem(atPath: file, toPath: aside)
    case .folder:
      try files.removeItem(atPath: file)
      try files.createDirectory(atPath: file, withIntermediateDirectories: false)
    case .pipe:
      try files.removeItem(atPath: file)
      #expect(mkfifo(file, 0o600) == 0)
    case .readable: #expect(chmod(file, 0o644) == 0)
    case .writable: #expect(chmod(file, 0o620) == 0)
    }
    #expect(cache.body(of: one, try version(body)) == nil)
    // What is read again takes its place, unless it is a folder; nothing outside is touched.
    try await cache.keepNow(body, of: one)
    let isBack = cache.body(of: one, try version(body)) == body
    #expect(isBack == (stranger != .folder))
    if isBack { #expect(try bench.mode(file) == 0o600) }
    if stranger == .link { #expect(files.contents(atPath: aside)?.count == body.count + 81) }
  }

  @Test func `R39 a folder that is a link is not used`() async throws {
    let bench = try FolderCacheBench()
    let elsewhere = bench.scratch.url.appending(path: "elsewhere")
    try FileManager.default.createDirectory(
      at: elsewhere, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try bench.scratch.write("", to: "cache/x")
    try FileManager.default.createSymbolicLink(
      atPath: bench.path, withDestinationPath: elsewhere.path)
    let cache = bench.cache()
    try await cache.keepNow(body, of: try key("k"))
    try await cache.keepNow(body, of: try key("l"))
    #expect(cache.body(of: try key("k"), try version(body)) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == [])
    #expect(bench.told.count == 1, "\(bench.told)")
  }

  @Test func `R39 a folder that others can write to is not used; one they can read is closed`()
    async throws
  {
    let bench = try FolderCacheBench()
    try await bench.cache().keepNow(body, of: try key("k"))
    #expect(chmod(bench.path, 0o777) == 0)
    let cache = bench.cache()
    #expect(cache.body(of: try key("k"), try version(body)) == nil)
    try await cache.keepNow(body, of: try key("l"))
    #expect(bench.files.count == 1 && bench.told.count == 1)
    #expect(bench.told.first?.contains("others can write to") == true)
    #expect(chmod(bench.path, 0o755) == 0)
    #expect(bench.cache().body(of: try key("k"), try version(body)) == body)
    #expect(try bench.mode(bench.path) == 0o700)
  }

  @Test func `R39 a folder that can not be made costs its copies and nothing else`() async throws {
    // Root may write anywhere but below a file.
    let bench = try FolderCacheBench(folder: "file/objects")
    try bench.scratch.write("", to: "file")
    let cache = bench.cache()
    for number in 0..<20 { try await cache.keepNow(body, of: try key("k\(number)")) }
    #expect(cache.body(of: try key("k1"), try version(body)) == nil)
    #expect(bench.told.count == 1, "\(bench.told)")
  }

  @Test func `R39 a folder removed while it is in use is made again`() async throws {
    let bench = try FolderCacheBench()
    let (cache, one) = (bench.cache(), try key("k"))
    try await cache.keepNow(body, of: one)
    try FileManager.default.removeItem(
      at: bench.scratch.url.appending(path: "cache", directoryHint: .isDirectory))
    #expect(cache.body(of: one, try version(body)) == nil)
    try await cache.keepNow(body, of: one)
    #expect(cache.body(of: one, try version(body)) == body)
    #expect(bench.told == [])
  }

  @Test func `R39 files of other names are left alone`() async throws {
    let bench = try FolderCacheBench()
    try await bench.cache().keepNow(body, of: try key("k"))
    try bench.scratch.write(String(repeating: "x", count: 100_000), to: "cache/objects/notes.txt")
    let cache = bench.cache(limit: 16_384)
    for number in 0..<20 {
      try await cache.keepNow(sampleBody(number), of: try key("n\(number)"))
    }
    #expect(bench.files.contains("notes.txt"))
  }
}
