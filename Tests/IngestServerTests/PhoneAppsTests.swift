import Foundation
import HealthModel
import TestSupport
import Testing

@testable import IngestServer

/// The apps as they are, sent by an independent program to the real server (R55).
@Suite struct PhoneAppsTests {
  @Test(arguments: [1, 2])
  func `R55: what apps post is stored once, answered as they need, and in the day`(seed: Int)
    async throws
  {
    let root = FileManager.default.temporaryDirectory.appending(path: "apps-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let output = try await PeerPython.run(
      "phone_apps.py",
      arguments: [
        BuiltProgram.path("s3healthd"), BuiltProgram.path("s3health"), root.path, "\(seed)",
      ])
    let report = try JSONValue(parsing: output)
    #expect(report["problems"] == .array([]))
    // The newest capture, the samples of both requests of a session, the good row of a bad series.
    let metrics = report["day"]?["metrics"]
    #expect(metrics?["steps"] == report["steps"])
    #expect(metrics?["flights_climbed"] == .number(7))
    #expect(metrics?["resting_hr_avg"] == .number(52))
    #expect(metrics?["heart_rate_max"] == .number(70))
  }

  @Test func `R55: OwnTracks is not told to delete a message that will pass later`() {
    let busy = RequestFailure(429, "too_many_requests", "busy", retryAfter: 7).asOwnTracksKeeps
    #expect(busy.status == 503 && busy.retryAfter == 7)
    #expect(RequestFailure(408, "too_slow", "slow").asOwnTracksKeeps.status == 503)
    for status in [400, 401, 403, 413, 503] {
      #expect(RequestFailure(status, "x", "y").asOwnTracksKeeps.status == status)
    }
  }
}
