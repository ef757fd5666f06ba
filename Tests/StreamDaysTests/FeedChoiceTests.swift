import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import Testing

@testable import StreamDays

/// Which samples of which feed make a day (R45, R49).
@Suite(.unit) struct FeedChoiceTests {
  private func sample(
    _ type: String, _ value: Double, _ unit: String, _ start: String, _ end: String
  ) throws -> StreamEntry {
    let id = UUID().uuidString.lowercased()
    return try Entries.entry(
      #"{"sample_type":"\#(type)","timestamp":"\#(start)","end_timestamp":"\#(end)","value":\#(value),"unit":"\#(unit)","source":"Watch","uuid":"\#(id)"}"#
    )
  }

  /// Steps in the first minute of an hour, counted from midnight of 2 March.
  private func steps(_ value: Double, hour: Int) throws -> StreamEntry {
    let start = "2026-03-0\(2 + hour / 24)T\(hour % 24 < 10 ? "0" : "")\(hour % 24)"
    return try sample(
      "HKQuantityTypeIdentifierStepCount", value, "count", "\(start):00:00Z", "\(start):01:00Z")
  }

  private func derived(_ world: StreamWorld) async throws -> [DailyMetric: MetricReading] {
    _ = try await world.derive("2026-03-02")
    return try await world.latest("2026-03-02")?.revision.readings ?? [:]
  }

  // MARK: - Identity

  @Test func `a sample with a UUID counts once, whatever device and feed it comes from (R45)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    for device in 1...3 {
      try await world.send(
        [
          Entries.steps(
            40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z", uuid: Entries.uuid(1))
        ], device: Entries.uuid(device))
      world.advance(1)
    }
    #expect(try await derived(world)[.steps] == .value(40))
  }

  @Test func `a sample without a UUID does not replace another device's (R45)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    for device in 1...2 {
      try await world.send(
        [Entries.steps(40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z")],
        device: Entries.uuid(device))
    }
    #expect(try await derived(world)[.steps] == .value(80))
  }

  @Test(arguments: [[40.0, 60.0], [60.0, 40.0]])
  func `of two values in one batch the later counts, of two batches the greater bytes (R45)`(
    values: [Double]
  ) async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    for (number, value) in values.enumerated() {
      try await world.send(
        [Entries.steps(value, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z")],
        session: "\(number)")
    }
    #expect(try await derived(world)[.steps] == .value(60))
    let both = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await both.send(
      values.map { try Entries.steps($0, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z") })
    #expect(try await derived(both)[.steps] == .value(values[1]))
  }

  @Test func `in bed and asleep at one time both count without UUIDs (R45)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    func slept(_ value: Int) throws -> StreamEntry {
      try Entries.entry(
        #"{"sample_type":"HKCategoryTypeIdentifierSleepAnalysis","timestamp":"2026-03-01T23:00:00Z","end_timestamp":"2026-03-02T07:00:00Z","value":\#(value),"source":"Watch"}"#
      )
    }
    try await world.send([slept(0), slept(1)])
    // The same again is the same.
    try await world.send([slept(1)], session: "again")
    let made = try await derived(world)
    #expect(made[.sleepAsleep] == .value(480) && made[.sleepInBed] == .value(480))
  }

  // MARK: - The feed

  @Test func `of two feeds with equally many samples the one with the greater sum counts (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    for (feed, value) in [("a", 40.0), ("b", 60), ("c", 50)] {
      try await world.send([steps(value, hour: 10)], feed: feed)
    }
    #expect(try await derived(world)[.steps] == .value(60))
  }

  @Test(arguments: [
    ("DistanceWalkingRunning", "m", 1.0, "km", 0.9, DailyMetric.distance, 900.0),
    ("ActiveEnergyBurned", "kJ", 100.0, "kcal", 50.0, DailyMetric.activeEnergy, 50.0),
    ("ActiveEnergyBurned", "furlongs", 100.0, "kcal", 50.0, DailyMetric.activeEnergy, 50.0),
  ])
  func `of two feeds the greater sum is the greater one in one unit (R49)`(
    type: String, unit: String, number: Double, otherUnit: String, other: Double,
    metric: DailyMetric, expected: Double
  ) async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let (start, end) = ("2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z")
    let type = "HKQuantityTypeIdentifier" + type
    try await world.send([sample(type, number, unit, start, end)], feed: "aa")
    try await world.send([sample(type, other, otherUnit, start, end)], feed: "bb")
    #expect(try await derived(world)[metric] == .value(expected))
  }

  @Test func `samples of the next day do not decide which feed counts (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T12:00:00Z")
    try await world.send([steps(40, hour: 10), steps(2, hour: 11)], feed: "a")
    try await world.send([steps(60, hour: 10)] + (0...5).map { try steps(1, hour: 24 + $0) })
    #expect(try await derived(world)[.steps] == .value(42))
  }

  @Test func `a feed whose samples were all deleted does not hide another (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-04T12:00:00Z")
    let deleted = try Entries.entry(
      #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"2026-03-02T10:00:00Z","end_timestamp":"2026-03-02T10:01:00Z","uuid":"\#(Entries.uuid(1))","deleted":true}"#
    )
    try await world.send([deleted], feed: "a")
    try await world.send([steps(40, hour: 11)])
    #expect(try await derived(world)[.steps] == .value(40))
  }

  @Test func `both halves of a blood pressure come from one feed (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    func pressure(_ half: String, _ value: Double, _ hour: Int) throws -> StreamEntry {
      let moment = "2026-03-02T0\(hour):00:00Z"
      return try sample(
        "HKQuantityTypeIdentifierBloodPressure\(half)", value, "mmHg", moment, moment)
    }
    try await world.send(
      [
        pressure("Systolic", 120, 7), pressure("Diastolic", 80, 7), pressure("Systolic", 122, 8),
        pressure("Diastolic", 82, 8),
      ], feed: "a")
    // This feed has the greater sum of lower halves, but fewer samples.
    try await world.send(
      [pressure("Systolic", 110, 7), pressure("Diastolic", 90, 7), pressure("Diastolic", 95, 8)],
      feed: "b")
    let made = try await derived(world)
    #expect(made[.bloodPressureSystolic] == .value(121))
    #expect(made[.bloodPressureDiastolic] == .value(81))
    #expect(made[.bloodPressureSystolicLatest] == .value(122))
    #expect(made[.bloodPressureDiastolicLatest] == .value(82))
    #expect(made[.bloodPressureLatestTime]?.number != nil)
  }

  @Test func `samples of the evening before do not decide which feed counts (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    func rate(_ value: Double, _ start: String, _ end: String) throws -> StreamEntry {
      try sample("HKQuantityTypeIdentifierRestingHeartRate", value, "bpm", start, end)
    }
    try await world.send(
      [
        Entries.steps(900, "2026-03-01T20:00:00Z", "2026-03-01T20:01:00Z"),
        Entries.steps(800, "2026-03-01T21:00:00Z", "2026-03-01T21:01:00Z"),
        // Most of this one lies in the day before, so it counts there.
        rate(80, "2026-03-01T01:00:00Z", "2026-03-02T01:00:00Z"),
      ], feed: "a")
    try await world.send(
      [
        Entries.steps(70, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z"),
        rate(52, "2026-03-02T08:00:00Z", "2026-03-02T08:00:00Z"),
      ], feed: "phone")
    let made = try await derived(world)
    #expect(made[.steps] == .value(70) && made[.restingHeartRate] == .value(52))
  }

  @Test func `sleep of the next evening does not decide which feed counts (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T23:30:00Z")
    func asleep(_ start: String, _ end: String) throws -> StreamEntry {
      try sample("HKCategoryTypeIdentifierSleepAnalysis", 3, "", start, end)
    }
    try await world.send(
      [asleep("2026-03-01T23:00:00Z", "2026-03-02T06:00:00Z")], feed: "a")
    try await world.send(
      [
        asleep("2026-03-02T21:00:00Z", "2026-03-02T22:00:00Z"),
        asleep("2026-03-02T22:00:00Z", "2026-03-02T23:00:00Z"),
      ], feed: "phone")
    #expect(try await derived(world)[.sleepAsleep] == .value(420))
  }

  // MARK: - The night

  @Test(arguments: [
    ("UTC", "2026-03-02", "2026-03-01T18:30:00Z"),
    // The clock is set back an hour at midnight, so the evening is an hour longer.
    ("America/Santiago", "2026-04-05", "2026-04-04T21:10:00Z"),
  ])
  func `sleep of the early evening counts on the next date (R18, R49)`(
    zone: String, date: String, start: String
  ) async throws {
    let world = try StreamWorld(zone: zone, at: "2026-04-06T12:00:00Z")
    let begin = try #require(Timestamp(start))
    try await world.send([
      sample(
        "HKCategoryTypeIdentifierSleepAnalysis", 3, "", start, "\(begin.adding(seconds: 1800))")
    ])
    _ = try await world.derive(date)
    #expect(try await world.latest(date)?.revision.readings[.sleepAsleep] == .value(30))
  }

  @Test func `an entry that is left out is reported on the day on which it begins only (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-04T12:00:00Z")
    try await world.send([
      sample(
        "HKQuantityTypeIdentifierStepCount", 7, "count", "2026-03-02T10:00:00Z",
        "2026-03-03T20:00:00Z"),
      steps(40, hour: 11), steps(50, hour: 30),
    ])
    #expect(try await world.derive("2026-03-02").leftOut.tooLong == 1)
    #expect(try await world.derive("2026-03-03").leftOut.tooLong == 0)
  }

  // MARK: - Other collectors

  @Test func `a collector's last word on a metric counts, in whatever revision (R20, R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T12:00:00Z")
    let other = Collector(collectorID: UUID(), deviceID: UUID())
    for (metric, number) in [(DailyMetric.weight, 70.0), (.steps, 12_000), (.steps, 11_000)] {
      _ = try await world.publish(
        "2026-03-02", [metric: .value(number)], as: other)
      world.advance(60)
    }
    try await world.send([steps(40, hour: 10)])
    let made = try await derived(world)
    #expect(made[.weight] == .value(70) && made[.steps] == .value(11_000))
  }

  @Test func `a day is in the zone of the newest revision of another collector (R49)`() async throws
  {
    let world = try StreamWorld(zone: "Asia/Tokyo", at: "2026-03-03T12:00:00Z")
    let berlin = try StreamWorld(world.store, zone: "Europe/Berlin", at: "2026-03-03T12:10:00Z")
    for (place, number) in [(world, 70.0), (berlin, 71)] {
      _ = try await place.publish(
        "2026-03-02", [.weight: .value(number)],
        as: Collector(collectorID: UUID(), deviceID: UUID()))
    }
    let stored = try StreamWorld(world.store, zone: "UTC", at: "2026-03-03T12:20:00Z")
    // In Tokyo the first is on this date and the second on the next; in Berlin both are on this date.
    try await stored.send([steps(40, hour: 10), steps(2, hour: 20)])
    let made = try await derived(stored)
    #expect(made[.steps] == .value(42))
    let day = try await stored.latest("2026-03-02")?.revision.day
    #expect(day?.timeZoneName == "Europe/Berlin")
  }

  @Test func `a day was captured when the latest of its inputs was (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-03T09:00:00Z")
    try await world.send([steps(40, hour: 10)])
    world.advance(3600)
    _ = try await world.publish(
      "2026-03-02", [.weight: .value(70)],
      as: Collector(collectorID: UUID(), deviceID: UUID()))
    _ = try await world.derive("2026-03-02")
    let captured = try await world.latest("2026-03-02")?.revision.capturedAt
    #expect(captured == Timestamp("2026-03-03T10:00:00Z"))
  }

  @Test func `a foreign object that can't hide samples does not stop a day (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.send([steps(40, hour: 10)])
    let batch = try #require(try await world.store.keys().first { $0.hasSuffix(".json.gz") })
    let folder = batch.split(separator: "/").dropLast().joined(separator: "/")
    for name in ["notes.txt", "folder/notes.txt"] {
      _ = try await world.store.put(
        try #require(ObjectKey("\(folder)/\(name)")), [1], if: .absent)
    }
    #expect(try await derived(world)[.steps] == .value(40))
  }
}
