public import Foundation
public import ObjectStore
public import S3Store
public import Secrets
import URLSessionTransport

extension S3Store {
  /// The names under which an app keeps a bucket's keys in its `SecretStore`.
  public enum KeyName {
    /// The access key's id.
    public static let accessKeyID = "s3.access_key_id"
    /// The secret access key.
    public static let secretAccessKey = "s3.secret_access_key"
    /// The session token of temporary keys; absent where keys last.
    public static let sessionToken = "s3.session_token"
  }

  /// A bucket over `URLSession`, with keys that are read from the app's secrets for each request. So an
  /// app that renews temporary keys only keeps the new ones.
  ///
  /// Nothing is sent by this. The first write that needs one probes whether the bucket's conditional
  /// writes can be trusted, below `health/v0/.probe/`; the verdict is kept in `cacheFolder` for a day
  /// or more, so that each launch need not ask again.
  ///
  /// ```swift
  /// func openBucket(_ secrets: any SecretStore) async throws {
  ///   try secrets.keep(Secret("AKIAEXAMPLE"), named: S3Store.KeyName.accessKeyID)
  ///   try secrets.keep(Secret("a secret key"), named: S3Store.KeyName.secretAccessKey)
  ///   let store = try S3Store(
  ///     bucket: "health", endpoint: "https://minio.example:9000", secrets: secrets)
  ///   guard let key = ObjectKey("health/v0/manifest.json") else { return }
  ///   let object = try await store.get(key, limit: 1 << 20)
  ///   print(object?.body.count ?? 0, "bytes")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - bucket: its name.
  ///   - endpoint: `https://host:port`; nil for AWS. Plain http is taken for this machine alone.
  ///   - region: the region that requests are signed for.
  ///   - secrets: where the keys are, under the names of `KeyName`.
  ///   - cacheFolder: where verdicts on buckets are kept, such as the app's caches; nil to keep none.
  ///   - deadline: of one operation, its retries included. A background run has 30 s in all.
  /// - Throws: `StoreError` `invalidRequest` where the name or the endpoint can't be used.
  public convenience init(
    bucket: String, endpoint: String? = nil, region: String = "us-east-1",
    secrets: any SecretStore, cacheFolder: URL? = nil, deadline: Duration = .seconds(20)
  ) throws(StoreError) {
    guard BucketName.isValid(bucket) else {
      throw StoreError(.invalidRequest, "this is not the name of a bucket")
    }
    var configuration = S3Configuration(bucket: bucket, region: region)
    if let endpoint {
      configuration.endpoint = try S3Endpoint(parsing: endpoint, origin: "endpoint")
    }
    if let given = configuration.endpoint, given.scheme == .http, !given.isLoopback {
      throw StoreError(
        .invalidRequest, "signatures and data would leave this device over plain http",
        remedy: "write https:// before the host")
    }
    var options = Options()
    options.cacheFolder = cacheFolder
    options.deadline = deadline
    self.init(
      configuration, credentials: KeptKeys(secrets), transport: URLSessionTransport(),
      options: options)
  }
}
