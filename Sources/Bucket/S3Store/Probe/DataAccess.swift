package import ObjectStore

/// What a diagnosis tries besides the probe.
extension S3Store {
  /// Finds out whether an object may be written below a prefix, and leaves none there. For credentials
  /// that may not write where the probe does.
  ///
  /// It replaces an object that is not there, which a store with conditions refuses.
  /// - Throws: why it may not.
  package func checkWriting(below prefix: String) async throws(StoreError) {
    let name = ".check-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    guard let key = ObjectKey(prefix + name) else {
      throw StoreError(.internal, "the scratch key is not valid", key: prefix + name)
    }
    let body = Array("check of \(key.rawValue)".utf8)
    let never = ETag("\"0123456789abcdef0123456789abcdef\"")
    var answer = try await write(key, body, condition: ("if-match", never.rawValue))
    if answer.isNotTaken { answer = try await write(key, body, condition: nil) }
    switch try answer.putOutcome {
    case .preconditionFailed: break
    case .stored: try await delete(key)
    case .unknown(let error): throw error
    }
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
    for key in keys { try await createForPages(key) }
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
  private func createForPages(_ key: ObjectKey) async throws(StoreError) {
    let (body, began) = (Array("pages".utf8), ContinuousClock.now)
    for attempt in 1...client.policy.maximumAttempts {
      guard case .unknown(let error) = try await put(key, body, if: .absent) else { return }
      if try await client.read(key.rawValue, limit: 4096, closing: true) != nil { return }
      let request = S3Request(method: .put, key: key.rawValue, verb: "writing")
      guard try await client.waits(request, afterAttempt: attempt, since: began) else {
        throw error
      }
    }
  }
}
