import Digests
package import Foundation
package import HTTPTransport
package import Logging
package import ObjectStore
import Synchronization

/// A bucket on any S3-compatible server.
///
/// Reads, listings and deletes are repeated with full jitter until a deadline. A write is sent at
/// most once unless the server has said that nothing was applied; what may have been applied comes
/// back as `.unknown`. Keys are those of the bucket: the configuration's prefix is the caller's.
package final class S3Store: ObjectStore {
  /// What a store does beyond its configuration.
  package struct Options: Sendable {
    /// Bound on one operation, repeats and waits included.
    package var deadline: Duration = .seconds(60)
    /// Where verdicts of the probe are kept between runs; nil to keep none.
    package var cacheFolder: URL?
    /// Begins the probe's scratch keys, without a slash at its end.
    package var probePrefix = "health/v0/.probe"
    /// Taken for the bucket's verdict instead of a probe; for the race, whose processes share one.
    package var assumedVerdict: ProbeVerdict?
    package var logger: Logger
    /// This machine's clock, in seconds since 1970.
    package var localNow: @Sendable () -> Int = { Int(Date().timeIntervalSince1970.rounded(.down)) }

    package init(logger: Logger = Logger(label: "s3health.s3")) { self.logger = logger }
  }

  package let configuration: S3Configuration
  let client: S3Client
  let options: Options
  let known = Mutex(KnownVerdict())

  package init(
    _ configuration: S3Configuration, credentials: any CredentialsProvider,
    transport: HTTPTransport, options: Options = Options()
  ) {
    self.configuration = configuration
    self.options = options
    client = S3Client(
      configuration, credentials: credentials, transport: transport,
      policy: RetryPolicy(
        maximumAttempts: configuration.maximumAttempts, deadline: options.deadline),
      logger: options.logger, localNow: options.localNow)
  }

  package func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    try await client.read(key.rawValue, limit: limit)
  }

  /// `If-Match` is sent only where the probe has found that the store honours it: elsewhere it
  /// would be a blind write, and is refused with `unsupported`.
  package func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    let condition: (name: String, value: String)
    switch precondition {
    case .absent: condition = ("if-none-match", "*")
    case .matches(let etag): condition = ("if-match", try await provenSpelling(key).spell(etag))
    }
    let answer = try await client.perform(
      .write(
        key.rawValue, body, condition: condition, encryption: configuration.serverSideEncryption))
    let outcome = try answer.putOutcome
    if case .stored = outcome { observeVersioning(answer.isVersioned) }
    return outcome
  }

  package func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    try await client.list(request)
  }

  package func delete(_ key: ObjectKey) async throws(StoreError) {
    try await client.delete(key.rawValue)
  }

  /// The proxy through which the bucket is reached; nil where none is.
  package var proxy: HTTPProxy? { client.location.proxy }

  /// By the store's `Date` headers; nil before the first answer.
  package func clockOffset() async -> Int? { client.clock.offset }

  /// The MD5 that a plain write gets as its etag; not where a KMS key encrypts.
  ///
  /// An etag that is equal proves equal bytes; one that differs proves nothing, for buckets can
  /// encrypt of their own accord.
  package func predictedETag(of body: [UInt8]) -> ETag? {
    if case .kms = configuration.serverSideEncryption { return nil }
    return ETag("\"\(MD5.hex(body))\"")
  }

  private func provenSpelling(_ key: ObjectKey) async throws(StoreError) -> ETagSpelling {
    let verdict = try await verdict()
    guard case .compareAndSwap(let spelling) = verdict else {
      throw StoreError(
        .unsupported, "the store's If-Match can't be relied on (\(verdict))", key: key.rawValue,
        remedy: verdict.remedy)
    }
    return spelling
  }
}
