import Foundation
import TestSupport
import Testing

/// What is not a valid input: refused whole, with the place and what to do, and nothing is stored.
@Suite(.process) struct BadPayloadTests {
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
    Case("blanks", "  \n", "only blanks"),
    Case("no JSON", "steps: 8432", "not valid JSON", "line 1, column 1"),
    Case(
      "cut off", #"{"date": "2026-02-08", "metrics": {"steps": 84"#, "not valid JSON", "cut off"),
    Case("two documents", #"{"metrics": {}} {"metrics": {}}"#, "not valid JSON"),
    Case(
      "NaN", #"{"date": "2026-02-08", "metrics": {"steps": NaN}}"#, "/metrics/steps", "NaN",
      "line 1, column 45"),
    Case(
      "1e999", #"{"date": "2026-02-08", "metrics": {"steps": 1e999}}"#, "/metrics/steps",
      "beyond the range"),
    Case(
      "a number beside no_data",
      #"{"date": "2026-02-08", "metrics": {"steps": 1}, "status": {"steps": "no_data"}}"#,
      "/metrics/steps", "'no_data'", "remove the number, or the status"),
    Case(
      "ok without a number",
      #"{"date": "2026-02-08", "metrics": {"steps": null}, "status": {"steps": "ok"}}"#, "steps",
      "ok"),
    Case(
      "an unknown status",
      #"{"date": "2026-02-08", "metrics": {}, "status": {"steps": "lost"}}"#, "/status/steps",
      "unauthorized"),
    Case(
      "a misspelt metric", #"{"date": "2026-02-08", "metrics": {"stepps": 1}}"#,
      "/metrics/stepps", "steps"),
    Case(
      "a negative number", #"{"date": "2026-02-08", "metrics": {"steps": -1}}"#,
      "/metrics/steps", "negative"),
    Case(
      "a number in quotes", #"{"date": "2026-02-08", "metrics": {"steps": "8432"}}"#,
      "/metrics/steps", "quotes"),
    Case("an array", "[1, 2]", "Health Auto Export"),
    Case("another document", #"{"hello": "world"}"#, "Health Auto Export"),
    Case(
      "a key twice", #"{"metrics": {"steps": 1, "steps": 2}}"#, "/metrics",
      "duplicate key \"steps\""),
    Case(
      "65 levels", String(repeating: "[", count: 65) + String(repeating: "]", count: 65), "deep"),
    Case(
      "a date that does not exist", #"{"date": "2026-02-30", "metrics": {"steps": 1}}"#, "/date",
      "2026-02-30"),
    Case(
      "a day twice",
      #"{"days": [{"date": "2026-02-08", "metrics": {"steps": 1}}, {"date": "2026-02-08", "metrics": {"steps": 2}}]}"#,
      "2026-02-08", "/days/1"),
    Case(
      "an unknown zone in the input",
      #"{"date": "2026-02-08", "timezone": "Mars/Phobos", "metrics": {"steps": 1}}"#,
      "Mars/Phobos", "IANA"),
    Case(
      "a day that its zone skipped",
      #"{"date": "2011-12-30", "timezone": "Pacific/Apia", "metrics": {"steps": 1}}"#,
      "2011-12-30", "Pacific/Apia"),
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
    let program = try Program()
    defer { program.removeHome() }
    try await program.succeeds(["put", "--input", "-"], input: payload())
    let before = try contents(of: program.defaultStore)
    let error = try await program.fails(
      ["put", "--input", "-", "--date", "all"], input: Array(input.text.utf8),
      as: .invalidArguments, saying: "on stdin")
    let words = "\(error["message"] ?? "")\n\(error["remedy"] ?? "")"
    for phrase in input.phrases { #expect(words.contains(phrase), "\(words)") }
    #expect(try contents(of: program.defaultStore) == before)
  }

  @Test func `of several faults every one is reported`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let text = #"{"date": "2026-02-08", "metrics": {"stepps": 1, "stand_hours": -3}}"#
    try await program.fails(
      ["put", "--input", "-"], input: Array(text.utf8), as: .invalidArguments,
      saying: "2 problems", "/metrics/stepps", "/metrics/stand_hours")
  }

  @Test func `a good day beside a bad one is not published alone`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let text = """
      {"days": [{"date": "2026-02-07", "metrics": {"steps": 1}},
                {"date": "2026-02-08", "metrics": {"steps": -1}}]}
      """
    try await program.fails(
      ["put", "--input", "-", "--date", "all"], input: Array(text.utf8), as: .invalidArguments,
      saying: "/days/1/metrics/steps")
    #expect(try contents(of: program.defaultStore).isEmpty)
  }
}
