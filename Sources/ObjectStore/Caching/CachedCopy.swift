/// A copy as a file has it: a line that checks the rest, then the object's bytes; pure (R39).
///
/// The check covers what the copy is of, so that neither damage nor a file under a wrong name can
/// answer. It is no seal: who may write to the folder may forge it, so the folder is its owner's.
struct CachedCopy {
  /// The file's name: 64 hex digits that say store, key and version, and tell none of them.
  let name: String

  /// A copy of `version` of the object `key` in the store that `store` names.
  init(of key: ObjectKey, _ version: ObjectVersion, in store: String) {
    var digest = ContentDigest()
    for part in [store, key.rawValue, String(version.etag.unquoted), "\(version.size)"] {
      // Lengths keep two lists of parts from being one text.
      digest.update(Array("\(part.utf8.count):\(part)".utf8))
    }
    name = digest.hex()
  }

  /// The file of these bytes.
  func file(_ body: [UInt8]) -> [UInt8] { line(body) + body }

  /// The bytes that a file holds; nil where it is not this copy, whole.
  func body(_ file: [UInt8]) -> [UInt8]? {
    guard file.count >= Self.lineLength else { return nil }
    let body = Array(file[Self.lineLength...])
    return file[..<Self.lineLength].elementsEqual(line(body)) ? body : nil
  }

  /// Bytes before the object's own.
  static let lineLength = title.utf8.count + 64 + 1

  /// Names the form, so that a later one can differ.
  private static let title = "s3health copy 1 "

  private func line(_ body: [UInt8]) -> [UInt8] {
    var digest = ContentDigest()
    digest.update(Array(name.utf8))
    digest.update(body)
    return Array("\(Self.title)\(digest.hex())\n".utf8)
  }

  /// Whether a file of the folder is a copy, by its name.
  static func isName(_ name: String) -> Bool {
    name.utf8.count == 64
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

extension ContentDigest {
  fileprivate mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Ends the digest: 64 lower-case hex digits.
  fileprivate consuming func hex() -> String { String(etag().unquoted) }
}
