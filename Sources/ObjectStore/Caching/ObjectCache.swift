/// Copies of objects that a reader keeps near itself, to spare reads and nothing else (R39).
///
/// A copy is asked for by the version that the store has just listed, so its age is of no account:
/// it is those bytes, or it is not given.
package protocol ObjectCache: Sendable {
  /// The bytes kept of exactly this version of an object; nil where there is no whole copy.
  func body(of key: ObjectKey, _ version: ObjectVersion) -> [UInt8]?

  /// Keeps the bytes of a version; what can't be kept is not, and nobody is the worse for it.
  func keep(_ body: [UInt8], of key: ObjectKey, _ version: ObjectVersion)

  /// Returns when everything given to `keep` until now was kept, or was not.
  func finish() async
}

/// Which bytes a store holds under a key, as a listing or a read tells it (R39).
///
/// Two versions of one key in one store are the same bytes if etag and size are equal: a strong etag
/// is another one whenever the bytes are (RFC 9110). That holds for all kinds that stores give: the
/// MD5 of a plain write, the digest of parts' digests, and the opaque ones of encrypted objects.
package struct ObjectVersion: Hashable, Sendable {
  /// As the store spelled it.
  package let etag: ETag
  /// In bytes.
  package let size: Int
  /// Seconds since 1970 by the store's clock, when the version was seen; not part of what it is.
  package let lastModified: Int?

  /// Nil without an etag that tells bytes apart: where there is none, and where it is weak.
  package init?(etag: ETag?, size: Int, lastModified: Int?) {
    guard let etag, !etag.rawValue.hasPrefix("W/"), !etag.unquoted.isEmpty, size >= 0 else {
      return nil
    }
    (self.etag, self.size, self.lastModified) = (etag, size, lastModified)
  }

  /// What a listing has shown.
  package init?(_ entry: ListEntry) {
    self.init(etag: entry.etag, size: entry.size, lastModified: entry.lastModified)
  }

  /// What a read has brought.
  package init?(_ object: StoredObject) {
    self.init(etag: object.etag, size: object.body.count, lastModified: object.lastModified)
  }
}

extension ETag {
  /// Some stores list etags without the quotes that their reads have.
  var unquoted: Substring {
    guard rawValue.count >= 2, rawValue.hasPrefix("\""), rawValue.hasSuffix("\"") else {
      return rawValue[...]
    }
    return rawValue.dropFirst().dropLast()
  }
}
