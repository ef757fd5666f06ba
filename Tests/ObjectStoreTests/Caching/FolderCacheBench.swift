import Foundation
import Synchronization
import Testing

@testable import ObjectStore

/// A cache in a folder of its own, with a clock that a test sets and a record of what it reports.
final class FolderCacheBench: Sendable {
  let scratch: ScratchFolder
  let path: String
  private let clock = Mutex(Int(Date().timeIntervalSince1970))
  private let heard = Mutex<[String]>([])

  init(folder: String = "cache/objects") throws {
    scratch = try ScratchFolder()
    path = scratch.url.appending(path: folder).path
  }

  var told: [String] { heard.withLock(\.self) }
  func pass(seconds: Int) { clock.withLock { $0 += seconds } }

  func cache(store: String = "https://s3.example\nhealth", limit: Int = 1 << 20) -> FolderCache {
    FolderCache(
      path: path, store: store, limit: limit, now: { self.clock.withLock(\.self) },
      report: { line in self.heard.withLock { $0.append(line) } })
  }

  /// Names of the files in the folder, as they are.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// What the files take on the disk.
  func space() throws -> Int {
    try files.reduce(0) { sum, name in
      var status = stat()
      try #require(lstat(file(name), &status) == 0)
      return sum + Int(status.st_blocks) * 512
    }
  }

  func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  /// The age of a file's last use.
  func age(_ name: String, seconds: Int) throws {
    let moment = clock.withLock(\.self) - seconds
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(moment))],
      ofItemAtPath: file(name))
  }
}

/// The version of bytes, by the etag that the model store would give them.
func version(_ body: [UInt8], etag: ETag? = nil) throws -> ObjectVersion {
  try #require(
    ObjectVersion(
      etag: etag ?? ETag(digestOf: body), size: body.count, lastModified: nil))
}

/// Bytes that differ for each number.
func sampleBody(_ number: Int, bytes: Int = 900) -> [UInt8] {
  let text = Array("{\"number\":\(number)}".utf8)
  return text + [UInt8](repeating: 0x20, count: max(0, bytes - text.count))
}

extension FolderCache {
  /// Keeps and waits.
  func keepNow(_ body: [UInt8], of key: ObjectKey) async throws {
    keep(body, of: key, try version(body))
    await finish()
  }
}
