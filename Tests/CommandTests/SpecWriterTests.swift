import Foundation
import TestSupport
import Testing

/// docs/spec/publishing.md is enough to write a writer: Tests/Peers/spec_writer.py is written from it
/// and from SPEC.md alone, and shares days with `put`.
@Suite(.tags(.server)) struct SpecWriterTests {
  /// A day of a store that both write to.
  private struct SharedDay {
    let program: Program
    let server: TestServer
    private let prefix = "spec-writer/\(UUID())"

    init(_ server: TestServer) throws {
      self.server = server
      program = try Program().on(server)
    }

    /// Has the program publish what a source says, and returns how that ended.
    func put(_ words: String) async throws -> String? {
      let run = try await program.succeeds(
        ["put", "--input", "-", "--output", "json"] + server.arguments(prefix: prefix),
        input: Array(#"{"date": "2026-02-08", "timezone": "Europe/Berlin", \#(words)}"#.utf8))
      return (try run.json()["results"] as? [[String: Any]])?.first?["outcome"] as? String
    }

    /// Has the other writer publish one after the other, and returns how each ended.
    func peer(_ words: [String], swaps: Bool) async throws -> [String] {
      let settings = server.question([
        "prefix": prefix, "cas": swaps, "date": "2026-02-08", "timezone": "Europe/Berlin",
      ])
      let first = String(
        decoding: try JSONSerialization.data(withJSONObject: settings), as: UTF8.self)
      let lines = ([first] + words).joined(separator: "\n")
      let output = try await PeerPython.run("spec_writer.py", input: Array(lines.utf8))
      return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func metrics() async throws -> [String: Any]? {
      let day = ["get", "2026-02-08", "--output", "json"] + server.arguments(prefix: prefix)
      return try await program.succeeds(day).json()["metrics"] as? [String: Any]
    }

    /// A wrong digest, id or form of any revision would be a finding, and so would a wrong pointer.
    func verify() async throws {
      try await program.succeeds(
        ["verify", "--from", "2026-02-08", "--to", "2026-02-08", "--deep", "--strict"]
          + server.arguments(prefix: prefix))
    }
  }

  @Test(arguments: TestServer.all)
  func `R20, R21 a writer written from the document finds the same days equal as put does`(
    server: TestServer
  ) async throws {
    let day = try SharedDay(server)
    defer { day.program.removeHome() }
    let first = try await day.put(#""metrics": {"steps": 8000, "weight": 70.5}"#)
    let swaps = first == "published"
    let stored = swaps ? "published" : "pointer_skipped"
    #expect(first == stored)
    let outcomes = try await day.peer(
      [#"{"weight": 70.5}"#, #"{"steps": 8000.0}"#, #"{"weight": null, "stand_hours": 12}"#],
      swaps: swaps)
    #expect(outcomes == ["unchanged", "unchanged", stored])
    let same = #""metrics": {"weight": null, "stand_hours": 12}, "status": {"weight": "no_data"}"#
    #expect(try await day.put(same) == "unchanged")
    #expect(try await day.metrics()?["steps"] as? Int == 8000)
    try await day.verify()
  }

  @Test(arguments: TestServer.all)
  func `R20 to R26: a writer written from the document and put lose none of each other's words`(
    server: TestServer
  ) async throws {
    let day = try SharedDay(server)
    defer { day.program.removeHome() }
    let swaps = try await day.put(#""metrics": {"hrv_sdnn_avg": 40}"#) == "published"
    let rounds = Array(1...8)
    async let walks = day.peer(
      rounds.map { #"{"steps": \#(8000 + $0), "weight": \#($0 % 2 == 0 ? "null" : "70")}"# },
      swaps: swaps)
    async let nights = day.peer(
      rounds.map { #"{"sleep_asleep_minutes": \#(400 + $0), "exercise_minutes": \#($0)}"# },
      swaps: swaps)
    for round in rounds {
      _ = try await day.put(
        #""metrics": {"resting_hr_avg": \#(50 + round), "exercise_minutes": \#(20 + round)}"#)
    }
    #expect(try await walks.count == 8)
    #expect(try await nights.count == 8)
    let metrics = try #require(try await day.metrics())
    #expect(metrics["steps"] as? Int == 8008)
    #expect(metrics["sleep_asleep_minutes"] as? Int == 408)
    #expect(metrics["resting_hr_avg"] as? Int == 58)
    #expect(metrics["hrv_sdnn_avg"] as? Int == 40)
    #expect(metrics["weight"] == nil)
    // Two sources speak of it: the last word of the one that spoke last counts.
    #expect([8, 28].contains(metrics["exercise_minutes"] as? Int))
    try await day.verify()
  }
}
