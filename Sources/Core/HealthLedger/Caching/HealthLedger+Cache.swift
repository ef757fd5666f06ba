import ObjectStore

extension HealthLedger {
  /// The same ledger with every read going to the store. Publishing and repairing use it, and the
  /// second look before an error is reported.
  var uncached: HealthLedger {
    var ledger = self
    (ledger.cache, ledger.listing) = (nil, nil)
    return ledger
  }

  /// Reads an object, or answers from the cache with the version that was just listed (R39).
  ///
  /// A cached object stands for a read at the moment of the listing. The time of the object is also
  /// the listing's, because the object may have been written again with the same bytes. Without a
  /// version, the read goes to the store and nothing is cached.
  ///
  /// - Throws: also if the answer is not what the listing said of the same bytes.
  func read(
    _ key: ObjectKey, limit: Int, listed version: ObjectVersion?
  ) async throws(StoreError) -> StoredObject? {
    if let cache, let version, version.size <= limit, let body = cache.body(of: key, version) {
      return StoredObject(body: body, etag: version.etag, lastModified: version.lastModified)
    }
    let object = try await store.get(key, limit: limit)
    if let object, let version, version.contradicts(object) {
      throw Self.contradiction(of: key, answered: object.body.count, listed: version.size)
    }
    guard let cache, let version, version.size <= limit else { return object }
    // Cached under its own etag, because it may have been replaced since it was listed.
    if let object, let read = ObjectVersion(object) { cache.keep(object.body, of: key, read) }
    return object
  }

  /// The error for an answer that is not what the listing said. That is not the document's fault: what it
  /// says is not known.
  static func contradiction(of key: ObjectKey, answered: Int, listed: Int) -> StoreError {
    StoreError(
      .unavailable, "the store answered \(answered) bytes, and its listing said \(listed)",
      key: key.rawValue,
      remedy: .all([
        .retry, "if it persists, check what is between this machine and the store, such as a proxy",
      ]), isRetryable: true)
  }
}
