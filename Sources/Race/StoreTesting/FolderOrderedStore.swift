package import ObjectStore

/// Lists folder by folder, as SeaweedFS was seen to: `a/b` before `a.json`, because the name `a`
/// sorts first. A marker that names a folder without its slash leaves out the whole folder.
package struct FolderOrderedStore: ForwardingStore {
  package let base: any ObjectStore

  package init(_ base: any ObjectStore) { self.base = base }

  package func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    guard !request.isShallow else { return try await base.list(request) }
    let marker = request.continuation ?? request.startAfter
    let entries = try await base.listAll(ListRequest(prefix: request.prefix))
      .filter { entry in marker.map { Self.isListed(entry.key, after: $0) } ?? true }
      .sorted { Self.names($0.key).lexicographicallyPrecedes(Self.names($1.key)) }
    let page = Array(entries.prefix(request.limit))
    return ListPage(entries: page, next: entries.count > page.count ? page.last?.key : nil)
  }

  private static func isListed(_ key: String, after marker: String) -> Bool {
    let (names, last) = (names(key), names(marker))
    // The last name of a marker with a final slash is empty, and every name comes after it.
    return last.lexicographicallyPrecedes(names) && !names.starts(with: last)
  }

  private static func names(_ key: String) -> [Substring] {
    key.split(separator: "/", omittingEmptySubsequences: false)
  }
}
