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
}
