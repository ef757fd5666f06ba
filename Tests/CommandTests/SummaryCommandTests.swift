import Foundation
import TestSupport
import Testing

/// `s3health get --summary`: the answer of an agent's tool for people (R61).
@Suite(.process) struct SummaryCommandTests {
  /// A document without how old its newest day is: the second of two runs may find it a second older.
  func timeless(_ document: [String: Any]) -> NSDictionary {
    document.filter { $0.key != "freshness" } as NSDictionary
  }

  func filled() async throws -> Program {
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
      input: #"{"days":[\#(days.joined(separator: ","))]}"#)
    return program
  }

  private let span = ["--from", "2026-02-15", "--to", "2026-02-28"]

  @Test func `R61: a summary is a table for people, and names what does not count`() async throws {
    let program = try await filled()
    let run = try await program.succeeds(
      ["get", "--summary", "--compare", "--metrics", "steps,sleep_asleep_minutes"] + span)
    #expect(
      run.output == """
        2026-02-15 to 2026-02-28 (14 days), compared with 2026-02-01 to 2026-02-14

        metric  days       mean     median       least       most    change
        steps     14     10,750     10,750       7,500     14,000  +6,833.3  +174.5 %
        asleep    14  7 h 2 min  7 h 2 min  6 h 55 min  7 h 8 min   +14 min    +3.4 %

        before, missing, not counted: 2026-02-05 to 2026-02-06

        """)
  }

  @Test func `R61: a comparison that is too wide has the change in a table of its own`()
    async throws
  {
    let program = try await filled()
    let run = try await program.succeeds(
      [
        "get", "--summary", "--compare", "--metrics",
        "steps,sleep_asleep_minutes,hrv_sdnn_avg",
      ] + span)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.output)")
    #expect(run.output.contains("\nchange of the mean\n"), "\(run.output)")
  }

  @Test func `R61: the JSON of a summary is what an agent gets`() async throws {
    let program = try await filled()
    let run = try await program.succeeds(
      ["get", "--summary", "--compare", "--by", "week", "--output", "json"] + span)
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
}
