import Foundation
import TestSupport
import Testing

/// What else a summary shows.
extension SummaryCommandTests {
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
      ["get", "--summary", "yesterday..today", "--metrics", "steps"] + zone
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
        "get", "--summary", "--from", "2026-02-09", "--to", "2026-02-09", "--compare", "--metrics",
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
        "get", "--summary", "--from", "2026-02-02", "--to", "2026-02-02", "--compare", "--metrics",
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

  @Test func `without dates a summary is of the 28 days up to yesterday`() async throws {
    let program = try await filled()
    defer { program.removeHome() }
    let all = try await program.succeeds(["get", "--summary", "--output", "json"]).json()
    let same = try await program.succeeds(["get", "--summary", "28d", "--output", "json"]).json()
    #expect(timeless(all) == timeless(same))
    for (word, options) in [
      (
        "2026-02-01..2026-02-09",
        ["--from", "2026-02-01", "--to", "2026-02-09"]
      ),
      ("2026-02-09", ["--from", "2026-02-09", "--to", "2026-02-09"]),
    ] {
      let short = try await program.succeeds(["get", "--summary", word, "--output", "json"]).json()
      let long = try await program.succeeds(["get", "--summary", "--output", "json"] + options)
        .json()
      #expect(timeless(short) == timeless(long), "\(word)")
    }
    for (arguments, words) in [
      (["400d"], "at most 366"), (["--by", "day"], "--by"),
      (["--metrics", "step"], "did you mean 'steps'?"),
      (["--from", "2026-02-09", "--to", "2026-02-08"], "R33"), (["7x"], "7x"),
      (["7d", "--to", "today"], "given twice"),
    ] {
      let run = try await program.run(["get", "--summary"] + arguments)
      #expect(run.exitCode == 64, "\(arguments)")
      #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
    }
  }
}
