import Foundation
import HealthLedger
import HealthModel
import HealthStreams
import Testing

@testable import StreamDays

/// Payloads that waited in a queue before they were received (R55).
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
}
