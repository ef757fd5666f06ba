import CurlTransport
import Foundation
import HTTPClient
import ObjectStore
import SigV4
import TestSupport
import Testing

@testable import FaultProxy
@testable import S3Store

extension TestServer {
  /// A proxy in front of this server.
  func proxy(
    _ plan: ProxyPlan = .none, limits: ProxyLimits = ProxyLimits()
  ) throws -> FaultProxy {
    try FaultProxy(to: endpoint, caBundle: caBundle, plan: plan, limits: limits)
  }

  /// A store on this server's bucket: directly, or through a proxy.
  ///
  /// Each has connections of its own, as each program has.
  func store(
    through proxy: FaultProxy? = nil, timeout: Duration = .seconds(30), attempts: Int = 5
  ) throws -> S3Store {
    let address = try #require(URLComponents(string: proxy?.endpoint ?? endpoint))
    let configuration = S3Configuration(
      bucket: bucket,
      endpoint: S3Endpoint(
        scheme: address.scheme == "https" ? .https : .http, host: try #require(address.host),
        port: address.port, basePath: address.path),
      region: region, caBundle: proxy == nil ? caBundle : nil, requestTimeout: timeout,
      maximumAttempts: attempts)
    var http = CurlTransport.Configuration()
    http.caBundle = configuration.caBundle
    var options = S3Store.Options()
    options.cacheFolder = VerdictFolder.path
    return S3Store(
      configuration,
      credentials: StaticCredentials(
        SigningCredentials(accessKeyID: accessKey, secretAccessKey: secretKey)),
      transport: CurlTransport(http), options: options)
  }

  /// A store through a proxy whose requests time out soon, which is what some faults wait for; its
  /// probe is done, with patience.
  func impatientStore(through proxy: FaultProxy) async throws -> S3Store {
    #expect(try await store(through: proxy).conditionalWrites() == .compareAndSwap)
    let impatient = try store(through: proxy, timeout: .seconds(4), attempts: 10)
    #expect(try await impatient.conditionalWrites() == .compareAndSwap)
    return impatient
  }
}

/// Where verdicts of the probe are kept for this run, so that a second store asks nothing.
private enum VerdictFolder {
  static let path = FileManager.default.temporaryDirectory
    .appending(path: "s3health-faultproxy-\(UUID())")
}

extension FaultProxy {
  /// Runs `work` with a proxy that is stopped after it, however it ends.
  static func during<Value: Sendable>(
    _ proxy: FaultProxy, _ work: (FaultProxy) async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await work(proxy)
      await proxy.stop(.cancelling)
      return value
    } catch {
      await proxy.stop(.cancelling)
      throw error
    }
  }
}

/// A prefix that no other test uses.
func freshPrefix(_ name: String = #function) -> String {
  "faultproxy/\(name.prefix(24).filter(\.isLetter))-\(UInt32.random(in: 0 ... .max))"
}

func key(_ text: String) throws -> ObjectKey { try #require(ObjectKey(text)) }

/// A put's outcome without its details.
enum Told: String, Hashable {
  case stored, refused, unknown, notAuthorized, otherError

  init(_ work: () async throws -> PutOutcome) async {
    do {
      switch try await work() {
      case .stored: self = .stored
      case .preconditionFailed: self = .refused
      case .unknown: self = .unknown
      }
    } catch let error as StoreError {
      self = error.code == .notAuthorized ? .notAuthorized : .otherError
    } catch {
      self = .otherError
    }
  }
}
