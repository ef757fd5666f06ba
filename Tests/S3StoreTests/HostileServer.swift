import Foundation
import HTTPClient
import Logging
import ObjectStore
import SigV4
import Synchronization
import TestSupport

@testable import S3Store

/// Tests/Peers/s3_hostile.py, started once for the whole run; it ends with this process.
struct HostileServer: Sendable {
  struct Ports: Codable {
    let hostile: Int
    let https: Int
    let proxy: Int
    let ca: String
  }

  #if PHONE  // Foundation on Linux trusts only the system's authorities.
    static let schemes = [S3Endpoint.Scheme.http]
  #else
    static let schemes = [S3Endpoint.Scheme.http, .https]
  #endif

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What the server saw of a request.
  struct Entry: Codable {
    let method: String
    let path: String
    let time: Double
    let headers: [String: String]
  }

  private static let started = Result { try start() }

  /// Behind this port what conditional headers a request has are stripped, on the way to the first
  /// server of the run that checks signatures.
  static func proxyPort() throws -> Int { try started.get().proxy }

  let mode: String
  let id = UUID().uuidString
  let endpoint: S3Endpoint

  private let ports: Ports

  init(_ mode: String, over scheme: S3Endpoint.Scheme = .http) throws {
    self.mode = mode
    ports = try Self.started.get()
    endpoint = S3Endpoint(
      scheme: scheme, host: scheme == .http ? "127.0.0.1" : "localhost",
      port: scheme == .http ? ports.hostile : ports.https, basePath: "/\(mode)/\(id)")
  }

  /// A store on a server that behaves so, with a short deadline.
  func store(
    bucket: String = "bucket", credentials: (any CredentialsProvider)? = nil,
    deadline: Duration = .seconds(20), logger: Logger = Logger(label: "s3health.s3"),
    cacheFolder: URL? = nil, localClockShift: Int = 0,
    clock: LocalClock? = nil,
    pace: RetryPace? = nil,
    _ change: (inout S3Configuration) -> Void = { _ in }
  ) -> S3Store {
    let caBundle = endpoint.scheme == .https ? ports.ca : nil
    var configuration = S3Configuration(bucket: bucket, endpoint: endpoint, caBundle: caBundle)
    change(&configuration)
    var options = S3Store.Options(logger: logger)
    options.deadline = deadline
    options.pace.sleep = { _ in try Task.checkCancellation() }
    if let pace { options.pace = pace }
    options.cacheFolder = cacheFolder
    options.localNow = {
      clock?.seconds ?? Int(Date().timeIntervalSince1970) + localClockShift
    }
    return S3Store(
      configuration,
      credentials: credentials
        ?? StaticCredentials(
          SigningCredentials(accessKeyID: "AKIATEST", secretAccessKey: "not-a-secret")),
      transport: SharedTransport.trusting(caBundle), options: options)
  }

  /// All requests so far.
  func log() async throws -> [Entry] {
    try JSONDecoder().decode([Entry].self, from: Data(try await ask("log")))
  }

  /// Lets the server begin, or end, what its mode says that this does.
  func settle() async throws { _ = try await ask("settle") }

  private func ask(_ question: String) async throws -> [UInt8] {
    let url = "http://127.0.0.1:\(ports.hostile)/\(question)/\(id)"
    return try await SharedTransport.plain.send(HTTPRequest(.get, url)).body
  }

  /// The server that the proxy stands before, if there is one that it can: one that notices.
  static let upstreams = Array(
    TestServer.all.filter { $0.checksSignatures && $0.endpoint.hasPrefix("http:") }.prefix(1))

  private static func start() throws -> Ports {
    try PeerServer.start(
      "s3_hostile.py",
      arguments: upstreams.map { String($0.endpoint.dropFirst("http://".count)) },
      saying: Ports.self)
  }
}

/// A clock that a test moves.
final class LocalClock: Sendable {
  private let shift = Mutex(0)
  var seconds: Int { Int(Date().timeIntervalSince1970) + shift.withLock { $0 } }
  func advance(_ seconds: Int) { shift.withLock { $0 += seconds } }
}

/// The error that an operation must throw.
func storeError(_ work: () async throws -> some Any) async throws -> StoreError {
  do {
    let value = try await work()
    throw HostileServer.Failure(description: "no error but \(value)")
  } catch let error as StoreError {
    return error
  }
}
