/// A whole listing of one prefix, kept in memory, which answers the listings of parts of it.
package struct ListingSnapshot: Sendable {
  private let prefix: String
  private let entries: [ListEntry]

  /// Lists everything below a prefix. The result is nil if there is more than the maximum, or if
  /// something can't be read: it may hide objects below its name, and only a listing of
  /// each part shows which (R29).
  package init?(
    of prefix: String, in store: some ObjectStore, maximum: Int
  ) async throws(StoreError) {
    var request = ListRequest(prefix: prefix)
    var entries: [ListEntry] = []
    while true {
      let page = try await store.list(request)
      entries += page.entries
      guard entries.count <= maximum, page.entries.allSatisfy({ $0.obstacle == nil }) else {
        return nil
      }
      guard let next = page.next else { break }
      request.continuation = next
    }
    (self.prefix, self.entries) = (prefix, entries)
  }

  /// The page of a listing; nil if this is not a listing of what is asked for.
  package func page(_ request: ListRequest) -> ListPage? {
    guard !request.isShallow, request.prefix.utf8.starts(with: prefix.utf8) else { return nil }
    let range = ListRange(request)
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if range.reaches(entries[middle].key) { high = middle } else { low = middle + 1 }
    }
    let rest = entries[low...].prefix { range.prefixes($0.key) }
    guard rest.count > range.limit else { return ListPage(entries: Array(rest), next: nil) }
    let page = Array(rest.prefix(range.limit))
    return ListPage(entries: page, next: page.last?.key)
  }
}
