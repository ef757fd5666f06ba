import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import StoreTesting
import TestSupport
import Testing

@testable import StreamDays

/// What posted payloads say of the course of a day: workouts, the night, the heart (R55, R59).
@Suite(.unit) struct PayloadCourseTests {
  private static let device = StreamWorld.device

  private func post(
    _ world: StreamWorld, _ text: String, aggregation: String = ""
  ) async throws {
    let entry = try HealthAutoExportBody.entry(
      of: Array(text.utf8), headers: ["automation-aggregation": aggregation],
      receivedAt: world.shared.now, spans: PayloadMoments.spans
    ).entry
    try await append([entry], world)
  }

  private func append(
    _ entries: some Sequence<StreamEntry>, _ world: StreamWorld, session: String? = nil
  ) async throws {
    let order = PreciseMoment(world.shared.now)
    var headers: [String: String] = [:]
    headers["session-id"] = session
    for entry in entries {
      _ = try await world.streams.append(
        HealthAutoExportBody.sealed(entry, headers: headers, deviceID: Self.device, order: order),
        feed: "health-auto-export", receivedAt: order, keeping: nil)
    }
  }

  private func course(_ world: StreamWorld, _ date: String) async throws -> DayDeriver.Course {
    try await world.deriver().course(
      of: [.heartRate, .sleepAnalysis],
      on: ReportingDay(date: world.date(date), timeZoneName: world.zone))
  }

  private static func workout(
    _ id: String, _ start: String, _ end: String, metres: Double
  ) -> String {
    """
    {"id":"\(id)","name":"Outdoor Run","start":"\(start)","end":"\(end)","duration":1800,\
    "distance":{"qty":\(metres / 1000),"units":"km"},"avgHeartRate":{"qty":151,"units":"bpm"}}
    """
  }

  @Test func `R59: what two pages have read at once takes the room of one`() {
    let courses = BoundedCache<String, Int>(limit: 2048)
    for key in ["a", "a", "b"] { courses.keep(0, key, cost: 1024) }
    #expect(courses["a"] != nil && courses["b"] != nil && courses.cost == 2048)
  }

  @Test func `R55: a workout in a payload is shown on the day on which it begins, by its zone`()
    async throws
  {
    let world = try StreamWorld(zone: "Europe/Berlin", at: "2026-03-10T12:00:00Z")
    let late = Self.workout(
      "A", "2026-03-02 23:40:00 +0100", "2026-03-03 00:10:00 +0100", metres: 5000)
    let early = Self.workout(
      "b", "2026-03-02 07:00:00 +0100", "2026-03-02 07:30:00 +0100", metres: 3000)
    try await post(world, #"{"data":{"workouts":[\#(late),\#(early)]}}"#)
    let found = try await course(world, "2026-03-02").workouts
    #expect(found.map(\.id) == ["b", "a"])
    #expect(found.last?.activity == "Running")
    #expect(found.last?.figures[.distance] == 5000 && found.last?.figures[.averageHeartRate] == 151)
    #expect(try await course(world, "2026-03-03").workouts.isEmpty)
    // A payload without metrics makes no day.
    #expect(try await world.derive("2026-03-02").outcome == .nothing)
  }

  @Test func `R55: of several captures of a workout the last counts, and beside metrics, too`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let steps = """
      {"name":"step_count","units":"count","data":[{"date":"2026-03-02 00:00:00 +0000","qty":900}]}
      """
    for metres in [1000.0, 5000, 4000] {
      let workout = Self.workout(
        "a", "2026-03-02 07:00:00 +0000", "2026-03-02 07:30:00 +0000", metres: metres)
      try await post(world, #"{"data":{"metrics":[\#(steps)]},"workouts":[\#(workout)]}"#)
      world.advance(60)
    }
    #expect(try await course(world, "2026-03-02").workouts.map { $0.figures[.distance] } == [4000])
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 900)
  }

  @Test func `R55: the stages of the night and the heart come of rows that have moments`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T22:00:00Z")
    let night = """
      {"name":"sleep_analysis","units":"hr","data":[\
      {"startDate":"2026-03-01 23:00:00 +0000","endDate":"2026-03-02 01:00:00 +0000","value":"Deep","source":"Watch"},\
      {"startDate":"2026-03-02 01:00:00 +0000","endDate":"2026-03-02 01:10:00 +0000","value":"Awake","source":"Watch"}]}
      """
    let heart = """
      {"name":"heart_rate","units":"count/min","data":[\
      {"date":"2026-03-02 00:00:00 +0000","Min":50,"Avg":55,"Max":60},\
      {"date":"2026-03-02 13:00:00 +0000","Min":70,"Avg":90.5,"Max":150},\
      {"date":"2026-03-01 13:00:00 +0000","Avg":80}]}
      """
    try await post(world, #"{"data":{"metrics":[\#(night),\#(heart)]}}"#, aggregation: "hours")
    let found = try await course(world, "2026-03-02")
    #expect(found.sleep.map(\.value) == [.asleepDeep, .awake])
    #expect(found.heart.map(\.mean) == [55, 90.5])
    #expect(found.heart.last?.least == 70 && found.heart.last?.greatest == 150)
    #expect(found.samples.isEmpty)
  }

  @Test func `R55: a row of a whole day has no value at midnight`() async throws {
    let world = try StreamWorld(at: "2026-03-02T22:00:00Z")
    let heart = """
      {"name":"heart_rate","units":"count/min","data":[\
      {"date":"2026-03-02 00:00:00 +0000","Min":50,"Avg":55,"Max":160}]}
      """
    try await post(world, #"{"data":{"metrics":[\#(heart)]}}"#, aggregation: "days")
    #expect(try await course(world, "2026-03-02").heart.isEmpty)
  }

  @Test func `R55: a workout of a payload in parts counts once all of them are there`() async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let workouts = (0..<20).map { number in
      Self.workout(
        "w\(number)", "2026-03-02 0\(number % 10):00:00 +0000",
        "2026-03-02 0\(number % 10):30:00 +0000", metres: 1000)
    }
    let text = #"{"data":{"workouts":[\#(workouts.joined(separator: ","))]}}"#
    let entries = try HealthAutoExportBody.parts(
      of: Array(text.utf8), digest: { _ in String(repeating: "a", count: 64) },
      headers: ["session-id": "s"], receivedAt: world.shared.now, partBytes: 1500,
      spans: PayloadMoments.spans
    ).entries
    try #require(entries.count > 1)
    try await append(entries.dropLast(), world, session: "s")
    #expect(try await course(world, "2026-03-02").workouts.isEmpty)
    try await append(entries.suffix(1), world, session: "s")
    #expect(try await course(world, "2026-03-02").workouts.count == 20)
  }
}
