import Foundation
import Subprocess

/// A real S3 server that `scripts/test` has started, with a bucket made for this run.
package struct TestServer: Codable, Sendable, CustomStringConvertible {
  /// Short name, such as `rgw-http`.
  package let name: String
  /// Product and version, such as `Ceph RADOS gateway 16.2.15`.
  package let product: String
  package let endpoint: String
  package let region: String
  package let accessKey: String
  package let secretKey: String
  /// PEM file to trust, for a server with a certificate of its own.
  package let caBundle: String?
  /// An unversioned bucket, and one with versioning on (empty where the server keeps no versions).
  package let bucket: String
  package let versionedBucket: String
  package let conditions: Conditions
  /// False where the server checks no signatures (moto).
  package let checksSignatures: Bool
  /// Status and code of the refusal of a request that lacks a header which was signed.
  package let strippedRefusal: String
  /// False where the owner of the keys is above every bucket policy (MinIO's root user).
  package let bindsOwner: Bool
  /// True where AssumeRole makes credentials that a policy of their own binds.
  package let bindsSessions: Bool
  /// False where a listing cannot be read page by page (pys3local names no continuation token).
  package let pagesListings: Bool
  /// True where a key is a path of folders (SeaweedFS): a listing goes folder by folder instead of in the
  /// order of the keys, and a key cannot have the name of a folder.
  package let hasFolders: Bool
  /// False where no policy lets anyone write without a key (SeaweedFS).
  package let letsAnyoneWrite: Bool

  /// The conditional writes that the server honours, as its script in minio-test/servers says.
  package enum Conditions: String, Codable, Sendable {
    /// `If-None-Match` and `If-Match`.
    case full
    /// `If-None-Match` alone.
    case create
    case none
  }

  package var speaksTLS: Bool { endpoint.hasPrefix("https://") }

  package var description: String { "\(name) (\(product))" }

  /// The servers whose conditional writes work; over http alone in a usual run, where `overTLS` is for what
  /// depends on the transport.
  package static let all = capable.filter { TestDepth.now == .all || !$0.speaksTLS }
  package static let overTLS = capable.filter(\.speaksTLS)

  private static let capable = every.filter { $0.conditions == .full }

  /// Those that honour `If-None-Match` alone, or no condition. Only `scripts/test all` starts some, so
  /// a test of theirs runs on `every` server, and knows what each can.
  package static let weaker = every.filter { $0.conditions != .full }

  /// For what does not depend on the server: the first of http, and each one in `scripts/test all`.
  package static let one =
    TestDepth.full(all, usual: Array(all.prefix(1)))

  /// The servers in the JSON file that S3HEALTH_TEST_SERVERS names; empty where it is not set, which
  /// a test of its own reports as a failure.
  package static let every: [TestServer] = {
    guard let path = ProcessInfo.processInfo.environment["S3HEALTH_TEST_SERVERS"],
      let data = FileManager.default.contents(atPath: path),
      let servers = try? JSONDecoder().decode([TestServer].self, from: data)
    else { return [] }
    return servers
  }()

  /// The HTTP status that an unsigned `GET /` of the server comes back with, by the `curl` program.
  ///
  /// Throws if nothing answers within ten seconds or its certificate is not the expected one.
  package func unsignedStatus() async throws -> Int? {
    var arguments = ["--silent", "--show-error", "--max-time", "10", "--output", "/dev/null"]
    arguments += ["--write-out", "%{http_code}"]
    if let caBundle { arguments += ["--cacert", caBundle] }
    let result = try await Subprocess.run(
      .name("curl"), arguments: .init(arguments + [endpoint + "/"]),
      output: .string(limit: 64), error: .string(limit: 4096))
    guard result.terminationStatus.isSuccess else {
      throw PeerPython.Failure(description: "\(self) at \(endpoint): \(result.standardError)")
    }
    return Int(result.standardOutput)
  }

  /// What a Python peer must know to use a bucket of the server.
  package func question(bucket: String? = nil, _ more: [String: Any] = [:]) -> [String: Any] {
    [
      "endpoint": endpoint, "region": region, "access_key": accessKey, "secret_key": secretKey,
      "ca_bundle": caBundle.map { $0 as Any } ?? NSNull(), "bucket": bucket ?? self.bucket,
    ].merging(more) { _, new in new }
  }
}
