import Digests
import Foundation
import ObjectStore

/// A probe's verdict (R28) as it is kept between runs. Contains no secret.
struct CachedVerdict: Codable, Hashable, Sendable {
  enum Kind: String, Codable {
    case compareAndSwap, createOnly, refuses, ignores, lags, racy
  }

  let endpoint: String
  let bucket: String
  let verdict: Kind
  let spelling: ETagSpelling?
  let isVersioned: Bool
  let isRaced: Bool
  /// Whether it keeps the SHA-256 of what is written.
  let keepsChecksums: Bool?
  /// Seconds since 1970.
  let probedAt: Int

  /// Nil for a verdict without observation, which is never kept.
  init?(_ report: ProbeReport, endpoint: String, bucket: String, now: Int) {
    switch report.verdict {
    case .compareAndSwap(let spelling): (verdict, self.spelling) = (.compareAndSwap, spelling)
    case .createOnly: (verdict, spelling) = (.createOnly, nil)
    case .refuses: (verdict, spelling) = (.refuses, nil)
    case .ignores: (verdict, spelling) = (.ignores, nil)
    case .lags: (verdict, spelling) = (.lags, nil)
    case .racy: (verdict, spelling) = (.racy, nil)
    case .denied, .unmet, .crowded, .unknown: return nil
    }
    self.endpoint = endpoint
    self.bucket = bucket
    isVersioned = report.isVersioned
    isRaced = report.isRaced
    keepsChecksums = report.keepsChecksums
    probedAt = now
  }

  var probeVerdict: ProbeVerdict {
    switch verdict {
    case .compareAndSwap: .compareAndSwap(spelling ?? .quoted)
    case .createOnly: .createOnly
    case .refuses: .refuses
    case .ignores: .ignores
    case .lags: .lags
    case .racy: .racy
    }
  }

  /// A good verdict is valid for a week, a bad one for a day, because servers get upgraded. A good
  /// one without a race, of an earlier release, is not.
  func isFresh(at now: Int) -> Bool {
    let age = now - probedAt
    guard verdict == .compareAndSwap else { return age > -3600 && age < 86_400 }
    return isRaced && age > -3600 && age < 7 * 86_400
  }
}

/// Verdicts in a folder, one file per endpoint and bucket, so that processes do not overwrite each
/// other's. If a file can't be read or written, the only consequence is another probe.
struct VerdictCache: Sendable {
  let folder: URL

  func file(endpoint: String, bucket: String) -> URL {
    let digest = SHA256.hex(Array("\(endpoint)\n\(bucket)".utf8)).prefix(32)
    return folder.appending(path: "conditional-writes-\(digest).json")
  }

  /// Whether there ever was a verdict, so that the server has answered.
  func hasAny(endpoint: String, bucket: String) -> Bool {
    FileManager.default.fileExists(atPath: file(endpoint: endpoint, bucket: bucket).path)
  }

  /// The earlier verdict; nil if there is none that is fresh.
  func read(endpoint: String, bucket: String, now: Int) -> CachedVerdict? {
    let file = file(endpoint: endpoint, bucket: bucket).path
    guard let bytes = try? SmallFile.read(file, maximumBytes: 65_536),
      let cached = try? JSONDecoder().decode(CachedVerdict.self, from: Data(bytes)),
      cached.endpoint == endpoint, cached.bucket == bucket, cached.isFresh(at: now)
    else { return nil }
    return cached
  }

  /// Replaces the file atomically. Only its owner can read it.
  func write(_ verdict: CachedVerdict) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let data = try encoder.encode(verdict)
    try FolderOwner.check(folder.path)
    try PrivateFolder.create(folder.path)
    let file = file(endpoint: verdict.endpoint, bucket: verdict.bucket)
    try SmallFile.replace(file.path, with: Array(data), isDurable: false)
  }

  func remove(endpoint: String, bucket: String) {
    try? FileManager.default.removeItem(at: file(endpoint: endpoint, bucket: bucket))
  }
}
