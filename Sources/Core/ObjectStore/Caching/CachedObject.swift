import ContentDigests

/// An object as a file of the cache has it: a line with a digest, then the object's bytes; pure
/// (R39).
///
/// The digest covers the store, key and version as well as the bytes. So neither a damaged file nor
/// a file under a wrong name can answer a read. It does not protect against forgery: a user who may
/// write to the folder can compute it. That is why the folder belongs to its owner alone.
struct CachedObject {
  /// The file's name: 64 hex digits, a digest of store, key and version that reveals none of them.
  let name: String

  /// The entry for `version` of the object `key` in the store that `store` names.
  init(of key: ObjectKey, _ version: ObjectVersion, in store: String) {
    var digest = ContentDigest()
    for part in [store, key.rawValue, String(version.etag.unquoted), "\(version.size)"] {
      // The length before each part keeps two different lists from giving the same text.
      digest.update(Array("\(part.utf8.count):\(part)".utf8))
    }
    name = digest.hex()
  }

  /// What the file for these bytes contains.
  func file(_ body: [UInt8]) -> [UInt8] { line(body) + body }

  /// The object's bytes in a file; nil if the file is damaged or belongs to another entry.
  func body(_ file: [UInt8]) -> [UInt8]? {
    guard file.count >= Self.lineLength else { return nil }
    let body = Array(file[Self.lineLength...])
    return file[..<Self.lineLength].elementsEqual(line(body)) ? body : nil
  }

  /// How many bytes stand before the object's own.
  static let lineLength = title.utf8.count + 64 + 1

  /// The version of this file format. A later format can use another one.
  private static let title = "s3health copy 1 "

  private func line(_ body: [UInt8]) -> [UInt8] {
    var digest = ContentDigest()
    digest.update(Array(name.utf8))
    digest.update(body)
    return Array("\(Self.title)\(digest.hex())\n".utf8)
  }

  /// Whether a file of the folder is a cached object, judged by its name.
  static func isName(_ name: String) -> Bool {
    name.utf8.count == 64
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
