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

  @Test func `R33: a walk over a payload's first midnight is a part of the day before`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T09:00:00Z")
    try await world.post(
      Payload.metric(
        "step_count", "count",
        #"{"start":"2026-03-02 23:50:00 +0000","end":"2026-03-03 00:10:00 +0000","qty":200}"#),
      aggregation: "")
    #expect(try await part(world, "2026-03-02") == "from 23:50")
    try await world.post(rows("2026-03-02", 9), aggregation: "hours")
    #expect(try await part(world, "2026-03-02") == nil)
    #expect(try await world.steps("2026-03-02") == 200)
  }
}
