import Foundation
import TestSupport
import Testing

/// What commands say of a store without days, and of dates that a store does not reach.
@Suite(.process) struct HeldDaysTests {
  static let commands = [
    ["get"], ["get", "yesterday"], ["get", "7d"], ["get", "7d", "-o", "json"],
    ["get", "2026-01-02", "--history"], ["get", "--explain"], ["get", "--as-of", "2026-01-02"],
    ["ls"], ["ls", "7d"], ["verify"], ["verify", "30d"],
    ["verify", "--from", "2026-01-01", "--to", "2026-01-05", "--allow-missing"],
    ["get", "--summary"], ["get", "--summary", "30d"], ["report", "--html", "-"],
    ["report", "30d", "--html", "-"], ["export", "csv"],
    ["export", "json", "30d"], ["export", "openmetrics", "30d"], ["get", "--diff"],
    ["get", "--diff", "2026-01-02"],
  ]

  @Test(arguments: commands)
  func `R40: a store without days is the same error of every command that reads days`(
    command: [String]
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let run = try await program.run(command + ["--store", try program.folder("empty").path])
    #expect(run.exitCode == 66, "\(run.output)\(run.errors)")
    #expect(run.errors.hasPrefix("s3health: the store holds no days yet\n"), "\(run.errors)")
    #expect(run.output.isEmpty || run.output.hasPrefix(#"{"error":"#), "\(run.output)")
  }

  @Test func `get without a date shows the newest day, and no mistyped one of the future`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    for (date, steps) in [("2026-02-05", 5), ("2026-02-08", 8), ("2999-01-01", 9)] {
      try await program.succeeds(
        ["put", "--input", "-", "--allow-future"], input: payload(date, steps: steps))
    }
    let shown = try await program.succeeds(["get", "-o", "json"]).json()
    #expect(shown["date"] as? String == "2026-02-08")
    let history = try await program.succeeds(["get", "--history", "-o", "json"]).json()
    #expect(history["date"] as? String == "2026-02-08")
    #expect(try await program.succeeds(["get", "--explain"]).output.contains("2026-02-08"))
    try await program.succeeds(
      ["put", "--date", "today", "--input", "-"],
      input: Array(#"{"metrics":{"steps":12}}"#.utf8))
    let today = try await program.succeeds(["get", "-o", "json"]).json()
    #expect((today["metrics"] as? [String: Any])?["steps"] as? Double == 12)
  }

  @Test func `a date without data is told with the days that there are`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    for date in ["2026-02-05", "2026-02-08"] {
      try await program.succeeds(["put", "--input", "-"], input: payload(date))
    }
    for command in [["get", "yesterday"], ["get", "2026-02-06", "--history"], ["get", "today"]] {
      let run = try await program.run(command)
      #expect(run.exitCode == 66)
      #expect(
        run.errors.contains("\n  the store has 2026-02-05 to 2026-02-08\n"), "\(run.errors)")
    }
  }

  @Test func `R35: the last days begin no earlier than the store, unless they are asked for`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    program.environment["S3HEALTH_TIMEZONE"] = "UTC"
    func put(_ date: String) async throws {
      try await program.succeeds(
        ["put", "--date", date, "--input", "-"], input: Array(#"{"metrics":{"steps":7}}"#.utf8))
    }
    // The first day of a new store is not over.
    try await put("today")
    let verify = ["verify", "30d"]
    let first = try await program.succeeds(verify)
    #expect(first.output.contains("1 day: "), "\(first.output)")
    try await put("yesterday")
    let quiet = try await program.succeeds(verify + ["--quiet"])
    #expect(quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet.output)\(quiet.errors)")
    let begun = try await program.succeeds(verify)
    #expect(begun.output.contains("1 day: 1 complete"), "\(begun.output)")
    let from = try #require(
      begun.errors.firstMatch(of: #/the store begins on .*; (\S+\.\.) checks/#))
    let asked = try await program.run("verify", String(from.1))
    #expect(asked.exitCode == 1 && asked.output.contains("29 missing"), "\(asked.output)")
    // A gap after the first day is missing.
    try await put("2026-01-02")
    let gap = try await program.run(verify)
    #expect(gap.exitCode == 1 && gap.output.contains("29 missing"), "\(gap.output)")
  }
}
