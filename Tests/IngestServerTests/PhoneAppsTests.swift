import Foundation
import HealthModel
import TestSupport
import Testing

@testable import IngestServer

/// The apps as they are, sent by an independent program to the real server (R55).
@Suite(.process) struct PhoneAppsTests {
  @Test(arguments: [1, 2])
  func `R55: what apps post is stored once, answered as they need, and in the day`(seed: Int)
    async throws
  {
    let root = FileManager.default.temporaryDirectory.appending(path: "apps-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let report = try await PeerPython.report(
      "phone_apps.py",
      [
        BuiltProgram.path("s3healthd"), BuiltProgram.path("s3health"),
        root.path, "\(seed)",
      ])
    #expect(report["problems"] == .array([]))
    // The newest capture, and the samples of both requests of a session. The good row of a bad series is not
    // the day's.
    let metrics = report["day"]?["metrics"]
    #expect(metrics?["steps"] == report["steps"])
    #expect(metrics?["flights_climbed"] == .number(7))
    #expect(metrics?["resting_hr_avg"] == .null)
    #expect(metrics?["heart_rate_max"] == .number(70))
  }

  @Test func `R55: rows that can't be right are named in the answer and the log`() async throws {
    let trial = try await HubTrial()
    let token = try await trial.token(for: "health-auto-export")
    func post(_ rows: String) async throws -> CurlAnswer {
      try await trial.ask("/health-auto-export/", token: token, body: stepPayload(rows))
    }
    let wrong = #"{"date":"2026-03-02 08:00:00 +0000","qty":"55"}"#
    #expect(try await post("").status == 200)
    let note = try await post(wrong).json["note"] as? String ?? ""
    #expect(note == "1 row was left out; first: /data/metrics/0/data/0/qty: a string, not a number")
    #expect(try await post(#"{"date":"2026-03-03 08:00:00 +0000","qty":55}"#).json["note"] == nil)
    let weeks = ["2026-02-02", "2026-02-09", "2026-02-16"].map {
      #"{"date":"\#($0) 00:00:00 +0000","qty":5}"#
    }
    let coarse = try await post(weeks.joined(separator: ",")).json["note"] as? String
    #expect(coarse == "step_count: the rows are weeks or months; export it by day")
    let refusals = trial.hub.log.matches(of: #/200 device=me received=1 .*refused=1/#)
    #expect(refusals.count == 1, "\(trial.hub.log)")
    #expect(!trial.hub.log.contains("\"55\""), "the log has no health values")
    // What is left out is named without anything that was sent, and with no end of names.
    let marked = #"{"name":"my secret 4711","units":"u","data":[{},{}]}"#
    let series = (0..<40).map {
      #"{"name":"\#($0 % 2 == 0 ? "weight_body_mass" : "dietary_water")","units":"kg","data":[{"date":"sometime","qty":7\#($0)}]}"#
    }
    let body = #"{"data":{"metrics":[\#((series + [marked]).joined(separator: ","))]}}"#
    #expect(
      try await trial.ask("/health-auto-export/", token: token, body: body).status == 200)
    #expect(
      trial.hub.log.matches(of: #/left_out="([^"]*)"/#).map { String($0.1) } == [
        "step_count 1", "step_count 3", "dietary_water 20, unknown metrics 2, weight_body_mass 20",
      ], "\(trial.hub.log)")
    #expect(!trial.hub.log.contains("4711"), "\(trial.hub.log)")
  }

  @Test func `R55: an answer has all remarks, within a bound that it states`() async throws {
    let trial = try await HubTrial()
    let token = try await trial.token(for: "health-auto-export")
    func answer(_ count: Int) async throws -> [String: Any] {
      let series = (0..<count).map {
        #"{"name":"weight_body_mass","units":"u\#($0)","data":["#
          + #"{"date":"2026-03-02 08:00:00 +0000","qty":7}]}"#
      }
      return try await trial.ask(
        "/health-auto-export", token: token,
        body: #"{"data":{"metrics":[\#(series.joined(separator: ","))]}}"#
      ).json
    }
    for (count, listed, further) in [(9, 9, nil), (47, 47, nil), (150, 100, 50)]
      as [(Int, Int, Int?)]
    {
      let answer = try await answer(count)
      let notes = try #require(answer["notes"] as? [String])
      #expect(notes.count == listed && notes.allSatisfy { $0.contains("can't be converted") })
      #expect(answer["further_notes"] as? Int == further)
      let text = notes.prefix(10) + (count > 10 ? ["and \(count - 10) more"] : [])
      #expect(answer["note"] as? String == text.joined(separator: "; "))
    }
  }

  @Test func `R55: a payload that waited in a queue replaces no newer number`() async throws {
    let trial = try await HubTrial(environment: ["S3HEALTH_TIMEZONE": "UTC"])
    let token = try await trial.token(for: "health-auto-export")
    func post(_ steps: Int, writtenAt: String? = nil) async throws -> Int {
      try await trial.ask(
        "/health-auto-export/", token: token,
        body: stepPayload(
          #"{"date":"2026-03-02 00:00:00 +0000","qty":\#(steps),"source":"Watch"}"#),
        arguments: writtenAt.map { ["-H", "automation-written-at: \($0)"] } ?? []
      ).status
    }
    #expect(try await post(9000) == 200)
    // The newest counts, not the greatest; what was written before is older, although it arrives last.
    #expect(try await post(8000) == 200)
    #expect(try await post(8500, writtenAt: "2026-03-02T09:00:00Z") == 200)
    #expect(try await trial.hub.end(by: SIGTERM) == 0)
    #expect(try await trial.steps("2026-03-02") == 8000)
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
