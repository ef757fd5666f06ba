import HTTPClient
package import ObjectStore

/// What anyone may do in a bucket without a key.
package enum PublicAccess: String, CaseIterable, Sendable {
  case list
  case read
  case write
}

extension S3Store {
  /// Finds out what the bucket allows without a signature.
  ///
  /// A request that fails for any reason counts as refused.
  ///
  /// - Parameters:
  ///   - prefix: the prefix that is listed.
  ///   - object: the key of an existing object; nil if none is known.
  package func publicAccess(
    below prefix: String, _ object: String?
  ) async -> [PublicAccess] {
    var listing = S3Request(method: .get, verb: "listing")
    listing.query = [("list-type", "2"), ("max-keys", "1"), ("prefix", prefix)]
    var allowed: [PublicAccess] = []
    if await client.isAllowed(toAnyone: listing) { allowed.append(.list) }
    if let object {
      let reading = S3Request(method: .get, key: object, verb: "reading")
      if await client.isAllowed(toAnyone: reading) { allowed.append(.read) }
    }
    let key = ProbeRun.newFolder(below: options.probePrefix) + "/public"
    let writing = S3Request.write(
      key, Array("s3health".utf8), condition: ("if-none-match", "*"), encryption: .none)
    if await client.isAllowed(toAnyone: writing) { allowed.append(.write) }
    // This also runs after an unclear answer, because the write may have been applied.
    try? await client.delete(key, policy: ProbeRun.removal)
    return allowed
  }
}

extension S3Store {
  /// Whether the server says that there is no such bucket.
  package var isMissing: Bool {
    get async {
      do throws(StoreError) {
        _ = try await list(ListRequest(prefix: options.probePrefix, limit: 1))
        return false
      } catch {
        return error.code == .storeMissing
      }
    }
  }

  /// Makes the bucket, in the region of the configuration.
  package func createBucket() async throws(StoreError) {
    let region = configuration.region
    // The one region that must not be named.
    let body =
      region == S3Configuration.defaultRegion
      ? ""
      : "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        + "<LocationConstraint>\(region)</LocationConstraint></CreateBucketConfiguration>"
    let request = S3Request(
      method: .put, body: Array(body.utf8), kind: .once, verb: "making the bucket")
    let answer = try await client.perform(request)
    switch answer.result {
    case .success: return
    case .refused(let failure): throw answer.context.error(failure)
    case .broken(let error): throw answer.context.error(error)
    }
  }
}
