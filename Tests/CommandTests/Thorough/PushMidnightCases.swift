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

/// Further days of a person who pushes (R57).
extension PushMidnightTests {
  /// An export of 2026-02-08 in Berlin: its records, each with a type, a device, a unit, a value, and
  /// when it began and ended.
  private func export(_ records: [(String, String, String, String, String, String)]) -> [UInt8] {
    let rows = records.map { type, source, unit, value, start, end in
      """
       <Record type="\(type)" sourceName="\(source)" unit="\(unit)" value="\(value)" \
      creationDate="2026-02-08 \(end):00 +0100" startDate="2026-02-08 \(start):00 +0100" \
      endDate="2026-02-08 \(end):00 +0100"/>

      """
    }
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <HealthData locale="en_DE">
       <ExportDate value="2026-02-08 21:00:00 +0100"/>
      \(rows.joined())</HealthData>

      """.utf8)
  }

  @Test func `R57: the newest samples are pushed, and each source's own totals`() async throws {
    let servers = try PrometheusServers.shared()
    let program = try TestSupport.Program()
    let (mass, glucose) = ("BodyMass", "BloodGlucose")
    let (steps, food) = ("StepCount", "DietaryEnergyConsumed")
    let quantities = [
      (mass, "Scale", "kg", "70.2", "07:00", "07:00"),
      (mass, "Scale", "kg", "69", "19:00", "19:00"),
      (glucose, "Meter", "mg/dL", "95", "07:10", "07:10"),
      (glucose, "Meter", "mg/dL", "120", "18:00", "18:00"),
      (steps, "Ann's Watch", "count", "120", "08:00", "08:10"),
      (steps, "Ann's iPhone", "count", "90", "08:00", "08:10"),
      ("HeartRate", "Ann's Watch", "count/min", "61", "18:30", "18:30"),
      (food, "MyFood", "kcal", "700", "12:00", "12:00"),
      (food, "Snacks", "kcal", "150", "15:00", "15:00"),
    ].map { ("HKQuantityTypeIdentifier" + $0.0, $0.1, $0.2, $0.3, $0.4, $0.5) }
    let mindful = [("HKCategoryTypeIdentifierMindfulSession", "Calm", "", "", "20:00", "20:12")]
    let source = try program.file("export.xml", export(quantities + mindful))
    try await program.succeeds([
      "import", source, "--from", "2026-02-08", "--to", "2026-02-08", "--timezone", "Europe/Berlin",
    ])
    let name = "samples \(UUID())"
    let clock = Clock(try time("2026-02-08T20:30:00Z"))
    let run = try run(program, to: [servers.gateway], instance: name, clock, source: source)
    #expect(try await run.once() == .success)
    let pushed = try await servers.pushed(instance: name)
    for line in [
      #"healthkit_body_weight_kg{source="Scale"} 69"#,
      #"healthkit_blood_glucose_mg_dl{source="Meter"} 120"#,
      #"healthkit_heart_rate_min_bpm{source="Apple Watch"} 61"#,
      #"healthkit_steps_total{source="all",unit="count"} 120"#,
      #"healthkit_steps_total{source="Apple Watch",unit="count"} 120"#,
      #"healthkit_steps_total{source="iPhone",unit="count"} 90"#,
      #"healthkit_dietary_energy_calories_total{source="all"} 850"#,
      #"healthkit_dietary_energy_calories_total{source="MyFood"} 700"#,
      #"healthkit_dietary_energy_calories_total{source="Snacks"} 150"#,
      #"healthkit_mindful_minutes_total{source="Calm"} 12"#,
    ] { #expect(pushed.contains(line), "\(line) of \(pushed)") }
    // After midnight the newest weight is still the evening's, and not the mean of both.
    clock.set(try time("2026-02-08T23:05:00Z"))
    #expect(try await run.once() == .success)
    let later = try await servers.pushed(instance: name)
    #expect(later.contains(#"healthkit_body_weight_kg{data_age="6h",source="Scale"} 69"#))
    #expect(later.contains(#"healthkit_heart_rate_min_bpm{data_age="5m",source="Apple Watch"} 61"#))
    // The same holds for a first push: the day may have come late.
    let late = "late \(UUID())"
    try FileManager.default.removeItem(
      at: program.home.appending(path: ".local/share/s3health/\(PushMemory.fileName)"))
    clock.set(try time("2026-02-09T23:05:00Z"))
    #expect(
      try await self.run(program, to: [servers.gateway], instance: late, clock, source: source)
        .once() == .success)
    let first = try await servers.pushed(instance: late)
    #expect(first.contains(#"healthkit_body_weight_kg{data_age="7d",source="Scale"} 69"#))
    for line in [
      #"healthkit_blood_glucose_mg_dl{data_age="7d",source="Meter"} 120"#,
      #"healthkit_heart_rate_bpm{data_age="7d",source="Apple Watch",time_of_day="evening"} 61"#,
      #"healthkit_heart_rate_min_bpm{data_age="7d",source="Apple Watch"} 61"#,
    ] { #expect(first.contains(line), "\(line) of \(first)") }
  }

  @Test func `R57: totals alone end at midnight; the newest day's age goes on`() async throws {
    let servers = try PrometheusServers.shared()
    let program = try TestSupport.Program()
    let name = "totals \(UUID())"
    let clock = Clock(try time("2026-02-08T22:58:00Z"))
    let run = try run(program, to: [servers.gateway], instance: name, clock)
    try await put(program, "2026-02-08", #""steps":8400"#)
    #expect(try await run.once() == .success)
    #expect(try await servers.pushed(instance: name).contains { $0.hasSuffix("} 8400") })
    // Five minutes after midnight, on day 8 and on day 100 there is nothing of that day but its age.
    var starts: [String] = []
    let midnight = try time("2026-02-08T23:00:00Z").secondsSince1970
    for day in [0, 1, 6, 7, 8, 9, 100] {
      clock.set(Timestamp(secondsSince1970: midnight + day * 86_400 + 300))
      #expect(try await run.once() == .success)
      let pushed = try await servers.pushed(instance: name)
      #expect(!pushed.contains { $0.contains("8400") || $0.contains("data_age") }, "\(pushed)")
      for family in ["day_start_timestamp_seconds", "revision_generated_timestamp_seconds"] {
        let line = pushed.first { $0.hasPrefix("healthkit_\(family) ") }
        starts.append(try #require(line, "day \(day): \(pushed)"))
      }
    }
    #expect(Set(starts).count == 2, "\(starts)")
    // An empty store takes the rest away, and nothing is pushed again until it has a day.
    try FileManager.default.removeItem(at: program.defaultStore.appending(path: "health"))
    #expect(try await run.once() == .success)
    let left = try await servers.pushed(instance: name)
    #expect(!left.contains { $0.hasPrefix("healthkit_") }, "\(left)")
    #expect(try await program.succeeds(["status", "--log"]).output.contains("nothing_to_push"))
  }

  @Test func `R57: a gateway that hangs holds up no push to another one`() async throws {
    let gateway = try BadGateway()
    let program = try TestSupport.Program()
    try await put(program, "today", #""steps":100"#)
    try await withThrowingTaskGroup(of: (String, Int).self) { group in
      group.addTask {
        ("slow", try await program.run("push", "--gateway", gateway.url("slow")).exitCode)
      }
      while try await gateway.requests().isEmpty { try await Task.sleep(for: .milliseconds(20)) }
      group.addTask {
        ("ok", try await program.run("push", "--gateway", gateway.url("ok")).exitCode)
      }
      let first = try #require(try await group.next())
      #expect(first.0 == "ok" && first.1 == 0)
      group.cancelAll()
    }
  }

  @Test func `R57: --interval pushes what is true then, through failures`() async throws {
    let servers = try PrometheusServers()
    defer { servers.end() }
    let program = try TestSupport.Program()
    let clock = Clock(try time("2026-02-08T12:00:00Z"))
    let rounds = Mutex<[[String]]>([])
    try await put(program, "2026-02-08", #""steps":100"#)
    let pushing = Mutex<Task<ExitCode, any Error>?>(nil)
    let later = try [5, 10, 15].map { try time("2026-02-08T12:\($0 < 10 ? "0" : "")\($0):00Z") }
    let run = try run(program, to: [servers.gateway], instance: "me", clock) { wait in
      // The short waits are those between the attempts of one push.
      guard wait > .seconds(60) else { return }
      let round = rounds.withLock { $0.count }
      do {
        let pushed = round == 1 ? [] : try await servers.pushed(instance: "me")
        let steps = pushed.filter { $0.hasPrefix(#"healthkit_steps_total{source="all""#) }
        rounds.withLock { $0.append(steps) }
        try await put(program, "2026-02-08", #""steps":\#(round + 2)00"#)
        clock.set(later[min(round, 2)])
        switch round {
        case 0: try servers.stopGateway()
        case 1: try servers.startGateway()
        default: pushing.withLock { $0?.cancel() }
        }
      } catch {
        Issue.record(error)
        pushing.withLock { $0?.cancel() }
      }
    }
    let loop = Task { try await run.loop(every: 300) }
    pushing.withLock { $0 = loop }
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
    let log = try await program.succeeds(["status", "--log"]).output
    #expect(log.contains("pushes that failed before: 1"))
    let kinds = [
      "service_started", "push_succeeded", "push_failed", "push_recovered", "service_stopped",
    ]
    let events = log.split(separator: "\n").compactMap { line in kinds.first { line.contains($0) } }
    #expect(events == kinds, "\(log)")
  }
}
