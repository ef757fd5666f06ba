import HealthModel
import ObjectStore
import Testing

@testable import StreamDays

/// A sweep makes the days that markers name, and deletes a marker when its days are settled (R49).
@Suite(.tags(.unit)) struct MarkerSweepTests {
  @Test func `a marker leads to its days and goes when it is old (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.send([
      Entries.steps(40, "2026-01-05T17:00:00Z", "2026-01-05T17:01:00Z"),
      Entries.steps(50, "2026-01-07T20:00:00Z", "2026-01-07T20:01:00Z"),
    ])
    let (young, days) = try await world.sweep("2026-03-02")
    #expect(young.kept == 1 && young.deleted == 0)
    // After 18:00 the next date's night has begun.
    #expect(
      days.map(\.description).filter { $0 != "2026-01-06" } == [
        "2026-01-05", "2026-01-07", "2026-01-08",
      ])
    #expect(try await world.steps("2026-01-05") == 40)
    #expect(try await world.steps("2026-01-07") == 50)
    world.advance(20 * 60 + 1)
    let (old, _) = try await world.sweep("2026-03-02")
    #expect(old.kept == 0 && old.deleted == 1)
    #expect(try await world.store.keys().allSatisfy { !$0.contains(".pending/") })
  }

  @Test func `the age of a marker is that of the store's clock (R49)`() async throws {
    let stored = try #require(Timestamp("2026-03-02T11:00:00Z"))
    let store = MemoryStore(clockOffset: -3600, now: { stored.secondsSince1970 })
    let world = try StreamWorld(store, at: "2026-03-02T12:00:00Z")
    try await world.send([Entries.steps(40, "2026-01-05T10:00:00Z", "2026-01-05T10:01:00Z")])
    // This machine's clock is an hour ahead, and the marker is new.
    let (swept, _) = try await world.sweep("2026-03-02")
    #expect(swept.kept == 1 && swept.deleted == 0)
  }

  @Test func `the marker of a night that began today waits for tomorrow (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T20:00:00Z")
    try await world.send([Entries.steps(40, "2026-03-02T19:00:00Z", "2026-03-02T19:01:00Z")])
    world.advance(2 * 3600)
    #expect(try await world.sweep("2026-03-02").0.kept == 1)
    world.advance(4 * 3600)
    #expect(try await world.sweep("2026-03-03").0.deleted == 1)
  }
}
