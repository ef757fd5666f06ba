import Foundation
import HealthModel
import Secrets
import SyncClients
import TestSupport
import Testing

/// The clients of records and of a Pushgateway, with nothing but what an app can see of them.
@Suite(.process, .prometheus, .database) struct ClientsOnServersTests {
  private func day(_ date: String, _ readings: [DailyMetric: MetricReading]) throws -> DailyRevision
  {
    let date = try #require(CalendarDate(date))
    return DailyRevision(
      day: try ReportingDay(date: date, timeZoneName: "Europe/Berlin"),
      generatedAt: .init(secondsSince1970: Int(Date().timeIntervalSince1970)), collector: nil,
      readings: readings)
  }

  @Test func `R56: posted days are rows, and posted again they are the same rows`() async throws {
    let (program, store, database) = try await HubProgram.withTables()
    defer { program.removeHome() }
    let token = try await HubProgram.token("phone", program)
    let hub = try await HubProgram(program, store: store.path)
    try await IngestClient(hub.url, token: Secret(token)).verify()
    let client = try RecordClient(hub.url, token: Secret(token))
    let days = [
      // Steps have no row (R56).
      try day("2026-01-15", [.steps: .value(1234), .weight: .value(70.25)]),
      try day("2026-01-16", [.weight: .value(70.5)]),
    ]
    let first = try await client.post(days)
    #expect((first.received, first.inserted) == (2, 2), "\(first)")
    let again = try await client.post(days)
    #expect((again.received, again.inserted, again.updated) == (2, 0, 0), "\(again)")
    let night = JSONValue.object([
      "healthkit_uuid": .string("0D0A5C1E-0000-5000-8000-100000000001"),
      "start_time": .string("2026-01-15T01:00:00Z"), "end_time": .string("2026-01-15T02:00:00Z"),
      "source": .string("Watch"), "qty": .number(1), "value": .string("asleepDeep"),
    ])
    #expect(try await client.post([night], as: .sleep).inserted == 1)
    let rows = try await database.sql(
      "SELECT count(*) FROM ios_apple_health_metrics WHERE type LIKE 'Weight%'",
      "SELECT count(*) FROM ios_apple_health_sleep")
    #expect(rows == [[["2"]], [["1"]]])
    let error = await #expect(throws: ClientError.self) {
      try await RecordClient(hub.url, token: Secret("wrong"), attempts: 1).post(days)
    }
    #expect(error?.code == .unauthorized && error?.message.contains("wrong") == false)
    try await hub.end(by: SIGTERM)
  }

  @Test func `R57: a gateway has today's totals, and tomorrow not those of today`() async throws {
    let servers = try PrometheusServers.shared()
    let name = "phone \(UUID())"
    let file = NSTemporaryDirectory() + "push-\(UUID()).json"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let gateway = try GatewayClient(servers.gateway, instance: name, file: file)
    let today = try #require(CalendarDate("2026-02-08"))
    let days = [try day("2026-02-08", [.steps: .value(1234), .weight: .value(70.25)])]
    #expect(try await gateway.push(days, today: today) > 0)
    var own = try await servers.pushed(instance: name)
    #expect(own.contains(#"healthkit_steps_total{source="all",unit="count"} 1234"#), "\(own)")
    #expect(own.contains { $0.hasPrefix("healthkit_body_weight_kg{") && $0.hasSuffix(" 70.25") })

    // Another start of the app, the next day: the weight is known, of steps there are none yet.
    let next = try GatewayClient(servers.gateway, instance: name, file: file)
    let tomorrow = try #require(today.adding(days: 1))
    #expect(try await next.push([], today: tomorrow) > 0)
    own = try await servers.pushed(instance: name)
    #expect(!own.contains { $0.hasPrefix("healthkit_steps_total") }, "\(own)")
    #expect(own.contains { $0.hasPrefix("healthkit_body_weight_kg{") && $0.hasSuffix(" 70.25") })
    try await next.clear()
    #expect(try await servers.pushed(instance: name).isEmpty)
  }

  @Test func `R57: pushes that begin at once happen one after another, and all are remembered`()
    async throws
  {
    let servers = try PrometheusServers.shared()
    let today = try #require(CalendarDate("2026-02-08"))
    let days = try [
      day("2026-02-01", [.weight: .value(70)]), day("2026-02-02", [.vo2Max: .value(40)]),
      day("2026-02-03", [.restingHeartRate: .value(55)]),
      day("2026-02-04", [.heartRateVariability: .value(60)]),
      day("2026-02-05", [.bloodGlucose: .value(95)]),
      day("2026-02-06", [.oxygenSaturation: .value(97)]),
    ]
    var known: [Set<String>] = []
    for isAtOnce in [false, true] {
      let name = "phone \(UUID())"
      let file = NSTemporaryDirectory() + "push-\(UUID()).json"
      defer { try? FileManager.default.removeItem(atPath: file) }
      let gateway = try GatewayClient(servers.gateway, instance: name, file: file)
      if isAtOnce {
        try await withThrowingTaskGroup { group in
          for day in days {
            group.addTask { _ = try await gateway.push([day], today: today) }
          }
          try await group.waitForAll()
        }
      } else {
        for day in days { _ = try await gateway.push([day], today: today) }
      }
      // What a new start of the app remembers of them.
      _ = try await GatewayClient(servers.gateway, instance: name, file: file)
        .push([], today: today)
      let pushed = try await servers.pushed(instance: name)
      known.append(
        Set(
          pushed.compactMap { $0.split(whereSeparator: { "{ ".contains($0) }).first }
            .map(String.init)))
    }
    #expect(known[0].count > days.count)
    #expect(known[0] == known[1])
  }
}
