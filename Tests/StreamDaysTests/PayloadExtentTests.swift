import HealthModel
import Testing

@testable import StreamDays

/// What of a day the rows of posted payloads have (R19, R49).
@Suite(.unit) struct PayloadExtentTests {
  private func rows(_ date: String, _ hours: Int...) -> String {
    let rows = hours.map { hour in
      #"{"date":"\#(date) \#(hour < 10 ? "0" : "")\#(hour):00:00 +0000","qty":100}"#
    }
    return Payload.metric("step_count", "count", rows.joined(separator: ","))
  }

  private func stage(_ start: String, _ end: String) -> String {
    #"{"startDate":"\#(start):00 +0000","endDate":"\#(end):00 +0000","value":"Core"}"#
  }

  private func part(_ world: StreamWorld, _ date: String) async throws -> String? {
    _ = try await world.derive(date)
    return PartialNumbers(try #require(try await world.latest(date)).revision).words
  }

  @Test func `R33, R49: a payload of the next day alone does not make the evening's number whole`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T20:00:00Z")
    try await world.post(rows("2026-03-02", 9, 19), aggregation: "hours")
    #expect(try await part(world, "2026-03-02") == "captured at 20:00")
    // The app exports "Today": nobody has said what came after 20:00.
    world.advance(12 * 3600)
    try await world.post(rows("2026-03-03", 7), aggregation: "hours")
    #expect(try await part(world, "2026-03-02") == "captured at 20:00")
    #expect(try await part(world, "2026-03-03") == "captured at 08:00")
    // It exports yesterday and today.
    try await world.post(rows("2026-03-02", 9, 19, 22), aggregation: "hours")
    #expect(try await part(world, "2026-03-02") == nil)
    #expect(try await world.steps("2026-03-02") == 300)
  }

  @Test func `R33: a night of which a payload has the end alone says from when it has it`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T09:00:00Z")
    try await world.post(
      Payload.metric(
        "sleep_analysis", "hr",
        [
          stage("2026-03-02 23:50", "2026-03-03 00:30"),
          stage("2026-03-03 00:30", "2026-03-03 07:00"),
        ].joined(separator: ",")), aggregation: "")
    world.advance(86_400)
    try await world.post(rows("2026-03-03", 12), aggregation: "hours")
    #expect(try await part(world, "2026-03-03") == "asleep, core sleep from 2026-03-02 23:50")
    // With the evening before it the night is whole.
    try await world.post(
      Payload.metric(
        "sleep_analysis", "hr", stage("2026-03-02 22:30", "2026-03-02 23:50")), aggregation: "")
    #expect(try await part(world, "2026-03-03") == nil)
    let night = try await world.latest("2026-03-03")?.revision.reading(of: .sleepAsleep).number
    #expect(night == 510)
  }
}
