import ObjectStore

/// Walks over the first segments below a prefix, in order. One request for each.
struct SegmentWalk {
  /// A first segment.
  struct Segment {
    /// Its name, without a slash.
    let name: String
    /// Whether it is a folder; else an object.
    let isFolder: Bool
    /// The object, or the first one in the folder.
    let first: ListEntry
  }

  private let streams: StreamStore
  private let prefix: String
  private var request: ListRequest

  /// - Parameter prefix: what the keys begin with; ends in `/`.
  init(_ streams: StreamStore, below prefix: String) {
    (self.streams, self.prefix) = (streams, prefix)
    request = ListRequest(prefix: prefix, limit: 1)
  }

  /// The next segment; nil at the end.
  mutating func next() async throws(StreamError) -> Segment? {
    guard let entry = try await streams.list(request).entries.first,
      entry.key.utf8.starts(with: prefix.utf8)
    else { return nil }
    let rest = entry.key.utf8.dropFirst(prefix.utf8.count)
    let name = String(decoding: rest.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    let isFolder = rest.count > name.utf8.count
    // "0" is the character after "/": what follows is after everything below the name.
    request.startAfter = isFolder ? prefix + name + "0" : entry.key
    return Segment(name: name, isFolder: isFolder, first: entry)
  }
}
