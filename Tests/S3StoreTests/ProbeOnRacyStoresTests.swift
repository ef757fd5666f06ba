import ObjectStore
import TestSupport
import Testing

@testable import S3Store

/// The probe's race against a store that checks, waits and then stores.
@Suite(.serialized, .process) struct ProbeOnRacyStoresTests {
  /// Over https, writers that are only started together do not meet: the first is answered while the
  /// others negotiate TLS.
  @Test(
    arguments: HostileServer.schemes, [50, 200, 1000, 3000, 10000])
  func `R28: a gap of so many microseconds between check and write is never believed, 20 times`(
    scheme: S3Endpoint.Scheme, gap: Int
  ) async throws {
    for _ in 0..<4 {
      let store = try HostileServer("gap", over: scheme).store(bucket: "gap-\(gap)")
      #expect(try await store.conditionalWrites() == .unsafe)
      #expect(store.knownVerdict == .racy)
    }
  }

  #if !PHONE  // URLSession lets whole requests go, so that on loopback not all of them meet.
    @Test(arguments: HostileServer.schemes)
    func `R28: an atomic store is believed, and all writers of each race met`(
      scheme: S3Endpoint.Scheme
    ) async throws {
      let report = try await HostileServer("honest", over: scheme).store().probe(racing: true)
      #expect(report.verdict == .compareAndSwap(.quoted), "\(report.steps)")
      let races = report.steps.filter { $0.name.contains("at once") }
      #expect(races.count == 10)
      #expect(races.allSatisfy { $0.seen.contains("16 met") }, "\(races)")
    }
  #endif
}
