import HTTPClient
import ObjectStore

/// What anybody may do in a bucket, without a key.
package enum PublicAccess: String, CaseIterable, Sendable {
  case list
  case read
  case write
}

extension S3Store {
  /// Asks the bucket without a signature what it gives and takes.
  ///
  /// A request that fails in any way counts as refused.
  ///
  /// - Parameters:
  ///   - prefix: where to list.
  ///   - object: the key of an object that exists; nil if none is known.
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
    let random = UInt64.random(in: 0 ... .max)
    let key = "\(options.probePrefix)/\(String(random, radix: 16, uppercase: true))/public"
    let writing = S3Request.write(
      key, Array("s3health".utf8), condition: ("if-none-match", "*"), encryption: .none)
    if await client.isAllowed(toAnyone: writing) { allowed.append(.write) }
    // Also after an unclear answer: the write may have been applied.
    try? await client.delete(key, policy: RetryPolicy(maximumAttempts: 2, deadline: .seconds(10)))
    return allowed
  }
}
