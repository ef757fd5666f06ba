import Foundation
import HealthModel
import TestSupport
import Testing

@testable import IngestServer

/// Rows of another zone (R55).
extension PhoneAppsTests {
  @Test func `R55: rows of another zone make no day until it is set, but count`() async throws {
    let unset = ["S3HEALTH_TIMEZONE": "", "TZ": "UTC"]
    let trial = try await HubTrial(
      arguments: ["--metrics-listen", "127.0.0.1:0"], environment: unset)
    let token = try await trial.token(for: "health-auto-export")
    let rows = #"{"date":"2026-03-02 07:00:00 +0800","qty":1000}"#
    let body = stepPayload(rows)
    #expect(try await trial.ask("/health-auto-export/", token: token, body: body).status == 200)
    #expect(
      try await until {
        (try await trial.ask("/readyz").json["days_without_zone"] as? Double ?? 0) > 0
      }, "\(trial.hub.log)")
    #expect(try await trial.ask("/readyz").status == 200)
    let port = try #require(trial.hub.metricsPort)
    let metrics = try await CurlAnswer("http://127.0.0.1:\(port)/metrics")
    #expect(metrics.body.contains(#/(?m)^s3healthd_days_without_zone [1-9]/#))
    let folder = trial.store.path
    func days() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: folder)
        .filter { $0.hasPrefix("health/v0/data/") && $0.hasSuffix("latest.json") }
    }
    #expect(try days() == [])
    // What was acknowledged is kept, and becomes a day with the next start in the right zone.
    try await trial.hub.end(by: SIGTERM)
    let again = try await HubProgram(
      trial.program, store: folder, environment: ["S3HEALTH_TIMEZONE": "Asia/Singapore"])
    #expect(
      try await until { try days() == ["health/v0/data/2026/03/02/latest.json"] }, "\(again.log)")
    let ready = try await CurlAnswer(again.url + "/readyz").json
    #expect(ready["days_without_zone"] as? Double == 0)
    try await again.end(by: SIGKILL)
  }
}
