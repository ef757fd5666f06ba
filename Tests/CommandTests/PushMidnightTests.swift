import ArgumentParser
import CurlTransport
import Foundation
import HealthExports
import HealthLedger
import HealthModel
import Synchronization
import TestSupport
import Testing

@testable import CommandLineKit

/// Pushes with a clock of the test's own, to a real gateway that a real Prometheus scrapes (R57).
@Suite(.process, .prometheus) struct PushMidnightTests {
  /// A clock that is moved, and the waits that it was asked for.
  final class Clock: Sendable {
    private let state: Mutex<(now: Timestamp, waits: [Duration])>

    init(_ now: Timestamp) { state = Mutex((now, [])) }
    var now: Timestamp { state.withLock { $0.now } }
    var waits: [Duration] { state.withLock { $0.waits } }
    func set(_ now: Timestamp) { state.withLock { $0.now = now } }
    func wait(_ duration: Duration) { state.withLock { $0.waits.append(duration) } }
  }

  func run(
    _ program: TestSupport.Program, to gateways: [String], instance: String, _ clock: Clock,
    source: String? = nil, between: @escaping @Sendable (Duration) async -> Void = { _ in }
  ) throws -> PushRun {
    var environment = ["HOME": program.home.path, "S3HEALTH_TIMEZONE": "Europe/Berlin"]
    environment["S3HEALTH_SOURCE"] = source
    let settings = try Settings(GivenSettings(), environment: environment)
    return PushRun(
      reader: PushReader(
        opened: try OpenedStore(settings), settings: settings, selection: .all,
        hasDateLabel: false, now: { clock.now }),
      addresses: try gateways.map {
        try GatewayAddress($0, job: GatewayAddress.usualJob, instance: instance)
      },
      credentials: nil, transport: CurlTransport(), timeout: .seconds(10), replaces: false,
      file: PushFile(settings.store), recorder: EventRecorder(settings.store),
      output: .report(.json),
      sleep: {
        clock.wait($0)
        await between($0)
      })
  }

  func put(_ program: TestSupport.Program, _ date: String, _ numbers: String) async throws {
    try await program.succeeds(
      ["put", "--date", date, "--input", "-"], input: #"{"metrics":{\#(numbers)}}"#)
  }

  func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

  @Test func `R57: totals start again at midnight, and last known values go on`() async throws {
    let servers = try PrometheusServers.shared()
    let program = try TestSupport.Program()
    let name = "midnight \(UUID())"
    // 23:58 in Berlin.
    let clock = Clock(try time("2026-02-08T22:58:00Z"))
    let run = try run(program, to: [servers.gateway], instance: name, clock)
    try await put(program, "2026-02-08", #""steps":9000,"active_energy_kcal":480.5,"weight":70.5"#)
    let steps = "healthkit_steps_total{instance=\"\(name)\",source=\"all\"}"
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
    #expect(try await servers.query("resets(\(steps)[10m])").map(\.value) == [1])
    #expect(clock.waits.isEmpty)
  }

  @Test func `R57: each push says what the store says, however old`() async throws {
    let gateway = try BadGateway()
    let program = try TestSupport.Program()
    let memory = program.home.appending(path: ".local/share/s3health/\(PushMemory.fileName)")
    let clock = Clock(try time("2026-02-08T12:00:00Z"))
    let run = try run(program, to: [gateway.url("ok")], instance: "me", clock)
    /// The weight that is pushed, which is also that of a machine that never pushed before.
    func weight() async throws -> String? {
      let known = try? Data(contentsOf: memory)
      try? FileManager.default.removeItem(at: memory)
      #expect(try await run.once() == .success)
      let fresh = try await gateway.requests().last
      if let known { try known.write(to: memory) }
      #expect(try await run.once() == .success)
      let kept = try await gateway.requests().last
      #expect(fresh?.body == kept?.body)
      return kept?.body.split(separator: "\n")
        .first { $0.hasPrefix("healthkit_body_weight_kg{") }
        .flatMap { $0.split(separator: " ").last.map(String.init) }
    }
    try await put(program, "2024-03-01", #""weight":82"#)
    try await put(program, "2026-02-08", #""steps":9"#)
    #expect(try await weight() == "82")
    try await put(program, "2025-12-20", #""weight":800"#)
    #expect(try await weight() == "800")
    try await put(program, "2025-12-20", #""weight":79"#)
    #expect(try await weight() == "79")
    // Two days of another month, which come late.
    try await put(program, "2026-01-10", #""weight":75"#)
    try await put(program, "2026-01-04", #""weight":76"#)
    #expect(try await weight() == "75")
    for (date, next) in [("2026-01-10", "76"), ("2026-01-04", "79")] {
      try await program.succeeds(
        ["put", "--date", date, "--input", "-"],
        input: #"{"metrics":{"weight":null},"status":{"weight":"no_data"}}"#)
      #expect(try await weight() == next)
    }
    // Nobody pushed for months, and the newest day came meanwhile.
    clock.set(try time("2026-08-08T12:00:00Z"))
    try await put(program, "2026-02-07", #""weight":74"#)
    #expect(try await weight() == "74")
    try FileManager.default.removeItem(at: program.defaultStore.appending(path: "health"))
    #expect(try await run.once() == .success)
    let last = try await gateway.requests().last
    #expect(last?.method == "PUT" && last?.body == "")
  }

  @Test func `R57: what is published is pushed at once, before the interval ends`() async throws {
    let gateway = try BadGateway()
    let program = try TestSupport.Program()
    try await put(program, "2026-02-08", #""steps":100"#)
    let clock = Clock(try time("2026-02-08T12:00:00Z"))
    var run = try run(program, to: [gateway.url("ok")], instance: "me", clock) { wait in
      try? await Task.sleep(for: wait)
    }
    run.news = StoreNews(run.reader)
    let loop = Task { [run] in try await run.loop(every: 3600) }
    defer { loop.cancel() }
    while try await gateway.requests().isEmpty { try await Task.sleep(for: .milliseconds(50)) }
    try await put(program, "2026-02-08", #""steps":250"#)
    while try await gateway.requests().count < 2 { try await Task.sleep(for: .milliseconds(50)) }
    #expect(try await gateway.requests().last?.body.contains("} 250\n") == true)
    loop.cancel()
    #expect(try await loop.value == .success)
  }

  @Test func `R57: a person hears once of failing pushes, and once of their end`() async throws {
    let gateway = try BadGateway()
    var program = try TestSupport.Program()
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
