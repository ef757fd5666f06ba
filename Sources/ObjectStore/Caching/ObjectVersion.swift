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
