import Foundation
import TestSupport
import Testing

/// The hub pushes what it publishes to the gateways that its settings name (R57).
@Suite(.process, .prometheus) struct HubPushTests {
  private func body(_ steps: Int, at now: Date) -> String {
    func sample(_ type: String, _ value: String, _ unit: String, _ source: String) -> String {
      """
      {"sample_type":"HKQuantityTypeIdentifier\(type)","value":\(value),"unit":"\(unit)",\
      "timestamp":"\(now.formatted(.iso8601))","source":"\(source)"}
      """
    }
    return HubTrial.body(
      of: [
        sample("StepCount", "\(steps)", "count", "iPhone"),
        sample("BodyMass", "70.\(steps)", "kg", "Scale"),
      ], session: "\(steps)")
  }

  @Test func `R57: the hub's days are pushed at once, though one gateway hangs`() async throws {
    let servers = try PrometheusServers.shared()
    let silent = try BadGateway()
    let name = "hub \(UUID())"
    let trial = try await HubTrial(environment: [
      "S3HEALTH_GATEWAY": "\(servers.gateway) \(silent.url("slow"))",
      "S3HEALTH_PUSH_INSTANCE": name,
    ])
    for (steps, total) in [(1, 1), (20, 21)] {
      let answer = try await trial.ask(
        "/api/ingest", token: trial.token, body: body(steps, at: Date() - Double(steps * 10)))
      #expect(answer.status == 200)
      let line = #"healthkit_steps_total{source="all",unit="count"} \#(total)"#
      #expect(try await until { try await servers.pushed(instance: name).contains(line) })
    }
    let own = try await servers.pushed(instance: name)
    // The labels and the newest weight are of the samples that the hub has.
    #expect(own.contains(#"healthkit_steps_total{source="iPhone",unit="count"} 21"#))
    #expect(own.contains(#"healthkit_body_weight_kg{source="Scale"} 70.1"#))
  }

  @Test func `R57: settings of pushes that can't be used are said; phones go on`() async throws {
    let trial = try await HubTrial(environment: ["S3HEALTH_GATEWAY": "http://gateway.example"])
    #expect(trial.hub.log.contains("nothing is pushed to Prometheus"))
    let answer = try await trial.ask("/api/ingest", token: trial.token, body: body(1, at: Date()))
    #expect(answer.status == 200)
  }
}
