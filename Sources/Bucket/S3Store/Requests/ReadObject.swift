import HTTPClient
import ObjectStore

extension S3Client {
  /// What came of a `GET`.
  enum Read {
    case object(StoredObject)
    case missing
    /// The object may be missing all the same: some servers deny what is not there to whoever may not list
    /// the whole bucket.
    case denied(StoreError)
  }

  /// `GET` of a whole object; nil if the server says that there is none, or denies a name that its listing
  /// does not show (R28).
  ///
  /// - Parameters:
  /// - checksum: whether to ask for the SHA-256 that the store keeps beside the object.
  /// - closing: whether the connection is not to be used again.
  func read(
    _ key: String, limit: Int, checksum: Bool = false, closing: Bool = false
  ) async throws(StoreError) -> StoredObject? {
    switch try await askFor(key, limit: limit, checksum: checksum, closing: closing) {
    case .object(let object): return object
    case .missing: return nil
    case .denied(let error):
      guard await isUnlisted(key, closing: closing) else { throw error }
      return nil
    }
  }

  /// Whether a listing can be made, and does not show the key.
  private func isUnlisted(_ key: String, closing: Bool) async -> Bool {
    guard let page = try? await list(ListRequest(prefix: key), closing: closing) else {
      return false
    }
    return page.next == nil && !page.entries.contains { $0.key == key }
  }

  /// `GET` of a whole object.
  ///
  /// A 200 without an etag is not an object: a captive portal or a web site answered.
  func askFor(
    _ key: String, limit: Int, checksum: Bool = false, closing: Bool = false
  ) async throws(StoreError) -> Read {
    // The text of an error may be longer than the object may be.
    var request = S3Request(
      method: .get, key: key, maximumResponseBytes: max(limit, 65_536), verb: "reading")
    request.closesConnection = closing
    if checksum { request.headers.append(("x-amz-checksum-mode", "ENABLED")) }
    var answer = try await perform(request)
    // The bytes were changed on the way, or where they are kept.
    if checksum, answer.isDamaged { answer = try await perform(request) }
    switch answer.result {
    case .success(let response):
      guard let etag = response.header("etag"), !etag.isEmpty else {
        throw answer.context.foreignAnswer(response)
      }
      guard response.body.count <= limit else {
        throw answer.context.error(
          HTTPError(.responseTooLarge, "", mayHaveBeenApplied: false), limit: limit)
      }
      let object = StoredObject(
        body: response.body, etag: ETag(etag),
        lastModified: response.header("last-modified").flatMap(ServerTime.http))
      guard checksum, answer.isDamaged else { return .object(object) }
      let message = "the store answers other bytes than its own checksum says"
      logger.warning("\(message)", metadata: ["key": "\(key)"])
      var error = StoreError(
        .unreadable, message, key: key,
        remedy: "restore the object from a backup, and look for damage in the store")
      error.damaged = object
      throw error
    case .refused(let failure):
      if failure.isMissingKey { return .missing }
      let error = answer.context.error(failure)
      guard failure.isDenial else { throw error }
      return .denied(error)
    case .broken(let error):
      throw answer.context.error(error, limit: limit)
    }
  }

  /// `DELETE`. An absent object is not an error.
  func delete(
    _ key: String, policy: RetryPolicy? = nil, closing: Bool = false
  ) async throws(StoreError) {
    var request = S3Request(method: .delete, key: key, verb: "deleting")
    request.closesConnection = closing
    let answer = try await perform(request, policy: policy)
    switch answer.result {
    case .success: return
    case .refused(let failure):
      if failure.isMissingKey { return }
      throw answer.context.error(failure)
    case .broken(let error): throw answer.context.error(error)
    }
  }
}

extension S3Answer {
  /// Whether the bytes of an answer do not match the checksum that came with them.
  ///
  /// That of an object that was uploaded in parts, as a copy by another program may be, ends in `-` and
  /// their number. It is the checksum of the parts' checksums, not of the whole object.
  fileprivate var isDamaged: Bool {
    guard case .success(let response) = result, let kept = response.header(S3Request.checksum),
      !kept.utf8.contains(UInt8(ascii: "-"))
    else { return false }
    return kept != S3Request.checksum(of: response.body)
  }
}

extension ErrorContext {
  /// A success that no S3 server sends.
  func foreignAnswer(_ response: HTTPResponse) -> StoreError {
    error(S3Failure(status: response.status, isFromS3: false))
  }
}
