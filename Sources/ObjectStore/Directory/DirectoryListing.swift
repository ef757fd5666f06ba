/// A walk through those folders that can hold the keys of one page, in the order of the keys.
///
/// Within a folder the order is that of the names with a slash behind those of folders: `a-b` comes
/// before `a/`, because whole keys are compared and `-` is less than `/`.
struct DirectoryListing {
  private let range: ListRange
  /// One more than the page takes shows that there is a next page.
  private var entries: [ListEntry] = []
  private let cancellation: Cancellation

  init(_ request: ListRequest, _ cancellation: Cancellation) {
    range = ListRange(request)
    self.cancellation = cancellation
  }

  mutating func run(in place: DirectoryPlace) throws -> ListPage {
    // Go straight to the folder that the prefix names, then walk.
    let slash = UInt8(ascii: "/")
    let segments = range.prefix.split(separator: slash, omittingEmptySubsequences: false)
      .dropLast().map { String(decoding: $0, as: UTF8.self) }
    let root = try place.openRoot()
    let isPossible = segments.allSatisfy { segment in
      !segment.isEmpty && segment != "." && segment != ".." && !segment.utf8.contains(0)
        && segment.utf8.count <= 255
    }
    guard isPossible, segments.first?.lowercased() != ObjectPath.workFolder else {
      return ListPage(entries: [], next: nil)
    }
    if segments.isEmpty {
      try walk(root, path: [])
    } else if let folder = try place.folder(segments) {
      try walk(folder, path: Array(segments.joined(separator: "/").utf8) + [slash])
    }
    guard entries.count > range.limit else { return ListPage(entries: entries, next: nil) }
    entries.removeLast()
    return ListPage(entries: entries, next: entries.last?.key)
  }

  private mutating func walk(_ folder: borrowing Descriptor, path: [UInt8]) throws {
    try cancellation.check()
    let range = range
    let found = try folder.entries { entry in
      !(path.isEmpty && entry.name.lowercased() == ObjectPath.workFolder)
        && range.admits(entry.bytes(below: path), isFolder: entry.isFolder)
    }
    let ordered = found.map { (bytes: $0.bytes(below: path), entry: $0) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    for (bytes, entry) in ordered {
      if entries.count > range.limit { return }
      if entry.isFolder {
        guard let inner = try open(entry.name, in: folder) else { continue }
        try walk(inner, path: bytes)
      } else if let status = try folder.status(of: entry.name), status.kind == .file {
        entries.append(
          ListEntry(
            key: String(decoding: bytes, as: UTF8.self), size: status.size, etag: nil,
            lastModified: status.lastModified))
      }
    }
  }

  /// Nil where the folder is gone meanwhile, or has become a link: no objects.
  private func open(
    _ name: String, in folder: borrowing Descriptor
  ) throws(SystemFailure) -> Descriptor? {
    do throws(SystemFailure) {
      return try folder.folder(name)
    } catch {
      guard error.isSymbolicLink else { throw error }
      return nil
    }
  }
}

extension FolderEntry {
  /// The key, or for a folder what the keys below it begin with.
  fileprivate func bytes(below path: [UInt8]) -> [UInt8] {
    path + name.utf8 + (isFolder ? [UInt8(ascii: "/")] : [])
  }
}
