import ObjectStore
import TestSupport
import Testing

@testable import FaultProxy
@testable import S3Store

/// A server or a proxy may close a connection under any request of the probe (R28).
@Suite struct ProbeThroughFaultsTests {
  /// Each write of the probe in turn, and two in a row, the second of which is the repeat.
  @Test(arguments: TestServer.all, [ProxyFault.drop, .lose, .reset])
  func `a connection that dies under a write of the probe does not keep it from its verdict`(
    server: TestServer, fault: ProxyFault
  ) async throws {
    let known = try await server.store().verdict()
    guard case .compareAndSwap = known else {
      Issue.record("\(server) has no compare-and-swap")
      return
    }
    for position in 1...10 {
      for length in 1...2 {
        let faults = (position..<position + length).map { ($0, fault) }
        let plan = ProxyPlan(positions: .init(uniqueKeysWithValues: faults))
        try await FaultProxy.during(try server.proxy(plan)) { proxy in
          let report = try await server.store(through: proxy).probe(racing: false)
          #expect(report.verdict == known, "at \(position): \(report.steps)")
          #expect(report.steps.allSatisfy { $0.outcome != .unclear || $0.name.contains("quoted") })
        }
      }
    }
  }
}
