import Foundation
import HealthLedger
import HealthModel
import HealthStreams
import Testing

@testable import StreamDays

/// Payloads and samples that waited in a queue before they were received (R49, R55).
@Suite(.unit) struct QueuedInputTests {
  @Test func `a payload that waited in a queue counts as captured when its file was written (R55)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T02:00:00Z")
    try await world.send(12_000, hour: 22)
    func captured(_ steps: Double, written: String) async throws -> String? {
      try await world.post(Payload.steps(steps), writtenAt: written)
      _ = try await world.derive("2026-03-02")
      let latest = try #require(try await world.latest("2026-03-02")?.revision)
      return latest.capturedAt.map { "\(latest.reading(of: .steps).number ?? 0) \($0)" }
    }
    #expect(
      try await captured(9000, written: "2026-03-02T19:00:00Z") == "12000.0 2026-03-03T02:00:00Z")
    world.advance(3600)
    #expect(
      try await captured(11_900, written: "2026-03-03T00:00:00Z") == "11900.0 2026-03-03T02:00:01Z")
    // A file's time in the future does not count.
    #expect(
      try await captured(11_950, written: "2027-01-01T00:00:00Z") == "11950.0 2026-03-03T03:01:00Z")
  }

  @Test func `a payload that waited in a queue replaces nothing that was captured after it (R55)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T02:00:00Z")
    func steps(_ steps: Double, written: String?) async throws -> Double? {
      try await world.post(Payload.steps(steps), writtenAt: written)
      _ = try await world.derive("2026-03-02")
      world.advance(60)
      return try await world.latest("2026-03-02")?.revision.reading(of: .steps).number
    }
    #expect(try await steps(3500, written: nil) == 3500)
    #expect(try await steps(3000, written: "2026-03-02T11:00:00Z") == 3500)
    #expect(try await steps(9000, written: "2026-03-02T23:00:00Z") == 3500)
    #expect(try await steps(3400, written: nil) == 3400)
  }

  @Test func `a day made only of data from before its end has that capture time (R8, R55)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T02:00:00Z")
    try await world.post(Payload.steps(9000), writtenAt: "2026-03-02T19:00:00Z")
    _ = try await world.derive("2026-03-02")
    let captured = try await world.latest("2026-03-02")?.revision.capturedAt
    #expect(captured == Timestamp("2026-03-02T19:00:00Z"))
  }

  /// Steps of a minute of 2026-03-02 as an export that was made at `moment` has them.
  private func exported(_ steps: Double, hour: Int, at moment: String) throws -> StreamEntry {
    try Entries.entry(
      """
      {"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"2026-03-02T\(hour):00:00Z",\
      "end_timestamp":"2026-03-02T\(hour):01:00Z","value":\(steps),"unit":"count","source":"Watch",\
      "uuid":"\(Entries.uuid(1000 + hour))","feed":"apple_health_export","exported_at":"\(moment)"}
      """)
  }

  @Test func `an export that waited in a queue has no more of a day than when it was made (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T07:00:00Z")
    func derived() async throws -> String? {
      _ = try await world.derive("2026-03-02")
      let latest = try await world.latest("2026-03-02")?.revision
      return latest?.capturedAt.map {
        "\(latest?.reading(of: .steps).number ?? 0) captured \($0)"
      }
    }
    try await world.send([exported(9000, hour: 19, at: "2026-03-02T20:00:00Z")])
    #expect(try await derived() == "9000.0 captured 2026-03-02T20:00:00Z")
    // The phone's own samples have the evening too.
    try await world.send([
      try Entries.steps(9000, "2026-03-02T19:00:00Z", "2026-03-02T19:01:00Z"),
      try Entries.steps(1000, "2026-03-02T22:00:00Z", "2026-03-02T22:01:00Z"),
    ])
    #expect(try await derived() == "10000.0 captured 2026-03-03T07:00:00Z")
    // The next export was made after the day: it has all, and less than the phone has sent twice.
    world.advance(3600)
    let next = "2026-03-03T07:30:00Z"
    try await world.send([
      exported(500, hour: 21, at: next), weight(70, id: 1, on: "2026-03-03", at: next),
    ])
    #expect(try await derived() == "9500.0 captured 2026-03-03T07:30:00Z")
  }

  @Test func `a moment of an export that is later than its receipt does not count (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T21:00:00Z")
    try await world.send([exported(9000, hour: 19, at: "2027-01-01T00:00:00Z")])
    world.advance(60)
    _ = try await world.derive("2026-03-02")
    let captured = try await world.latest("2026-03-02")?.revision.capturedAt
    #expect(captured == Timestamp("2026-03-02T21:00:00Z"))
  }

  @Test func `samples of older dates in one batch leave a day's own capture time alone (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T07:00:00Z")
    let old = try Entries.entry(
      """
      {"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"2026-02-20T10:00:00Z",\
      "value":10,"unit":"count","source":"Watch","uuid":"\(Entries.uuid(1))",\
      "feed":"apple_health_export"}
      """)
    try await world.send([old, exported(9000, hour: 19, at: "2026-03-02T20:00:00Z")])
    _ = try await world.derive("2026-03-02")
    let captured = try await world.latest("2026-03-02")?.revision.capturedAt
    #expect(captured == Timestamp("2026-03-02T20:00:00Z"))
  }

  /// A weight of a morning as an export that was made at `moment` has it, or lacks it.
  private func weight(
    _ number: Double?, id: Int, on date: String = "2026-03-02", at moment: String
  ) throws -> StreamEntry {
    let said = number.map { #""value":\#($0),"unit":"kg","source":"Scale""# } ?? #""deleted":true"#
    return try Entries.entry(
      """
      {"sample_type":"HKQuantityTypeIdentifierBodyMass","timestamp":"\(date)T07:00:00Z",\(said),\
      "uuid":"\(Entries.uuid(id))","feed":"apple_health_export","exported_at":"\(moment)"}
      """)
  }

  @Test func `what a later export no longer has leaves the day of an earlier import (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T09:00:00Z")
    let first = "2026-03-03T08:00:00Z"
    try await world.send([weight(70, id: 1, at: first), weight(700, id: 2, at: first)])
    _ = try await world.publish(
      "2026-03-02", [.weight: .value(385), .steps: .value(9000)],
      as: Collector(collectorID: UUID(), deviceID: UUID()), isExport: true,
      capturedAt: Timestamp(first))
    func derived() async throws -> Double? {
      world.advance(60)
      _ = try await world.derive("2026-03-02")
      let latest = try #require(try await world.latest("2026-03-02")?.revision)
      #expect(latest.reading(of: .steps) == .value(9000))
      return latest.reading(of: .weight).number
    }
    #expect(try await derived() == 385)
    world.advance(86_400)
    let second = "2026-03-04T08:00:00Z"
    try await world.send([weight(nil, id: 2, at: second)])
    // Samples come in the order of time: until one of the next day is there, some may be missing.
    #expect(try await derived() == 385)
    try await world.send([weight(71, id: 3, on: "2026-03-03", at: second)])
    #expect(try await derived() == 70)
    try await world.send([weight(nil, id: 1, at: "2026-03-04T08:30:00Z")])
    #expect(try await derived() == nil)
  }
}
