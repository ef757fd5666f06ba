import Foundation
import HTTPClient
import Logging
import ObjectStore
import SigV4
import TestSupport
import Testing

@testable import S3Store

#if PHONE
  import URLSessionTransport
#else
  import CurlTransport
#endif

extension S3Endpoint {
  /// From an address such as `http://127.0.0.1:9000`.
  init(address: String) throws {
    let parts = try #require(URLComponents(string: address))
    let scheme = try #require(parts.scheme.flatMap(Scheme.init))
    self.init(
      scheme: scheme, host: try #require(parts.host), port: parts.port, basePath: parts.path)
  }
}

extension S3Configuration {
  init(_ server: TestServer, bucket: String? = nil) throws {
    self.init(
      bucket: bucket ?? server.bucket, endpoint: try S3Endpoint(address: server.endpoint),
      region: server.region, caBundle: server.caBundle)
  }
}

/// Transports are shared by all tests of a run, as a program shares one.
enum SharedTransport {
  static let plain = make(TransportConfiguration())

  static func trusting(_ caBundle: String?) -> any HTTPTransport {
    guard let caBundle else { return plain }
    var configuration = TransportConfiguration()
    configuration.caBundle = caBundle
    return make(configuration)
  }

  private static func make(_ configuration: TransportConfiguration) -> any HTTPTransport {
    #if PHONE
      URLSessionTransport(configuration)
    #else
      CurlTransport(configuration)
    #endif
  }
}

extension TestServer {
  var credentials: SigningCredentials {
    SigningCredentials(accessKeyID: accessKey, secretAccessKey: secretKey)
  }

  /// A store on this server's bucket, or on another one.
  func store(
    bucket: String? = nil, credentials: SigningCredentials? = nil,
    options: S3Store.Options = S3Store.Options(),
    _ change: (inout S3Configuration) -> Void = { _ in }
  ) throws -> S3Store {
    var configuration = try S3Configuration(self, bucket: bucket)
    change(&configuration)
    return S3Store(
      configuration, credentials: StaticCredentials(credentials ?? self.credentials),
      transport: SharedTransport.trusting(configuration.caBundle), options: options)
  }
}

/// A prefix that no other test uses.
func freshPrefix(_ name: String = #function) -> String {
  "s3store/\(name.prefix(24).filter(\.isLetter))-\(UInt32.random(in: 0 ... .max))"
}

func key(_ text: String) throws -> ObjectKey { try #require(ObjectKey(text)) }

extension PutOutcome {
  var etag: ETag? { if case .stored(let etag) = self { etag } else { nil } }
  var isRefused: Bool { if case .preconditionFailed = self { true } else { false } }
  var unknown: StoreError? { if case .unknown(let error) = self { error } else { nil } }
}
