import Foundation
import TestSupport
import Testing

/// What a terminal of 80 columns shows: a table that is wider breaks in the middle of its rows.
@Suite(.process) struct NarrowOutputTests {
  @Test func `a day's publish, history, sources and runs fit 80 columns`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    func run(_ arguments: [String], input: String = "") async throws -> String {
      let output = try await program.succeeds(arguments, input: Array(input.utf8)).output
      // The first line of `ls` and `status` is the store's name, however long that is.
      #expect(output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(output)")
      return output
    }
    let put = ["put", "--date", "2026-02-08", "--input", "-"]
    _ = try await run(put, input: #"{"metrics":{"steps":7000,"weight":71.2}}"#)
    let second = try await run(
      put + ["--source", "watch"], input: #"{"metrics":{"steps":12000}}"#)
    #expect(second.contains("  (changed)\n           1 number kept"), "\(second)")
    #expect(try await run(["get", "2026-02-08", "--history"]).hasSuffix("  latest\n"))
    let sources = try await run(["get", "2026-02-08", "--explain"])
    #expect(sources.contains("[2]  not shown\n"), "\(sources)")
    #expect(sources.contains("\n  [1] all of the day, read "), "\(sources)")
    let days = (10...28).map { #"{"date":"2026-01-\#($0)","metrics":{"steps":\#($0)}}"# }
    _ = try await run(
      ["put", "--date", "all", "--input", "-", "--source", "a_second_watch_of_the_same_person"],
      input: #"{"days":[\#(days.joined(separator: ","))]}"#)
    let runs = try await run(["runs"])
    #expect(runs.contains("    19 days  a_second_watch_of_…  2026-01-10..28\n"), "\(runs)")
    try await program.succeeds(["undo", "--yes"])
    #expect(try await run(["runs"]).contains("    undone  a_second"))
  }

  @Test func `what a terminal shows is broken between words`() async throws {
    var program = try Program().withoutZone()
    defer { program.removeHome() }
    program.environment["TZ"] = "Etc/UTC"
    program.environment["NO_COLOR"] = "1"
    let export = try program.export(
      made: "2026-01-20 12:00:00 +0000",
      (2...9).flatMap { day in
        [
          SmallExport.record("StepCount", 1000 + day, from: "2026-01-0\(day) 12:00:00 +0000"),
          SmallExport.record(
            "BodyMass", 71.236, unit: "kg", from: "2026-01-0\(day) 12:00:00 +0000"),
          SmallExport.record(
            "VO2Max", 41, unit: "mL/min·kg", from: "2026-01-0\(day) 12:00:00 +0000"),
          SmallExport.record(
            "HeartRate", 60 + day, unit: "count/min", from: "2026-01-0\(day) 12:00:00 +0000"),
          SmallExport.record(
            "DietarySodium", 3, unit: "mg", from: "2026-01-0\(day) 12:00:00 +0000"),
        ]
      })
    let terminal = try program.onTerminal(columns: 80, errorsToo: true)
    for command in [
      ["import", export, "--dry-run"], ["import", export],
      ["import", export, "--explain", "2026-01-02"],
      [
        "put", "--input",
        try program.file(
          "part.json",
          #"{"date":"2026-01-20","captured_at":"2026-01-20T08:00:00Z","metrics":{"steps":7}}"#),
      ],
      [
        "put", "--date", "today", "--input",
        try program.file("day.json", #"{"metrics":{"steps":7}}"#),
      ],
      ["get"], ["get", "2026-01-02..2026-01-09"], ["get", "3d"], ["status"], ["doctor"], ["runs"],
      ["verify", "2026-01"],
      ["undo", "--dry-run"], ["undo", "--yes"], ["get"], ["status"], ["undo"],
      ["get", "yesterday"],
      ["put", "--date", "3 days", "--input", "-"],
    ] {
      let shown = try await terminal.run(command).output
      let wide = shown.split(whereSeparator: \.isNewline)
        // A line that is drawn again ends with what stays.
        .map { $0.split(separator: "\u{1B}[K").last.map(String.init) ?? "" }
        // No path is broken.
        .filter { $0.count > 80 && !$0.contains(program.home.path) }
      #expect(wide.isEmpty, "\(command): \(wide)")
    }
    let weight = try await terminal.run(["get", "2026-01-02"]).output
    #expect(weight.contains(" 71.2 kg"), "\(weight)")
    let sources = try await terminal.run(["get", "2026-01-02", "--explain"]).output
    #expect(sources.contains(" 71.2 kg"), "\(sources)")
  }
}
