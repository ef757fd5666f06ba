import Foundation
import TestSupport
import Testing

/// SPEC.md and docs/spec are enough to write a writer: Tests/Peers/spec_writer.py is written from them
/// alone, and shares days with `put`.
@Suite(.server) struct SpecWriterTests {
  /// Days of a store that both write to.
  private struct SharedDays {
    let program: Program
    let server: TestServer
    private let prefix = "spec-writer/\(UUID())"

    init(_ server: TestServer) throws {
      self.server = server
      program = try Program().on(server)
    }

    /// Has the program publish what a source says, and returns how that ended.
    func put(_ date: String, _ words: String) async throws -> String? {
      let run = try await program.succeeds(
        ["put", "--input", "-", "--output", "json"] + server.arguments(prefix: prefix),
        input: #"{"date": "\#(date)", "timezone": "Europe/Berlin", \#(words)}"#)
      return (try run.json()["results"] as? [[String: Any]])?.first?["outcome"] as? String
    }

    /// Has the other writer publish readings of a source one after the other, and returns how each ended.
    func peer(
      _ source: String, _ days: [(date: String, readings: String)], swaps: Bool
    ) async throws -> [String] {
      let settings = server.question(["prefix": prefix, "cas": swaps])
      let first = String(
        decoding: try JSONSerialization.data(withJSONObject: settings), as: UTF8.self)
      let lines = days.map { day in
        #"{"format": "metrics_json", "source": "\#(source)", "date": "\#(day.date)", "#
          + #""timezone": "Europe/Berlin", "set": true, "readings": {\#(day.readings)}}"#
      }
      let output = try await PeerPython.run(
        "spec_writer.py", input: Array(([first] + lines).joined(separator: "\n").utf8))
      return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func metrics(_ date: String) async throws -> [String: Any]? {
      let day = ["get", date, "--output", "json"] + server.arguments(prefix: prefix)
      return try await program.succeeds(day).json()["metrics"] as? [String: Any]
    }

    /// A wrong digest, id or form of any revision would be a finding, and so would a wrong pointer.
    func verify(from first: String, to last: String) async throws {
      try await program.succeeds(
        ["verify", "--from", first, "--to", last, "--deep", "--strict"]
          + server.arguments(prefix: prefix))
    }
  }

  @Test(arguments: TestServer.one)
  func `R20, R21 a writer of the documents finds equal days, too`(server: TestServer) async throws {
    let (days, date) = (try SharedDays(server), "2026-02-08")
    let first = try await days.put(date, #""metrics": {"steps": 8000, "weight": 70.5}"#)
    let swaps = first == "published"
    let stored = swaps ? "published" : "pointer_skipped"
    #expect(first == stored)
    let outcomes = try await days.peer(
      "metrics_json",
      [
        (date, #""weight": 70.5"#), (date, #""steps": 8000.0"#),
        (date, #""weight": "no_data", "stand_hours": 12"#),
      ], swaps: swaps)
    #expect(outcomes == ["unchanged", "unchanged", stored])
    let same = #""metrics": {"weight": null, "stand_hours": 12}, "status": {"weight": "no_data"}"#
    #expect(try await days.put(date, same) == "unchanged")
    #expect(try await days.metrics(date)?["steps"] as? Int == 8000)
    try await days.verify(from: date, to: date)
  }

  @Test(arguments: TestServer.one)
  func `R20 to R26: a writer written from the documents and put lose none of each other's words`(
    server: TestServer
  ) async throws {
    let days = try SharedDays(server)
    let dates = (10...25).map { "2026-01-\($0)" }
    let swaps = try await days.put(dates[0], #""metrics": {"hrv_sdnn_avg": 40}"#) == "published"
    async let walks = days.peer(
      "walks", dates.map { ($0, #""steps": 8000, "weight": "no_data", "exercise_minutes": 20"#) },
      swaps: swaps)
    async let nights = days.peer(
      "nights", dates.map { ($0, #""sleep_asleep_minutes": 400, "exercise_minutes": 30"#) },
      swaps: swaps)
    for date in dates {
      _ = try await days.put(date, #""metrics": {"resting_hr_avg": 50, "weight": 70}"#)
    }
    #expect(try await walks.count == dates.count)
    #expect(try await nights.count == dates.count)
    for date in dates {
      let metrics = try #require(try await days.metrics(date))
      #expect(metrics["steps"] as? Int == 8000, "\(date)")
      #expect(metrics["sleep_asleep_minutes"] as? Int == 400, "\(date)")
      #expect(metrics["resting_hr_avg"] as? Int == 50, "\(date)")
      // Two sources speak of each: the word of the one that spoke last counts.
      #expect([20, 30].contains(metrics["exercise_minutes"] as? Int), "\(date)")
      #expect([nil, 70].contains(metrics["weight"] as? Int), "\(date)")
    }
    #expect(try await days.metrics(dates[0])?["hrv_sdnn_avg"] as? Int == 40)
    try await days.verify(from: dates[0], to: dates[dates.count - 1])
  }
}

/// Random inputs to random days, each published by the program and by the writer that was written from the
/// documents alone: Tests/Peers/words_differ.py.
@Suite(.process, .slow) struct WordsDifferTests {
  @Test(arguments: TestDepth.full([1, 251, 501, 751], usual: [1]))
  func `R19 to R21: a writer of the documents stores what put does`(seed: Int) async throws {
    let days = TestDepth.full("250", usual: "25")
    _ = try await PeerPython.run(
      "words_differ.py", arguments: [Program.path, days, "--seed", "\(seed)"])
  }
}
