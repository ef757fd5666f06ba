import Foundation
import TestSupport
import Testing

/// Further days of the past (R36, R37).
extension HistoryCommandTests {
  @Test func `R36 a moment before the first revision has no data, and a wrong one is refused`()
    async throws
  {
    let (program, store, ids) = try history()
    defer { program.removeHome() }
    try await program.fails(
      ["get", "--as-of", "2026-02-08T17:59:59Z"] + store, as: .dataNotFound,
      saying: "had no readable revision at 2026-02-08T17:59:59Z", ids[0], "--history")
    // The end of that day in Berlin is 23:00 UTC of it.
    try await program.succeeds(["get", "--as-of", "2026-02-08"] + store)
    for wrong in ["then", "2026-02-30", "2026-02-08T10:00:00", "all", ""] {
      try await program.fails(
        ["get", "--as-of", wrong] + store, as: .invalidArguments, saying: "not a valid time")
    }
    for other in [["--history"], ["--revision", ids[0]]] {
      let run = try await program.run(["get", "--as-of", "today"] + other + store)
      #expect(run.exitCode == 64 && run.errors.contains("can't be used together"))
    }
  }

  @Test func `R37 diff shows why a number is missing, and compares what is not valid`()
    async throws
  {
    let (program, store, ids) = try history()
    defer { program.removeHome() }
    let text = try await program.succeeds(
      ["get", "--diff", "--revision", ids[0], "--revision", ids[2]] + store)
    #expect(text.errors.contains("R9"))
    #expect(
      text.output.contains("  heart rate variability   - (not authorised) -> 48.25 ms\n"))
    #expect(text.output.contains("8,000 -> 8,002 steps  (+2)"))
    #expect(text.output.contains("+ revision \(ids[2])  made 2026-02-10T06:00:00Z  not valid"))
    // The other way round is the other way round.
    let back = try await program.succeeds(
      ["get", "--diff", "--revision", ids[2], "--revision", ids[0]] + store)
    #expect(back.output.contains("8,002 steps -> 8,000  (-2)"))
  }

  @Test func `R37, R42 diff shows an optional metric in one line, as it does a required one`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    for metrics in [#"{"steps":7,"weight":80.5}"#, #"{"steps":7,"weight":81,"vo2_max":41}"#] {
      try await program.succeeds(
        ["put", "--input", "-"], input: Array(#"{"date":"2026-02-08","metrics":\#(metrics)}"#.utf8))
    }
    let lines = try await program.succeeds(["get", "--diff", "2026-02-08"]).output
      .split(separator: "\n").map(String.init)
    #expect(
      lines.dropFirst(3) == [
        "  VO2 max                  nothing -> 41 mL/(kg·min)",
        "  weight                   80.5 kg -> 81 kg  (+0.5)",
      ], "\(lines)")
  }
}
