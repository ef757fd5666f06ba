/// Objects that a reader keeps on its machine, only to save reads (R39).
///
/// The reader asks for the version that the store has just listed. So the age of an entry does not
/// matter: the cache returns exactly those bytes or nothing.
package protocol ObjectCache: Sendable {
  /// The bytes of exactly this version of an object; nil if the cache does not have all of them.
  func body(of key: ObjectKey, _ version: ObjectVersion) -> [UInt8]?

  /// Stores the bytes of a version. A failure to do so has no effect on the caller.
  func keep(_ body: [UInt8], of key: ObjectKey, _ version: ObjectVersion)

  /// Returns when all earlier calls of `keep` have succeeded or failed.
  func finish() async
}

/// Which bytes a store holds under a key, as a listing or a read reports it (R39).
///
/// Two versions of one key in one store are the same bytes if etag and size are equal, because a
/// strong etag changes whenever the bytes do (RFC 9110). This holds for every kind of etag that
/// stores use: the MD5 of a plain write, the digest of the parts' digests of a multipart upload,
/// and the opaque etags of encrypted objects.
package struct ObjectVersion: Hashable, Sendable {
  /// As the store spelled it.
  package let etag: ETag
  /// In bytes.
  package let size: Int
  /// Seconds since 1970 by the store's clock, where the store reported it; not part of the
  /// identity.
  package let lastModified: Int?

  /// Nil if there is no etag, or only a weak one, which does not identify the bytes.
  package init?(etag: ETag?, size: Int, lastModified: Int?) {
    guard let etag, !etag.rawValue.hasPrefix("W/"), !etag.unquoted.isEmpty, size >= 0 else {
      return nil
    }
    (self.etag, self.size, self.lastModified) = (etag, size, lastModified)
  }

  /// The version that a listing reports.
  package init?(_ entry: ListEntry) {
    self.init(etag: entry.etag, size: entry.size, lastModified: entry.lastModified)
  }

  /// True if a read with this etag has another number of bytes than was listed: the store contradicts
  /// itself. An object with another etag was replaced in between.
  package func contradicts(_ object: StoredObject) -> Bool {
    object.etag.unquoted == etag.unquoted && object.body.count != size
  }

  /// The version that a read returned.
  package init?(_ object: StoredObject) {
    self.init(etag: object.etag, size: object.body.count, lastModified: object.lastModified)
  }
}

extension ETag {
  /// The etag without its quotes: some stores leave them out in listings.
  var unquoted: Substring {
    guard rawValue.count >= 2, rawValue.hasPrefix("\""), rawValue.hasSuffix("\"") else {
      return rawValue[...]
    }
    return rawValue.dropFirst().dropLast()
  }
}
