import ObjectStore
import S3Store

/// The parts of `s3://bucket/prefix`.
struct StoreURL: Hashable, Sendable {
  let bucket: String
  let prefix: String

  init(_ url: String) throws(StoreError) {
    guard url.lowercased().hasPrefix("s3://") else {
      throw StoreError(
        .invalidRequest, "the store is not an s3:// URL", remedy: "write s3://bucket/prefix")
    }
    // Works on scalars, because a combining mark after a slash forms one character with it.
    let rest = url.unicodeScalars.dropFirst(5)
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let bucket = String(rest[..<slash])
    // Check this before quoting anything: the text before the @ may be a key.
    guard !bucket.unicodeScalars.contains("@") else {
      throw StoreError(
        .invalidRequest, "the store's URL holds a user or password",
        remedy: "leave them out, and give keys as AWS tools take them")
    }
    guard !rest.contains("?"), !rest.contains("#") else {
      throw StoreError(
        .invalidRequest, "the store's URL holds a ? or #, which a prefix can't have",
        remedy: "choose a prefix without them; the URL takes no settings")
    }
    guard BucketName.isValid(bucket) else {
      throw StoreError(
        .invalidRequest, "\"\(bucket.prefix(64))\" can't be a bucket's name",
        remedy: """
          use 3 to 255 letters, digits, dots, hyphens and underscores, with a letter or digit at \
          both ends; most stores take only 3 to 63, and only lower-case letters
          """)
    }
    var prefix = rest[slash...].dropFirst()
    if prefix.last == "/" { prefix = prefix.dropLast() }
    guard prefix.isEmpty || ObjectKey(String(prefix)) != nil else {
      throw StoreError(
        .invalidRequest, "the prefix in the store's URL can't begin a key",
        remedy: """
          use names of at most 255 bytes, other than "." and ".." and without control characters, \
          between single slashes
          """)
    }
    (self.bucket, self.prefix) = (bucket, String(prefix))
  }
}
