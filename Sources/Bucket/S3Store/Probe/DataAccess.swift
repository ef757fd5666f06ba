package import ObjectStore

/// What a diagnosis tries besides the probe.
extension S3Store {
  /// Finds out whether these credentials may do below a prefix what the publish of a new day does: create a
  /// revision, and move the pointer or, where none is moved, read the revision.
  ///
  /// - Returns: why they may not read there, which further publishes of the day do, and all readers.
  /// - Throws: why they may not publish.
  package func checkPublishing(below prefix: String) async throws(StoreError) -> StoreError? {
    let movesPointer = knownVerdict?.guarantee == .compareAndSwap
    var unread: StoreError?
    for (name, isPointer) in [("revisions/check.json", false), ("latest.json", true)] {
      guard let key = ObjectKey("\(prefix)/\(name)") else {
        throw StoreError(.internal, "the scratch key is not valid", key: "\(prefix)/\(name)")
      }
      if movesPointer || !isPointer { try await checkWriting(key) }
      do {
        try await checkReading(key)
      } catch {
        guard movesPointer || isPointer else { throw error }
        unread = unread ?? error
      }
    }
    return unread
  }

  /// Replaces an object that is not there, which a store with conditions refuses, so that none is left. Where
  /// the answer is another one, creates it, as a publish does.
  private func checkWriting(_ key: ObjectKey) async throws(StoreError) {
    let never = ETag("\"0123456789abcdef0123456789abcdef\"")
    let replaced = try await write(key, Self.scratch, condition: ("if-match", never.rawValue))
    if case .preconditionFailed? = try? replaced.putOutcome { return }
    try await createScratch(key)
    // Who may not delete leaves one object of each name.
    try? await delete(key)
  }

  /// Reads an object that is not there. Where that is denied, it is created: that it is missing may be the
  /// reason.
  private func checkReading(_ key: ObjectKey) async throws(StoreError) {
    guard case .denied(let denial) = try await client.askFor(key.rawValue, limit: 4096) else {
      return
    }
    do {
      try await createScratch(key)
    } catch {
      throw denial
    }
    let read: Result<StoredObject?, StoreError>
    do {
      read = .success(try await client.read(key.rawValue, limit: 4096))
    } catch {
      read = .failure(error)
    }
    try? await delete(key)
    _ = try read.get()
  }

  /// Finds out whether a listing can be read page by page, before the store has so many objects that
  /// it must be: lists some objects of its own one by one.
  ///
  /// - Returns: what is wrong; nil if nothing is.
  package func problemWithPages() async throws(StoreError) -> StoreError? {
    let folder = ProbeRun.newFolder(below: options.probePrefix) + "/"
    let keys = ["a", "b", "c"].compactMap { ObjectKey(folder + $0) }
    let result: Result<StoreError?, StoreError>
    do {
      result = .success(try await pages(of: keys, folder))
    } catch {
      result = .failure(error)
    }
    for key in keys {
      // What stays is removed by a later probe.
      try? await client.delete(key.rawValue, policy: ProbeRun.removal, closing: true)
    }
    return try result.get()
  }

  private func pages(
    of keys: [ObjectKey], _ folder: String
  ) async throws(StoreError) -> StoreError? {
    for key in keys { try await createScratch(key) }
    var (found, request): ([String], ListRequest) = ([], ListRequest(prefix: folder, limit: 1))
    do {
      repeat {
        let page = try await client.list(request, closing: true)
        found += page.entries.map(\.key)
        request.continuation = page.next
      } while request.continuation != nil && found.count <= keys.count
    } catch {
      return error
    }
    guard found.sorted() != keys.map(\.rawValue) else { return nil }
    return StoreError(
      .unavailable,
      "listing \(keys.count) objects page by page found \(found.count) of them", key: folder,
      remedy: "use a newer release of the server's software, or another store")
  }

  /// Creates an object, which an earlier try may have done without an answer.
  private func createScratch(_ key: ObjectKey) async throws(StoreError) {
    let began = ContinuousClock.now
    for attempt in 1...client.policy.maximumAttempts {
      guard case .unknown(let error) = try await put(key, Self.scratch, if: .absent) else { return }
      if try await client.read(key.rawValue, limit: 4096, closing: true) != nil { return }
      let request = S3Request(method: .put, key: key.rawValue, verb: "writing")
      guard try await client.waits(request, afterAttempt: attempt, since: began) else {
        throw error
      }
    }
  }

  private static let scratch = Array("scratch of s3health".utf8)
}
