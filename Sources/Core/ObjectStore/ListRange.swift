/// Which keys may be on one page of a listing: those greater than a marker that begin with the
/// prefix, compared as bytes.
struct ListRange {
  let prefix: [UInt8]
  /// Where to start, exclusive: the greater of `startAfter` and the continuation.
  let marker: [UInt8]?
  let limit: Int
  let isShallow: Bool

  init(_ request: ListRequest) {
    prefix = Array(request.prefix.utf8)
    isShallow = request.isShallow
    let markers = [request.startAfter, request.continuation].compactMap {
      $0.map { Array($0.utf8) }
    }
    marker = markers.max { $0.lexicographicallyPrecedes($1) }
    limit = min(request.limit, 1000)
  }

  /// True for the first key of the page and for every later key.
  func reaches(_ key: String) -> Bool {
    !key.utf8.lexicographicallyPrecedes(prefix) && isAfterMarker(key.utf8)
  }

  /// True if the key begins with the prefix.
  func prefixes(_ key: String) -> Bool { key.utf8.starts(with: prefix) }

  /// The folder of a shallow listing for which this key, which begins with the prefix, stands; nil
  /// for a key without a further slash, and in any other listing.
  func folder(of key: String) -> String? {
    guard isShallow, let slash = key.utf8.dropFirst(prefix.count).firstIndex(of: UInt8(ascii: "/"))
    else { return nil }
    return String(key.utf8[...slash])
  }

  func isAfterMarker(_ key: some Sequence<UInt8>) -> Bool {
    guard let marker else { return true }
    return marker.lexicographicallyPrecedes(key)
  }

  /// Whether the page begins inside the folder with this path, given without a final slash.
  func starts(below path: [UInt8]) -> Bool {
    marker?.starts(with: path + [UInt8(ascii: "/")]) ?? false
  }

  /// Whether a key, or any key that begins with a folder's path and a slash, may be on the page.
  func admits(_ path: [UInt8], isFolder: Bool) -> Bool {
    // No key is longer than 1,024 bytes.
    guard isFolder else {
      return path.count <= 1024 && path.starts(with: prefix) && isAfterMarker(path)
    }
    guard path.count < 1024, path.starts(with: prefix) || prefix.starts(with: path) else {
      return false
    }
    return marker?.starts(with: path) ?? false || isAfterMarker(path)
  }
}

extension ListRequest {
  /// Throws unless the limit allows a page to advance.
  func check() throws(StoreError) {
    guard limit >= 1 else {
      throw StoreError(
        .invalidRequest, "a listing was asked for pages of \(limit) entries",
        remedy: "ask for 1 to 1000")
    }
  }
}
