import Foundation
import TestSupport
import Testing

/// `--quiet` and `--no-progress`, and what is said of many days at once.
@Suite(.process) struct QuietTests {
  @Test func `--quiet silences remarks and progress, and no error`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let input = Array(#"{"date": "2026-02-08", "mood": "good", "metrics": {"steps": 1}}"#.utf8)
    let put = ["put", "--input", "-"]
    #expect(try await program.succeeds(put, input: input).errors.contains("mood"))
    #expect(try await program.succeeds(put + ["--quiet"], input: input).errors.isEmpty)
    let failed = try await program.run(put + ["-q"], input: Array("{".utf8))
    #expect(failed.exitCode == 64 && failed.errors.hasPrefix("s3health: "))
    #expect(try await program.run(put + ["-q", "-v"]).exitCode == 64)

    let terminal = try program.onTerminal(columns: 100, errorsToo: true)
    let range = ["verify", "--from", "2026-02-01", "--to", "2026-02-08"]
    #expect(try await terminal.run(range).output.contains("verifying 8/8"))
    for flag in ["--quiet", "--no-progress"] {
      let run = try await terminal.run(range + [flag])
      #expect(!run.output.contains("verifying") && !run.output.contains("\u{1B}[K"))
      #expect(run.output.contains("8 days: 1 complete"))
    }
    #expect(
      try await program.run(["verify", "--no-progress"]).errors.contains(
        "no dates given: verifying"))
  }

  @Test func `a million notes and days that were not attempted are reported in a few lines`()
    async throws
  {
    let program = try Program().onHostile().sendingOnce()
    defer { program.removeHome() }
    let days = (1...28).map {
      #"{"date": "2026-02-\#($0 < 10 ? "0" : "")\#($0)", "mood": 1, "metrics": {"steps": \#($0)}}"#
    }
    let input = Array(#"{"days": [\#(days.joined(separator: ","))]}"#.utf8)
    let run = try await program.run(
      [
        "put", "--date", "all", "--input", "-", "--concurrency", "1", "--store", "s3://bucket/p",
        "--endpoint-url", "http://127.0.0.1:9",
      ], input: input)
    #expect(run.exitCode == 69)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "failed         2026-02-01", "not attempted  2026-02-02 to 2026-02-28 (27 days)",
        "28 days: 1 failed, 27 not attempted",
      ], "\(run.output)")
    #expect(run.errors.contains("s3health: 27 more days were not published"), "\(run.errors)")
    #expect(run.errors.components(separatedBy: "\nnote: ").count <= 12, "\(run.errors)")
    #expect(
      run.errors.contains(
        "note: 2026-02-01 to 2026-02-28 (28 days): /mood is not known and was ignored\n"),
      "\(run.errors)")
    #expect(!run.errors.contains(" more; "), "nothing is left out: \(run.errors)")
  }

  @Test func `--quiet silences what get says of a revision that does not conform (R41)`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    try await program.succeeds(["put", "--input", "-"], input: payload())
    let folder = program.defaultStore.appending(path: "health/v0/data/2026/02/08/revisions")
    let name = try #require(try contents(of: folder).keys.first)
    let file = folder.appending(path: name)
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(text.replacing(#""steps":"count""#, with: #""steps":"steps""#).utf8).write(to: file)
    for more in [[], ["-o", "json"], ["--as-of", "today"]] {
      let get = ["get", "2026-02-08"] + more
      let loud = try await program.succeeds(get)
      #expect(loud.errors.hasPrefix("note: revision 2"), "\(loud.errors)")
      #expect(loud.errors.contains(" does not conform: ") && loud.errors.contains("[R9]"))
      let quiet = try await program.succeeds(get + ["-q"])
      #expect(quiet.errors.isEmpty && quiet.output == loud.output, "\(quiet.errors)")
    }
    // What can't be read is skipped with the same word.
    try Data("{".utf8).write(to: folder.appending(path: "99990101T000000Z-7F3A2C4D.json"))
    let skipped = try await program.succeeds(["get", "2026-02-08"])
    #expect(
      skipped.errors.hasPrefix("note: skipped revision 99990101T000000Z-7F3A2C4D: "),
      "\(skipped.errors)")
    #expect(
      try await program.succeeds(["get", "2026-02-08", "-q"]).errors.isEmpty)
  }

  @Test func `a quiet run of cron prints nothing while all is well, and what is wrong`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    func quiet(_ arguments: String...) async throws -> (Int, String) {
      let run = try await program.run(arguments + ["--quiet"])
      return (run.exitCode, run.output)
    }
    try await program.succeeds(["put", "--input", "-"], input: payload())
    #expect(
      try await quiet("verify", "--from", "2026-02-08", "--to", "2026-02-08") == (0, ""))
    let found = try await quiet("verify", "--from", "2026-02-07", "--to", "2026-02-08")
    #expect(found.0 == 1 && found.1.contains("2 days: 1 complete, 1 missing"))
    #expect(try await quiet("raw", "sync") == (0, ""))
    let point = #"{"timestamp":"2026-02-08T10:00:00Z","latitude":1,"longitude":2,"altitude":3,"#
    let rest = #""speed":1,"horizontal_accuracy":1,"vertical_accuracy":1}"#
    let add = ["raw", "add", "--stream", "location"]
    try await program.succeeds(add, input: Array((point + rest).utf8))
    #expect(try await quiet("raw", "sync") == (0, ""))
    try await program.succeeds(add, input: Array((point + rest).utf8))
    let away = try await program.run([
      "raw", "sync", "--quiet", "--store", "s3://bucket/p", "--endpoint-url", "http://127.0.0.1:9",
    ])
    #expect(away.exitCode != 0 && !away.errors.isEmpty)
  }
}
