import Foundation
import TestSupport
import Testing

/// R20: a source is taken back, and the others show again.
@Suite(.process) struct WithdrawTests {
  private static let date = "2026-02-08"

  private static func export(_ program: Program, _ steps: Int, name: String) throws -> String {
    let bytes = SmallExport.bytes(
      made: "2026-02-10 20:00:00 +0100",
      [SmallExport.record("StepCount", steps, from: "\(date) 10:00:00 +0100")])
    return try program.file(name, bytes)
  }

  private static func steps(_ program: Program) async throws -> Int? {
    (try await program.day(date)["metrics"] as? [String: Any])?["steps"] as? Int
  }

  @Test
  func `R20 what other sources say shows again when a source is withdrawn, and nothing is deleted`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    try await program.succeeds(["put", "--input", "-"], input: payload(steps: 7000))
    _ = try await program.succeeds(["import", try Self.export(program, 12_000, name: "a.xml")])
    // What a person has given was captured after the export was made.
    #expect(try await Self.steps(program) == 7000)
    let withdraw = ["put", "--date", "all", "--withdraw"]
    let shown = try await program.succeeds(withdraw + ["metrics_json", "--dry-run"])
    #expect(shown.output.contains("would publish"), "\(shown.output)")
    #expect(try await Self.steps(program) == 7000)
    _ = try await program.succeeds(withdraw + ["metrics_json"])
    #expect(try await Self.steps(program) == 12_000)
    let revisions = try await program.revisions(Self.date)
    let again = try await program.succeeds(withdraw + ["metrics_json"])
    #expect(again.errors.contains("no day has a number of the source 'metrics_json'"))
    #expect(try await program.revisions(Self.date) == revisions)
    // And it comes back.
    try await program.succeeds(["put", "--input", "-", "--force"], input: payload(steps: 7000))
    #expect(try await Self.steps(program) == 7000)
    _ = try await program.succeeds(withdraw + ["metrics_json"])
    _ = try await program.succeeds(withdraw + ["apple_health_export"])
    #expect(try await Self.steps(program) == nil)
  }

  @Test func `an export of a second device takes nothing of the first one's away (R19)`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let (mine, other) = (
      try Self.export(program, 12_000, name: "mine.xml"),
      try program.file(
        "other.xml",
        SmallExport.bytes(
          made: "2026-02-11 20:00:00 +0100",
          [
            SmallExport.record("StepCount", 5, from: "2026-02-07 10:00:00 +0100"),
            SmallExport.record("StepCount", 6, from: "2026-02-09 10:00:00 +0100"),
          ]))
    )
    _ = try await program.succeeds(["import", mine])
    _ = try await program.succeeds(["import", other, "--source", "watch-of-ann"])
    #expect(try await Self.steps(program) == 12_000)
  }

  @Test(arguments: [
    ["--withdraw", "streams", "--date", "all"], ["--withdraw", "metrics_json"],
    ["--withdraw", "metrics_json", "--date", "all", "--input", "x.json"],
    ["--withdraw", "metrics_json", "--date", "all", "--force"],
    ["--withdraw", "metrics_json", "--date", "all", "--metrics", "v0"],
  ])
  func `withdrawing goes with nothing that it would pass over in silence`(
    arguments: [String]
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let run = try await program.run(["put"] + arguments)
    #expect(run.exitCode == 64 && run.errors.contains("withdraw"), "\(run)")
  }
}
