/// The contents of a store as a value: a model of an S3 bucket without a clock, a lock or I/O.
///
/// Every operation is one atomic step, so every sequence of calls is a legal history. `MemoryStore`
/// puts a lock around it; simulations copy, compare and hash it.
package struct ObjectTable: Hashable, Sendable {
  /// One object.
  package struct Object: Hashable, Sendable {
    package let body: [UInt8]
    package let etag: ETag
    package let lastModified: Int?
  }

  private var objects: [ObjectKey: Object] = [:]
  /// The keys of `objects` in byte order.
  private var order: [ObjectKey] = []

  package init() {}

  package var count: Int { order.count }
  package var keys: [ObjectKey] { order }

  /// The object under a key; setting nil removes it.
  package subscript(key: ObjectKey) -> Object? {
    get { objects[key] }
    set {
      let old = objects[key]
      objects[key] = newValue
      let place = firstIndex { !($0 < key) }
      switch (old, newValue) {
      case (nil, .some): order.insert(key, at: place)
      case (.some, nil): order.remove(at: place)
      default: break
      }
    }
  }

  /// Writes if the precondition holds. Returns the new etag, or nil if it does not hold.
  package mutating func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition, at time: Int?
  ) -> ETag? {
    switch precondition {
    case .absent: guard self[key] == nil else { return nil }
    case .matches(let etag): guard self[key]?.etag == etag else { return nil }
    }
    let etag = ETag(digestOf: body)
    self[key] = Object(body: body, etag: etag, lastModified: time)
    return etag
  }

  /// One page of a listing. The continuation is the last key of the previous page.
  package func list(_ request: ListRequest) -> ListPage {
    let range = ListRange(request)
    var index = firstIndex { range.reaches($0.rawValue) }
    var entries: [ListEntry] = []
    var folders: [String] = []
    var last: String?
    while index < order.count, range.prefixes(order[index].rawValue) {
      let key = order[index]
      index += 1
      let folder = range.folder(of: key.rawValue)
      if let folder, folder == last || !range.isAfterMarker(folder.utf8) { continue }
      guard entries.count + folders.count < range.limit else {
        return ListPage(entries: entries, folders: folders, next: last)
      }
      last = folder ?? key.rawValue
      if let folder {
        folders.append(folder)
      } else if let object = objects[key] {
        entries.append(
          ListEntry(
            key: key.rawValue, size: object.body.count, etag: object.etag,
            lastModified: object.lastModified))
      }
    }
    return ListPage(entries: entries, folders: folders, next: nil)
  }

  /// The first index in `order` for which a condition holds. The condition must hold for all later
  /// keys as well.
  private func firstIndex(where holds: (ObjectKey) -> Bool) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(order[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
