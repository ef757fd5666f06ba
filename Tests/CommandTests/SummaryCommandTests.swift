import Foundation
import TestSupport
import Testing

/// `s3health summary`: the answer of an agent's tool for people (R61).
@Suite(.process) struct SummaryCommandTests {
  /// A document without how old its newest day is: the second of two runs may find it a second older.
  private func timeless(_ document: [String: Any]) -> NSDictionary {
    document.filter { $0.key != "freshness" } as NSDictionary
  }

  private func filled() async throws -> Program {
    let program = try Program()
    let days = (1...28).compactMap { day -> String? in
      // Two days are missing, and one has no sleep.
      guard day != 5, day != 6 else { return nil }
      let date = "2026-02-\(day < 10 ? "0" : "")\(day)"
      let sleep = day == 9 ? "null" : "\(400 + day)"
      return
        #"{"date":"\#(date)","metrics":{"steps":\#(day * 500),"sleep_asleep_minutes":\#(sleep)}}"#
    }
    try await program.succeeds(
      ["put", "--date", "all", "--input", "-"],
      input: Array(#"{"days":[\#(days.joined(separator: ","))]}"#.utf8))
    return program
  }

  private let span = ["--from", "2026-02-15", "--to", "2026-02-28"]

  @Test func `R61: a summary is a table for people, and names what does not count`() async throws {
    let program = try await filled()
    defer { program.removeHome() }
    let run = try await program.succeeds(
      ["summary", "--compare", "--metrics", "steps,sleep_asleep_minutes"] + span)
    #expect(
      run.output == """
        2026-02-15 to 2026-02-28 (14 days), compared with 2026-02-01 to 2026-02-14 (14 days)

        metric  days       mean     median       least       most    change
        steps     14     10,750     10,750       7,500     14,000  +6,833.3  +174.5 %
        asleep    14  7 h 2 min  7 h 2 min  6 h 55 min  7 h 8 min   +14 min    +3.4 %

        before, missing, not counted: 2026-02-05 to 2026-02-06

        """)
  }

  @Test func `R33, R41: a damaged day is said to be damaged, and a day that is not over once`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let zone = ["--timezone", "Pacific/Kiritimati"]
    for date in ["yesterday", "today"] {
      try await program.succeeds(
        ["put", "--date", date, "--input", "-"] + zone,
        input: Array(#"{"metrics":{"steps":500}}"#.utf8))
    }
    let store = program.defaultStore
    let names = try FileManager.default.subpathsOfDirectory(atPath: store.path)
    for name in names where name.contains("/revisions/") && name.hasSuffix(".json") {
      let file = store.appending(path: name)
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      try FileManager.default.removeItem(at: file)
      try Data(text.replacing(#""steps":500"#, with: #""steps":501"#).utf8).write(to: file)
    }
    let output = try await program.succeeds(
      ["summary", "yesterday..today", "--metrics", "steps"] + zone
    ).output
    let notes = output.split(separator: "\n").filter { $0.contains("counted") }
    #expect(notes.count == 2, "\(output)")
    #expect(notes.first?.hasPrefix("not over, not counted: ") == true, "\(output)")
    #expect(notes.last?.hasPrefix("damaged, counted: ") == true, "\(output)")
    #expect(notes.first?.suffix(10) != notes.last?.suffix(10))
  }

  @Test func `a change that is too small to be shown has no sign`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let days = [8: 434.02, 9: 434].map { day, minutes in
      #"{"date":"2026-02-0\#(day)","metrics":{"sleep_asleep_minutes":\#(minutes)}}"#
    }
    try await program.succeeds(
      ["put", "--date", "all", "--input", "-"],
      input: Array(#"{"days":[\#(days.joined(separator: ","))]}"#.utf8))
    let output = try await program.succeeds(
      [
        "summary", "--from", "2026-02-09", "--to", "2026-02-09", "--compare", "--metrics",
        "sleep_asleep_minutes",
      ]
    ).output
    #expect(output.contains("  0 min") && output.contains("  0 %"), "\(output)")
  }

  @Test func `get and summary show the units of the settings, and documents stay as they are`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    let days = (1...2).map { day in
      #"{"date":"2026-02-0\#(day)","metrics":{"weight":\#(70 + day),"body_temperature":36.\#(day)}}"#
    }
    try await program.succeeds(
      ["put", "--date", "all", "--input", "-"],
      input: Array(#"{"days":[\#(days.joined(separator: ","))]}"#.utf8))
    let stored = try await program.succeeds(["get", "2026-02-02", "--output", "json"]).output
    program.environment["S3HEALTH_UNITS"] = "lb, °F"
    let day = try await program.succeeds(["get", "2026-02-02"]).output
    #expect(day.contains("158.73 lb") && day.contains("97.16 °F"))
    let range = try await program.succeeds(
      ["get", "2026-02-01..2026-02-02", "--metrics", "weight"]
    ).output
    #expect(range.contains("weight (lb)") && range.contains("156.5") && range.contains("158.7"))
    let summary = try await program.succeeds(
      [
        "summary", "--from", "2026-02-02", "--to", "2026-02-02", "--compare", "--metrics",
        "weight,body_temperature",
      ]
    ).output
    // A change of 1 kg is one of 2.2 lb, and one of 0.1 °C one of 0.2 °F: no zero is added.
    #expect(summary.contains("weight, lb") && summary.contains("+2.2"))
    #expect(summary.contains("body temperature, °F") && summary.contains("+0.2"))
    #expect(
      try await program.succeeds(
        ["get", "2026-02-02", "--output", "json"]
      ).output == stored)
  }

  @Test func `R61: the JSON of a summary is what an agent gets`() async throws {
    let program = try await filled()
    defer { program.removeHome() }
    let run = try await program.succeeds(
      ["summary", "--compare", "--by", "week", "--output", "json"] + span)
    let call = #"""
      {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"health.summarize_range",\#
      "arguments":{"start_date":"2026-02-15","end_date":"2026-02-28","by":"week",\#
      "compare_start_date":"2026-02-01","compare_end_date":"2026-02-14"}}}
      """#.replacing("\\#\n", with: "")
    let agent = try await program.succeeds(["mcp"], input: Array((call + "\n").utf8))
    let line = try #require(agent.output.split(separator: "\n").last)
    let answer = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let result = try #require(answer?["result"] as? [String: Any])
    var (told, printed) = (
      try #require(result["structuredContent"] as? [String: Any]), try run.json()
    )
    told["compared"] = nil
    printed["compared"] = nil
    #expect(timeless(told) == timeless(printed))
    #expect((told["periods"] as? [Any])?.count == 3)
  }

  @Test func `without dates a summary is of the 28 days up to yesterday`() async throws {
    let program = try await filled()
    defer { program.removeHome() }
    let all = try await program.succeeds(["summary", "--output", "json"]).json()
    let same = try await program.succeeds(["summary", "28d", "--output", "json"]).json()
    #expect(timeless(all) == timeless(same))
    for (word, options) in [
      (
        "2026-02-01..2026-02-09",
        ["--from", "2026-02-01", "--to", "2026-02-09"]
      ),
      ("2026-02-09", ["--from", "2026-02-09", "--to", "2026-02-09"]),
    ] {
      let short = try await program.succeeds(["summary", word, "--output", "json"]).json()
      let long = try await program.succeeds(["summary", "--output", "json"] + options).json()
      #expect(timeless(short) == timeless(long), "\(word)")
    }
    for (arguments, words) in [
      (["400d"], "at most 366"), (["--by", "day"], "--by"),
      (["--metrics", "step"], "did you mean 'steps'?"),
      (["--from", "2026-02-09", "--to", "2026-02-08"], "R33"), (["7x"], "7x"),
      (["7d", "--to", "today"], "given twice"),
    ] {
      let run = try await program.run(["summary"] + arguments)
      #expect(run.exitCode == 64, "\(arguments)")
      #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
    }
  }
}
