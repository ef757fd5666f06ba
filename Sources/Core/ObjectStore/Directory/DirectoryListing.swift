/// Walks the folders that can hold the keys of one page, in the order of the keys.
///
/// Within a folder, names are sorted with a slash added to the names of folders: `a-b` comes before
/// `a/`, because whole keys are compared and `-` is less than `/`.
struct DirectoryListing {
  private let range: ListRange
  private var root = ""
  /// One more than the page holds, which shows that there is a next page.
  private var items: [Item] = []
  /// True if the page ends before something that can't be opened. The next page reports it.
  private var isCut = false
  private let cancellation: Cancellation

  private enum Item {
    case entry(ListEntry)
    /// With its final slash.
    case folder(String)
  }

  init(_ request: ListRequest, _ cancellation: Cancellation) {
    range = ListRange(request)
    self.cancellation = cancellation
  }

  mutating func run(in place: DirectoryPlace) throws -> ListPage {
    // Go directly to the folder that the prefix names, then walk.
    let slash = UInt8(ascii: "/")
    let segments = range.prefix.split(separator: slash, omittingEmptySubsequences: false)
      .dropLast().map { String(decoding: $0, as: UTF8.self) }
    let root = try place.openRoot()
    let isPossible = segments.allSatisfy { segment in
      !segment.isEmpty && segment != "." && segment != ".." && !segment.utf8.contains(0)
        && segment.utf8.count <= 255
    }
    guard isPossible, !(segments.first.map(ObjectPath.isOwn) ?? false) else {
      return ListPage(entries: [], next: nil)
    }
    self.root = place.root
    if segments.isEmpty {
      try walk(root, path: [])
    } else if let folder = try place.folder(segments) {
      try walk(folder, path: Array(segments.joined(separator: "/").utf8) + [slash])
    }
    guard items.count > range.limit else { return page(isLast: !isCut) }
    items.removeLast()
    return page(isLast: false)
  }

  private func page(isLast: Bool) -> ListPage {
    var (entries, folders): ([ListEntry], [String]) = ([], [])
    var last: String?
    for item in items {
      switch item {
      case .entry(let entry):
        entries.append(entry)
        last = entry.key
      case .folder(let folder):
        folders.append(folder)
        last = folder
      }
    }
    return ListPage(entries: entries, folders: folders, next: isLast ? nil : last)
  }

  private mutating func walk(_ folder: borrowing Descriptor, path: [UInt8]) throws {
    try cancellation.check()
    let range = range
    let found = try folder.entries { entry in
      if path.isEmpty, ObjectPath.isOwn(entry.name) { return false }
      let name = entry.objectName.bytes(below: path)
      if entry.isFolder { return range.admits(name + [UInt8(ascii: "/")], isFolder: true) }
      return range.admits(name, isFolder: false)
        // Something that is neither a file nor a folder may hide objects below its name.
        || entry.isObstacle && range.starts(below: name)
    }
    let ordered = found.map { (bytes: $0.objectName.bytes(below: path), entry: $0) }
      .map { (bytes: $0.bytes + ($0.entry.isFolder ? [UInt8(ascii: "/")] : []), entry: $0.entry) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    for (bytes, entry) in ordered {
      if items.count > range.limit || isCut { return }
      if entry.isFolder, range.isShallow {
        guard range.isAfterMarker(bytes), folder.mayHoldObjects(entry.name) else { continue }
        items.append(.folder(String(decoding: bytes, as: UTF8.self)))
      } else if entry.isFolder {
        guard let inner = try open(entry.name, in: folder, path: bytes) else { continue }
        try walk(inner, path: bytes)
      } else if let status = try folder.status(of: entry.name) {
        try list(entry, status, bytes, isEvicted: entry.objectName != entry.name, in: folder)
      }
    }
  }

  private mutating func list(
    _ entry: FolderEntry, _ status: FileStatus, _ path: [UInt8], isEvicted: Bool,
    in folder: borrowing Descriptor
  ) throws {
    // If the file itself exists, its placeholder does not count.
    if isEvicted, try folder.status(of: entry.objectName) != nil { return }
    let key = String(decoding: path, as: UTF8.self)
    let obstacle: Obstacle? = isEvicted ? .notDownloaded : Obstacle(status)
    let error = obstacle?.error(key, in: root, key: key)
    if let error, range.starts(below: path) { throw error }
    guard obstacle != nil || status.kind == .file else { return }
    var entry = ListEntry(
      key: key, size: isEvicted ? 0 : status.size, etag: nil, lastModified: status.lastModified)
    entry.obstacle = error
    items.append(.entry(entry))
  }

  /// Nil if the folder no longer exists, and so has no objects, or if the page ends before it.
  private mutating func open(
    _ name: String, in folder: borrowing Descriptor, path: [UInt8]
  ) throws -> Descriptor? {
    do throws(SystemFailure) {
      return try folder.folder(name)
    } catch {
      guard items.isEmpty else {
        isCut = true
        return nil
      }
      let path = String(decoding: path.dropLast(), as: UTF8.self)
      if error.isSymbolicLink { throw Obstacle.link.error(path, in: root, key: path) }
      var failure = error.storeError(root: root)
      failure.key = path
      throw failure
    }
  }
}

extension FolderEntry {
  /// The name of the object or folder that this entry is, or stands for.
  fileprivate var objectName: String { kind == .file ? Placeholder.file(name) ?? name : name }

  /// True if this entry hides what is below its name.
  fileprivate var isObstacle: Bool { kind == .link || kind == .other || objectName != name }
}

extension Descriptor {
  /// Whether anything but folders is below the folder of this name. What can't be opened may hold
  /// something. A bucket has no empty folders, so they do not count here.
  fileprivate func mayHoldObjects(_ name: String, depth: Int = 0) -> Bool {
    do throws(SystemFailure) {
      // Keys are not that deep.
      guard depth < 512, let folder = try folder(name) else { return depth >= 512 }
      let entries = try folder.entries { _ in true }
      return entries.contains { !$0.isFolder }
        || entries.contains { folder.mayHoldObjects($0.name, depth: depth + 1) }
    } catch {
      return true
    }
  }
}

extension String {
  fileprivate func bytes(below path: [UInt8]) -> [UInt8] { path + utf8 }
}
