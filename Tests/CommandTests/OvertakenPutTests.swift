import FaultProxy
import Foundation
import HealthModel
import TestSupport
import Testing

/// Two processes, the slower of which has its pointer write held back on the way to a real server.
@Suite(.server) struct OvertakenPutTests {
  @Test(arguments: TestServer.all)
  func `an overtaken put says superseded (R25, R27)`(server: TestServer) async throws {
    try await holding(which: [1], on: server) { proxy in try await overtake(server, proxy) }
  }

  /// Runs a body beside a proxy that holds pointer writes back.
  func holding(
    which: Set<Int>?, on server: TestServer, _ body: (FaultProxy) async throws -> Void
  ) async throws {
    let rule = ProxyPlan.Rule(.hold, on: .put, suffix: "/latest.json", which: which)
    let proxy = try FaultProxy(
      to: server.endpoint, caBundle: server.caBundle, plan: ProxyPlan(rules: [rule]))
    do {
      try await body(proxy)
      await proxy.stop(.settling)
    } catch {
      await proxy.stop(.cancelling)
      throw error
    }
  }

  private func overtake(_ server: TestServer, _ proxy: FaultProxy) async throws {
    let program = try Program().on(server)
    let store = server.arguments()
    let slow = Task {
      try await program.run(
        ["put", "--input", "-", "--endpoint-url", proxy.endpoint] + store,
        input: payload(steps: 1000))
    }
    while proxy.holding == 0 {
      // Where the program has ended without that write, there is nothing to wait for.
      try #require(!slow.isCancelled && proxy.tally.totalRequests < 500)
      try await Task.sleep(for: .milliseconds(10))
    }
    let fast = try await program.succeeds(
      ["put", "--input", "-", "--output", "json"] + store, input: payload(steps: 2000)
    ).json()
    let result = try #require((fast["results"] as? [[String: Any]])?.first)
    #expect(result["outcome"] as? String == "published")
    let latest = try #require(result["revision_id"] as? String)
    proxy.release()

    let overtaken = try await slow.value
    #expect(overtaken.exitCode == 0, "\(overtaken.errors)")
    #expect(overtaken.output.contains("a newer revision is there already: \(latest)"))
    #expect(proxy.events.first { $0.fault == .hold }?.server == ["412"])
    try await program.succeeds(["get", "2026-02-08"] + store, printing: "2,000")
    let history = try await program.succeeds(["get", "--history", "2026-02-08"] + store)
    #expect(history.output.split(separator: "\n").count == 2)
  }
}
