import ObjectStore
import SigV4
import TestSupport
import Testing

@testable import S3Store

/// The probe's race against a store that checks, waits and then stores (Tests/Peers/racy_manners.py).
@Suite(.serialized, .tags(.process)) struct ProbeOnRacyStoresTests {
  struct Peer: Codable {
    let http: Int
    let https: Int
    let ca: String
    let accessKey: String
    let secretKey: String

    static let started = Result {
      try PeerServer.start("racy_manners.py", saying: Peer.self)
    }
  }

  #if PHONE  // Foundation on Linux trusts only the system's authorities.
    private static let schemes = [S3Endpoint.Scheme.http]
  #else
    private static let schemes = [S3Endpoint.Scheme.http, .https]
  #endif

  private func store(_ scheme: S3Endpoint.Scheme, _ bucket: String) throws -> S3Store {
    let peer = try Peer.started.get()
    let configuration = S3Configuration(
      bucket: bucket,
      endpoint: S3Endpoint(
        scheme: scheme, host: "localhost", port: scheme == .http ? peer.http : peer.https),
      caBundle: peer.ca)
    let keys = SigningCredentials(accessKeyID: peer.accessKey, secretAccessKey: peer.secretKey)
    return S3Store(
      configuration, credentials: StaticCredentials(keys),
      transport: SharedTransport.trusting(peer.ca))
  }

  /// Over https, writers that are only started together do not meet: the first is answered while the
  /// others negotiate TLS.
  @Test(
    arguments: schemes, [50, 200, 1000, 3000, 10000])
  func `R28: a gap of so many microseconds between check and write is never believed, 20 times`(
    scheme: S3Endpoint.Scheme, gap: Int
  ) async throws {
    for _ in 0..<4 {
      let store = try store(scheme, "gap-\(gap)")
      #expect(try await store.conditionalWrites() == .unsafe)
      #expect(store.knownVerdict == .racy)
    }
  }

  #if !PHONE  // URLSession lets whole requests go, so that on loopback not all of them meet.
    @Test(arguments: schemes)
    func `R28: an atomic store is believed, and all writers of each race met`(
      scheme: S3Endpoint.Scheme
    ) async throws {
      let report = try await store(scheme, "atomic").probe(racing: true)
      #expect(report.verdict == .compareAndSwap(.quoted), "\(report.steps)")
      let races = report.steps.filter { $0.name.contains("at once") }
      #expect(races.count == 10)
      #expect(races.allSatisfy { $0.seen.contains("16 met") }, "\(races)")
    }
  #endif
}
