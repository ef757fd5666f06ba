import Foundation
import TestSupport
import Testing

/// Which of an input's days `put` publishes, from where it reads, and what it says.
@Suite(.process) struct PutSelectionTests {
  let program: Program

  init() throws { program = try Program() }

  private let week = Array(
    """
    {"days": [{"date": "2026-02-06", "metrics": {"steps": 6}},
              {"date": "2026-02-07", "metrics": {"steps": 7}},
              {"date": "2026-02-08", "metrics": {"steps": 8}}]}
    """.utf8)

  /// The dates of a put's results, by outcome.
  func dates(_ run: Program.Run, _ outcome: String) throws -> [String] {
    let results = try run.results()
    return results.filter { $0["outcome"] as? String == outcome }
      .compactMap { $0["date"] as? String }
  }

  func put(
    _ program: Program, _ arguments: [String], _ input: [UInt8]
  ) async throws -> Program.Run {
    try await program.succeeds(
      ["put", "--input", "-", "--output", "json"] + arguments, input: input)
  }

  @Test func `of several days those asked for are published`() async throws {
    let one = try await put(program, ["--date", "2026-02-07"], week)
    #expect(try dates(one, "published") == ["2026-02-07"])
    let two = try await put(program, ["--from", "2026-02-07", "--to", "2026-03-01"], week)
    #expect(try dates(two, "unchanged") == ["2026-02-07"])
    #expect(try dates(two, "published") == ["2026-02-08"])
    let all = try await put(program, ["--date", "all"], week)
    #expect(try dates(all, "published") == ["2026-02-06"])
    #expect(try dates(all, "unchanged") == ["2026-02-07", "2026-02-08"])
  }

  @Test func `of several days none is published unless it is said which`() async throws {
    try await program.refuses(
      ["put", "--input", "-"], input: week,
      saying: "holds 3 days, 2026-02-06 to 2026-02-08", "--date all")
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `today and yesterday are those of the reporting time zone (R4)`() async throws {
    let undated = Array(#"{"metrics": {"steps": 1}}"#.utf8)
    // Somewhere it is always tomorrow already, or still yesterday.
    for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago"] {
      for (word, distance) in [("today", 0), ("yesterday", -1)] {
        let before = try date(in: zone, distance)
        let run = try await put(program, ["--date", word, "--timezone", zone], undated)
        let after = try date(in: zone, distance)
        let results = try run.results()
        #expect([before, after].contains(results.first?["date"] as? String))
      }
    }
  }

  func date(in zone: String, _ distance: Int) throws -> String {
    let format = Date.ISO8601FormatStyle(timeZone: try #require(TimeZone(identifier: zone)))
    return Date(timeIntervalSinceNow: Double(distance) * 86_400)
      .formatted(format.year().month().day())
  }

  @Test func `an input's zone goes before the reader's, and bounds the day (R3)`() async throws {
    let input = Array(
      #"{"date": "2025-10-05", "timezone": "Australia/Lord_Howe", "metrics": {"steps": 1}}"#.utf8)
    _ = try await put(program, ["--timezone", "Europe/Berlin"], input)
    let get = try await program.succeeds(["get", "2025-10-05", "--output", "json"])
    let day = try #require(try get.json()["day"] as? [String: String])
    #expect(day["timezone"] == "Australia/Lord_Howe")
    #expect(day["start"] == "2025-10-05T00:00:00+10:30")
    #expect(day["end"] == "2025-10-06T00:00:00+11:00")
    _ = try await put(program, ["--timezone", "America/Los_Angeles"], payload())
    let other = try await program.succeeds(["get", "2026-02-08", "--output", "json"])
    #expect((try other.json()["day"] as? [String: String])?["start"] == "2026-02-08T00:00:00-08:00")
  }

  @Test func `a dry run reports each day's outcome and writes nothing`() async throws {
    _ = try await put(program, ["--date", "2026-02-07"], week)
    let before = try contents(of: program.defaultStore)
    let run = try await put(program, ["--date", "all", "--dry-run"], week)
    #expect(try run.json()["dry_run"] as? Bool == true)
    #expect(try dates(run, "would_publish") == ["2026-02-06", "2026-02-08"])
    #expect(try dates(run, "would_be_unchanged") == ["2026-02-07"])
    #expect(try contents(of: program.defaultStore) == before)
  }

  @Test func `a file, stdin and a Health Auto Export payload give the same`() async throws {
    let file = try program.file("in/week.json", week)
    let run = try await program.succeeds(["put", "--input", file, "--date", "all"])
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 4 && lines.last == "3 days: 3 published new")
    #expect(lines.dropLast().allSatisfy { $0.hasPrefix("published  2026-02-0") })
    let piped = try await program.succeeds(["put", "-i", "-", "--date", "all"], input: week)
    let unchanged = piped.output.split(separator: "\n")
    #expect(unchanged.dropLast().allSatisfy { $0.hasPrefix("unchanged") })
    #expect(unchanged.last == "3 days: 3 unchanged")

    let export = ProjectTree.root.appending(path: "Examples/payloads/health-auto-export.json").path
    let days = try await program.succeeds(
      ["put", "--input", export, "--date", "all", "--output", "json"])
    #expect(!(try dates(days, "published").isEmpty))
    let again = try await program.succeeds(
      ["put", "--input", export, "--date", "all", "--output", "json"])
    #expect(try dates(again, "unchanged") == dates(days, "published"))
  }

  @Test func `the collector's ids are made once and kept, or given (R12)`() async throws {
    func collector(_ date: String) async throws -> [String: String] {
      let get = try await program.succeeds(["get", date, "--output", "json"])
      return try #require(try get.json()["collector"] as? [String: String])
    }
    _ = try await put(program, [], payload("2026-02-06"))
    _ = try await put(program, [], payload("2026-02-07"))
    let own = try await collector("2026-02-06")
    #expect(try await collector("2026-02-07") == own)
    #expect(own["collector_id"] != own["device_id"])
    let given = "0B7E1D7A-7F8F-4C34-9F5D-2C9C1D6B1A01"
    _ = try await put(program, ["--collector-id", given.lowercased()], payload("2026-02-08"))
    #expect(
      try await collector("2026-02-08")
        == ["collector_id": given, "device_id": own["device_id"] ?? ""])
  }
}
