import ObjectStore

extension People {
  /// What lies below a person's prefix.
  package struct Belongings: Hashable, Sendable {
    package fileprivate(set) var objects = 0
    package fileprivate(set) var bytes = 0
  }

  /// Counts what lies below a person's prefix, without reading it.
  package func belongings(of id: PersonID) async throws(LedgerError) -> Belongings {
    var request = ListRequest(prefix: try shared.layout.person(id).prefix)
    var sum = Belongings()
    do throws(StoreError) {
      while true {
        let page = try await shared.store.list(request)
        sum.objects += page.entries.count
        sum.bytes += page.entries.reduce(0) { $0 + $1.size }
        guard let next = page.next else { return sum }
        request.continuation = next
      }
    } catch {
      throw LedgerError(error)
    }
  }

  /// Removes everything below a person's prefix, `person.json` last: a removal that was interrupted
  /// is seen and can be run again. It never touches a key that does not begin with
  /// `people/{id}/`.
  ///
  /// - Parameter progress: called with the number of objects removed so far.
  /// - Returns: how many objects were removed.
  /// - Throws: `LedgerError` if something could not be removed. Then `person.json` stays.
  @discardableResult
  package func remove(
    _ id: PersonID, progress: (Int) -> Void = { _ in }
  ) async throws(LedgerError) -> Int {
    let prefix = try shared.layout.person(id).prefix
    let last = try shared.layout.personKey(id)
    var removed = 0
    // Whoever publishes meanwhile may add objects behind the listing.
    for _ in 0..<Self.mostRounds {
      var request = ListRequest(prefix: prefix)
      var found = 0
      while true {
        let page: ListPage
        do {
          page = try await shared.store.list(request)
        } catch {
          throw LedgerError(error)
        }
        let keys = try Self.keys(page.entries, below: prefix).filter { $0 != last }
        found += keys.count
        try await remove(keys) {
          removed += 1
          progress(removed)
        }
        guard let next = page.next else { break }
        request.continuation = next
      }
      guard found == 0 else { continue }
      do {
        // It may never have been there.
        guard try await shared.store.get(last, limit: 65_536) != nil else { return removed }
        try await shared.store.delete(last)
      } catch {
        throw LedgerError(error)
      }
      progress(removed + 1)
      return removed + 1
    }
    throw LedgerError(
      .storageUnavailable, "objects of \(id) keep appearing while they are removed", key: prefix,
      remedy: "end what publishes for \(id), then remove it again", isRetryable: true)
  }

  private static let mostRounds = 5

  /// The keys of a page, each of which must lie below the prefix.
  private static func keys(
    _ entries: [ListEntry], below prefix: String
  ) throws(LedgerError) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    for entry in entries {
      guard entry.key.utf8.starts(with: prefix.utf8), let key = ObjectKey(entry.key) else {
        throw LedgerError(
          .storageUnavailable, "an object's name can't be a key", key: entry.key,
          remedy: "remove it with a tool of the store, then go on")
      }
      keys.append(key)
    }
    return keys
  }

  private func remove(
    _ keys: [ObjectKey], each: () -> Void
  ) async throws(LedgerError) {
    let store = shared.store
    try await concurrentMap(keys, width: HealthLedger.defaultConcurrency) {
      key async throws(LedgerError) in
      do throws(StoreError) {
        try await store.delete(key)
      } catch {
        throw LedgerError(error)
      }
    } deliver: { _, _ in
      each()
    }
  }
}
