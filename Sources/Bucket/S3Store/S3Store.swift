import Digests
package import Foundation
package import HTTPClient
package import Logging
public import ObjectStore
import Synchronization

/// A bucket on any S3-compatible server.
///
/// Reads, listings and deletes are retried with full jitter until a deadline. A write is sent at
/// most once, unless the server has said that it applied nothing. If it may have been applied, the
/// result is `.unknown`. Keys are those of the bucket.
///
/// Whatever takes an `ObjectStore` takes a bucket: a ledger of days, or the streams of raw data. An app
/// opens one with its keys in a `SecretStore` (in the module `S3Session`).
public final class S3Store: ObjectStore {
  /// Options of a store in addition to its configuration.
  package struct Options: Sendable {
    /// Time limit of one operation, including retries and waits.
    package var deadline: Duration = .seconds(60)
    /// Where the probe's verdicts are kept between runs; nil to keep none.
    package var cacheFolder: URL?
    /// The prefix of the probe's scratch keys, without a final slash.
    package var probePrefix = "health/v0/.probe"
    /// Used as the bucket's verdict instead of a probe. For the race, whose processes share one
    /// verdict.
    package var assumedVerdict: ProbeVerdict?
    package var logger: Logger
    /// How the store waits before it sends a request again.
    package var pace = RetryPace()
    /// This machine's clock, in seconds since 1970.
    package var localNow: @Sendable () -> Int = { Int(Date().timeIntervalSince1970.rounded(.down)) }

    package init(logger: Logger = Logger(label: "s3health.s3")) { self.logger = logger }
  }

  package let configuration: S3Configuration
  let client: S3Client
  let options: Options
  let known = Mutex(KnownVerdict())
  private let own = Mutex(OwnWrites())

  package init(
    _ configuration: S3Configuration, credentials: any CredentialsProvider,
    transport: any HTTPTransport, options: Options = Options()
  ) {
    self.configuration = configuration
    self.options = options
    var pace = options.pace
    if let folder = options.cacheFolder {
      let (endpoint, bucket) = (configuration.effectiveEndpoint.description, configuration.bucket)
      pace.hasAnsweredBefore = {
        VerdictCache(folder: folder).hasAny(endpoint: endpoint, bucket: bucket)
      }
    }
    client = S3Client(
      configuration, credentials: credentials, transport: transport,
      policy: RetryPolicy(
        maximumAttempts: configuration.maximumAttempts, deadline: options.deadline),
      logger: options.logger, pace: pace, localNow: options.localNow)
  }

  /// Reads a whole object; nil if there is none.
  ///
  /// - Throws: `StoreError` `tooLarge` above `limit` bytes, `notAuthorized`, `unavailable` once the
  ///   store's deadline (60 s) has passed, `unreadable` with what came, if the store's checksum says
  ///   that it is not what was stored.
  public func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    let found = try await client.read(key.rawValue, limit: limit, checksum: keepsChecksums)
    if found != nil { return found }
    guard let created = own.withLock({ $0.object(key.rawValue, at: .now) }) else { return nil }
    guard created.body.count <= limit else {
      throw StoreError(
        .tooLarge, "reading stopped: the object has more than \(limit) bytes", key: key.rawValue)
    }
    return created
  }

  /// Writes a whole object under a precondition. `.stored` means durable and visible to every reader,
  /// unless the probe has found that reads lag.
  ///
  /// `If-Match` is sent only if the probe has found that the store honours it. Otherwise the write
  /// would be blind, so it is refused with `unsupported`.
  public func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    switch precondition {
    case .absent:
      let outcome = try await create(key, body)
      if case .stored(let etag) = outcome, knownVerdict == .lags {
        own.withLock { $0.add(key.rawValue, body, etag, at: .now) }
      }
      return outcome
    case .matches(let etag):
      let tag = try await requireIfMatch(key).header(for: etag)
      return try outcome(try await write(key, body, condition: ("if-match", tag)))
    }
  }

  func write(
    _ key: ObjectKey, _ body: [UInt8], condition: (name: String, value: String)?
  ) async throws(StoreError) -> S3Answer {
    let checksum = keepsChecksums
    func request(checksum: Bool) -> S3Request {
      .write(
        key.rawValue, body, condition: condition,
        encryption: configuration.serverSideEncryption, checksum: checksum)
    }
    let answer = try await client.perform(request(checksum: checksum))
    // The server is another one than it was when it was probed.
    guard checksum, answer.isMisunderstood else { return answer }
    return try await client.perform(request(checksum: false))
  }

  func outcome(_ answer: S3Answer) throws(StoreError) -> PutOutcome {
    let outcome = try answer.putOutcome
    if case .stored = outcome { observeVersioning(answer.isVersioned) }
    return outcome
  }

  /// One page of the keys that begin with a prefix, in UTF-8 byte order; at most 1,000.
  public func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    let page = try await client.list(request)
    let own = own.withLock { $0 }
    guard !own.isEmpty else { return page }
    let place = request.continuation.flatMap(ListPlace.init)
    return own.completing(page, of: request, after: place?.lastKey, at: .now)
  }

  /// Removes an object. Of a versioned bucket, older versions stay.
  public func delete(_ key: ObjectKey) async throws(StoreError) {
    try await client.delete(key.rawValue)
    own.withLock { $0.remove(key.rawValue) }
  }

  /// The proxy through which the bucket is reached; nil if there is none.
  package var proxy: HTTPProxy? { client.proxy }

  /// How many seconds the store's clock is ahead of this machine's. Taken from the store's `Date`
  /// headers; nil before the first answer.
  public func clockOffset() async -> Int? { client.clock.offset }

  /// The MD5 that a plain write gets as its etag. Nil if a KMS key encrypts.
  ///
  /// An equal etag proves equal bytes. A different one proves nothing, because a bucket can encrypt
  /// by default.
  public func predictedETag(of body: [UInt8]) -> ETag? {
    if case .kms = configuration.serverSideEncryption { return nil }
    return ETag("\"\(MD5.hex(body))\"")
  }

  private func requireIfMatch(_ key: ObjectKey) async throws(StoreError) -> ETagSpelling {
    let verdict = try await verdict()
    notePromise(verdict)
    guard case .compareAndSwap(let spelling) = verdict else {
      throw StoreError(
        .unsupported, "the store's If-Match can't be relied on (\(verdict))", key: key.rawValue,
        remedy: verdict.remedy)
    }
    return spelling
  }
}
