import HealthModel
import ObjectStore
import TestSupport
import Testing

@testable import FaultProxy
@testable import HealthLedger
@testable import S3Store

/// Writes that reach the server long after their client has moved on.
@Suite(.server) struct ZombieWriteTests {
  @Test(arguments: TestServer.one, [false, true])
  func `a pointer write that arrives after a greater revision's changes nothing (R25)`(
    server: TestServer, overPointer: Bool
  ) async throws {
    let rule = ProxyPlan.Rule(.hold, on: .put, suffix: "/latest.json")
    try await FaultProxy.during(try server.proxy(ProxyPlan(rules: [rule]))) { proxy in
      let bench = try await LedgerBehindProxy(server, proxy, isPatient: false)
      if overPointer { _ = try await bench.direct.publish(try bench.draft(steps: 1)) }
      // The client gives up on the held write, and publishes by another one.
      let first = try await bench.proxied.publish(try bench.draft(steps: 2))
      #expect(first.word == "published")
      #expect(proxy.holding == 1)
      let second = try await bench.direct.publish(try bench.draft(steps: 3)).revisionID
      #expect(second > first.revisionID)
      proxy.release()
      await proxy.settle()
      let zombie = try #require(proxy.events.first { $0.fault == .hold })
      #expect(zombie.server == ["412"])
      #expect(zombie.applied == .no)
      #expect(try await bench.pointer() == second)
      #expect(try await bench.direct.resolve(bench.date).latest?.id == second)
    }
  }

  @Test(arguments: TestServer.one)
  func `a publish whose pointer write is overtaken is superseded (R25, R27)`(
    server: TestServer
  ) async throws {
    let rule = ProxyPlan.Rule(.hold, on: .put, suffix: "/latest.json")
    try await FaultProxy.during(try server.proxy(ProxyPlan(rules: [rule]))) { proxy in
      let bench = try await LedgerBehindProxy(server, proxy, isPatient: true)
      async let overtaken = bench.proxied.publish(try bench.draft(steps: 1))
      while proxy.holding == 0 { try await Task.sleep(for: .milliseconds(5)) }
      let greater = try await bench.direct.publish(try bench.draft(steps: 2)).revisionID
      proxy.release()
      let outcome = try await overtaken
      #expect(outcome == .superseded(outcome.revisionID, by: greater))
      #expect(outcome.revisionID < greater)
      #expect(try await bench.pointer() == greater)
    }
  }
}
