import CommandLineKit
import EventLog
import Foundation
import HTTPTransport
import HealthLedger
import HealthModel
import MetricsPush
import StoreAccess
import Synchronization
import TestSupport
import Testing

@testable import s3health

/// Pushes with a clock of the test's own, to a real gateway that a real Prometheus scrapes (PR-29).
@Suite struct PushMidnightTests {
  /// A clock that is moved, and the waits that it was asked for.
  private final class Clock: Sendable {
    private let state: Mutex<(now: Timestamp, waits: [Duration])>

    init(_ now: Timestamp) { state = Mutex((now, [])) }
    var now: Timestamp { state.withLock { $0.now } }
    var waits: [Duration] { state.withLock { $0.waits } }
    func set(_ now: Timestamp) { state.withLock { $0.now = now } }
    func wait(_ duration: Duration) { state.withLock { $0.waits.append(duration) } }
  }

  private func run(
    _ program: TestSupport.Program, to gateways: [String], instance: String, _ clock: Clock,
    between: @escaping @Sendable (Duration) async -> Void = { _ in }
  ) throws -> PushRun {
    let environment = ["HOME": program.home.path, "S3HEALTH_TIMEZONE": "Europe/Berlin"]
    let settings = try Settings(GivenSettings(), environment: environment)
    return PushRun(
      reader: PushReader(
        opened: try OpenedStore(settings), settings: settings, selection: .all,
        hasDateLabel: false, now: { clock.now }),
      addresses: try gateways.map {
        try GatewayAddress($0, job: GatewayAddress.usualJob, instance: instance)
      },
      credentials: nil, transport: HTTPTransport(), timeout: .seconds(10), replaces: false,
      file: PushFile(settings.store), chronicle: Chronicle(settings.store), format: .json,
      sleep: {
        clock.wait($0)
        await between($0)
      })
  }

  private func put(
    _ program: TestSupport.Program, _ date: String, _ numbers: String
  ) async throws {
    try await program.succeeds(
      ["put", "--date", date, "--input", "-"], input: Array(#"{"metrics":{\#(numbers)}}"#.utf8))
  }

  private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

  @Test func `R57: PR-29: totals start again at midnight, and last known values go on`()
    async throws
  {
    let servers = try PrometheusServers.shared()
    let program = try TestSupport.Program()
    defer { program.removeHome() }
    let name = "midnight \(UUID())"
    // 23:58 in Berlin.
    let clock = Clock(try time("2026-02-08T22:58:00Z"))
    let run = try run(program, to: [servers.gateway], instance: name, clock)
    try await put(program, "2026-02-08", #""steps":9000,"active_energy_kcal":480.5,"weight":70.5"#)
    let steps = "healthkit_steps_total{instance=\"\(name)\"}"
    let weight = "healthkit_body_weight_kg{instance=\"\(name)\"}"
    #expect(try await run.once() == .success)
    #expect(try await servers.query(steps) { !$0.isEmpty }.map(\.value) == [9000])
    #expect(try await servers.query(weight).map { $0.labels["data_age"] } == [nil])
    // Midnight passes. There is no data of the new day: nobody may read yesterday's steps as today's.
    clock.set(try time("2026-02-08T23:03:00Z"))
    #expect(try await run.once() == .success)
    #expect(try await servers.query(steps) { $0.isEmpty }.isEmpty)
    let kept = try await servers.query(weight) { $0.first?.labels["data_age"] != nil }
    #expect(kept.map(\.value) == [70.5])
    #expect(kept.first?.labels["data_age"] == "5m")
    // The first data of the day, a total below yesterday's.
    try await put(program, "2026-02-09", #""steps":12"#)
    clock.set(try time("2026-02-08T23:08:00Z"))
    #expect(try await run.once() == .success)
    #expect(try await servers.query(steps) { !$0.isEmpty }.map(\.value) == [12])
    // Another kind of value that is pushed now did not take the others away.
    #expect(
      try await servers.query(weight) { $0.first?.labels["data_age"] == "1h" }.map(\.value)
        == [70.5])
    // It grows, and Prometheus has seen one reset of the counter, and no other.
    try await put(program, "2026-02-09", #""steps":800"#)
    clock.set(try time("2026-02-09T08:00:00Z"))
    #expect(try await run.once() == .success)
    #expect(try await servers.query(steps) { $0.first?.value == 800 }.map(\.value) == [800])
    #expect(
      try await servers.query("resets(healthkit_steps_total{instance=\"\(name)\"}[10m])")
        .map(\.value) == [1])
    #expect(clock.waits.isEmpty)
  }

  @Test func `R57: PR-15: a push that failed is not sent later, and the next one reads again`()
    async throws
  {
    let servers = try PrometheusServers()
    defer { servers.end() }
    let program = try TestSupport.Program()
    defer { program.removeHome() }
    let clock = Clock(try time("2026-02-08T12:00:00Z"))
    let run = try run(program, to: [servers.gateway], instance: "me", clock)
    try await put(program, "2026-02-08", #""steps":100"#)
    try servers.stopGateway()
    #expect(try await run.once().rawValue == 69)
    #expect(clock.waits == [.seconds(2), .seconds(8)])
    try await put(program, "2026-02-08", #""steps":200"#)
    try servers.startGateway()
    clock.set(try time("2026-02-08T12:05:00Z"))
    #expect(try await run.once() == .success)
    #expect(
      try await servers.pushed(instance: "me")
        .contains(#"healthkit_steps_total{source="all",unit="count"} 200"#))
    let log = try await program.succeeds(["log"]).output
    #expect(log.contains("push_failed") && log.contains("push_recovered"))
    #expect(log.contains("pushes that failed before: 1"))
  }

  @Test
  func `R57: PR-21: --interval pushes what is true then, through failures, until it is stopped`()
    async throws
  {
    let servers = try PrometheusServers()
    defer { servers.end() }
    let program = try TestSupport.Program()
    defer { program.removeHome() }
    let clock = Clock(try time("2026-02-08T12:00:00Z"))
    let rounds = Mutex<[[String]]>([])
    try await put(program, "2026-02-08", #""steps":100"#)
    let later = try [5, 10, 15].map { try time("2026-02-08T12:\($0 < 10 ? "0" : "")\($0):00Z") }
    let run = try run(program, to: [servers.gateway], instance: "me", clock) { wait in
      // The short waits are those between the attempts of one push.
      guard wait > .seconds(60) else { return }
      let round = rounds.withLock { $0.count }
      do {
        let pushed = round == 1 ? [] : try await servers.pushed(instance: "me")
        let steps = pushed.filter { $0.hasPrefix("healthkit_steps_total{") }
        rounds.withLock { $0.append(steps) }
        try await put(program, "2026-02-08", #""steps":\#(round + 2)00"#)
        clock.set(later[min(round, 2)])
        switch round {
        case 0: try servers.stopGateway()
        case 1: try servers.startGateway()
        default: withUnsafeCurrentTask { $0?.cancel() }
        }
      } catch {
        Issue.record(error)
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let loop = Task { try await run.loop(every: 300) }
    #expect(try await loop.value == .success)
    func steps(_ number: Int) -> String {
      #"healthkit_steps_total{source="all",unit="count"} \#(number)"#
    }
    #expect(rounds.withLock { $0 } == [[steps(100)], [], [steps(300)]])
    // A push every 300 seconds from start to start, however long it took, and the attempts between.
    let waits = clock.waits
    try #require(waits.count == 5, "\(waits)")
    #expect(Array(waits[1...2]) == [.seconds(2), .seconds(8)])
    #expect([waits[0], waits[3], waits[4]].allSatisfy { $0 < .seconds(300) && $0 > .seconds(60) })
    let log = try await program.succeeds(["log"]).output
    let events = log.split(separator: "\n").compactMap { line in
      ["service_started", "push_succeeded", "push_failed", "push_recovered", "service_stopped"]
        .first { line.contains($0) }
    }
    #expect(
      events == [
        "service_started", "push_succeeded", "push_failed", "push_recovered", "service_stopped",
      ], "\(log)")
  }

  @Test func `R57: SN-4: a person hears once of failing pushes, and once that they work again`()
    async throws
  {
    let gateway = try BadGateway()
    var program = try TestSupport.Program()
    defer { program.removeHome() }
    let out = program.home.appending(path: "told").path
    program.environment["S3HEALTH_NOTIFY_COMMAND"] =
      #"printf '%s|%s\n' "$S3HEALTH_EVENT" "$S3HEALTH_MESSAGE" >> '\#(out)'"#
    try await put(program, "today", #""steps":100"#)
    for mode in ["400", "500", "400", "ok", "ok"] {
      _ = try await program.run("push", "--gateway", gateway.url(mode), "--timeout", "5")
    }
    let lines = try String(contentsOfFile: out, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2, "\(lines)")
    #expect(
      lines.first?.hasPrefix(
        "push_failed|s3health: Push failed, check network/Pushgateway: the gateway refused the "
          + "metrics with 400: ") == true)
    #expect(lines.last == "push_recovered|s3health: Push works again")
  }
}
