package import Foundation
package import HTTPTransport
package import Logging
import ObjectStore
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
    package var probePrefix = ".s3health-probe"
    package var logger: Logger
    /// This machine's clock, in seconds since 1970.
    package var localNow: @Sendable () -> Int = { Int(Date().timeIntervalSince1970.rounded(.down)) }

    package init(logger: Logger = Logger(label: "s3health.s3")) { self.logger = logger }
  }

  package let configuration: S3Configuration
  let client: S3Client
  let options: Options

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

  package func clockOffset() async -> Int? { client.clock.offset }
}
