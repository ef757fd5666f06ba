import ObjectStore

extension HealthLedger {
  /// The same ledger, every read of which goes to the store: for what is written after it, and for
  /// what is told as a fault.
  var uncached: HealthLedger {
    var ledger = self
    ledger.cache = nil
    return ledger
  }

  /// Reads an object, or is answered with a copy of the version that was just listed (R39).
  ///
  /// A copy stands for a read at the moment of the listing, which also says when the object was
  /// written: it may have been written anew with the same bytes. Without a version the store alone
  /// is asked, and nothing is kept.
  func read(
    _ key: ObjectKey, limit: Int, listed version: ObjectVersion?
  ) async throws(StoreError) -> StoredObject? {
    guard let cache, let version, version.size <= limit else {
      return try await store.get(key, limit: limit)
    }
    if let body = cache.body(of: key, version) {
      return StoredObject(body: body, etag: version.etag, lastModified: version.lastModified)
    }
    let object = try await store.get(key, limit: limit)
    // By its own etag: it may have been replaced since it was listed.
    if let object, let read = ObjectVersion(object) { cache.keep(object.body, of: key, read) }
    return object
  }
}
