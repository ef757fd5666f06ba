import Foundation
import TestSupport
import Testing

/// What is not a valid input: refused whole, with the place and what to do, and nothing is stored.
@Suite(.process) struct BadPayloadTests {
  let program: Program

  init() throws { program = try Program() }

  /// An input, and what must be said of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let phrases: [String]

    init(_ description: String, _ text: String, _ phrases: String...) {
      (testDescription, self.text, self.phrases) = (description, text, phrases)
    }
  }

  static let texts: [Case] = [
    Case("no bytes", "", "has no bytes", "check the file"),
    Case("no JSON", "steps: 8432", "not valid JSON", "line 1, column 1"),
    Case(
      "NaN", #"{"date": "2026-02-08", "metrics": {"steps": NaN}}"#, "/metrics/steps", "NaN",
      "line 1, column 45"),
    Case(
      "a number beside no_data",
      #"{"date": "2026-02-08", "metrics": {"steps": 1}, "status": {"steps": "no_data"}}"#,
      "/metrics/steps", "'no_data'", "remove the number, or the status"),
    Case(
      "a misspelt metric", #"{"date": "2026-02-08", "metrics": {"stepps": 1}}"#,
      "/metrics/stepps", "steps"),
    Case(
      "a day twice",
      #"{"days": [{"date": "2026-02-08", "metrics": {"steps": 1}}, {"date": "2026-02-08", "metrics": {"steps": 2}}]}"#,
      "2026-02-08", "/days/1"),
    Case(
      "an unknown zone in the input",
      #"{"date": "2026-02-08", "timezone": "Mars/Phobos", "metrics": {"steps": 1}}"#,
      "Mars/Phobos", "IANA"),
    Case(
      "a cut-off export",
      #"{"data": {"metrics": [{"name": "step_count", "units": "count", "data": [{"qty": 1"#,
      "not valid JSON", "cut off"),
    Case(
      "an export without its date",
      #"{"data": {"metrics": [{"name": "step_count", "units": "count", "data": [{"qty": 1}]}]}}"#,
      "/data/metrics/0/data/0", "date"),
  ]

  @Test(arguments: texts)
  func `an input that can't be taken is refused, and what is stored stays`(_ input: Case)
    async throws
  {
    try await program.put(payload())
    let before = try contents(of: program.defaultStore)
    let put = ["put", "--input", "-", "--date", "all"]
    try await program.fails(put, input.text, .invalidArguments, ["on stdin"] + input.phrases)
    #expect(try contents(of: program.defaultStore) == before)
  }

  @Test func `of several faults every one is reported`() async throws {
    let text = #"{"date": "2026-02-08", "metrics": {"stepps": 1, "stand_hours": -3}}"#
    try await program.refuses(
      ["put", "--input", "-"], input: text,
      saying: "2 problems", "/metrics/stepps", "/metrics/stand_hours")
  }

  @Test func `a good day beside a bad one is not published alone`() async throws {
    let text = """
      {"days": [{"date": "2026-02-07", "metrics": {"steps": 1}},
                {"date": "2026-02-08", "metrics": {"steps": -1}}]}
      """
    try await program.refuses(
      ["put", "--input", "-", "--date", "all"], input: text,
      saying: "/days/1/metrics/steps")
    #expect(try contents(of: program.defaultStore).isEmpty)
  }
}
