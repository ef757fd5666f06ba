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

  @Test func `R20 other sources' words show again when a source is withdrawn`() async throws {
    let program = try Program()
    try await program.put(payload(steps: 7000))
    _ = try await program.succeeds(["import", try Self.export(program, 12_000, name: "a.xml")])
    // What a person has given was captured after the export was made.
    #expect(try await program.steps(Self.date) == 7000)
    let withdraw = ["put", "--date", "all", "--withdraw"]
    try await program.succeeds(withdraw + ["metrics_json", "--dry-run"], printing: "would publish")
    #expect(try await program.steps(Self.date) == 7000)
    _ = try await program.succeeds(withdraw + ["metrics_json"])
    #expect(try await program.steps(Self.date) == 12_000)
    let revisions = try await program.revisions(Self.date)
    try await program.succeeds(
      withdraw + ["metrics_json"], saying: "'metrics_json' is withdrawn from these days already")
    #expect(try await program.revisions(Self.date) == revisions)
    // And it comes back.
    try await program.succeeds(["put", "--input", "-", "--force"], input: payload(steps: 7000))
    #expect(try await program.steps(Self.date) == 7000)
    _ = try await program.succeeds(withdraw + ["metrics_json"])
    _ = try await program.succeeds(withdraw + ["apple_health_export"])
    #expect(try await program.steps(Self.date) == nil)
  }

  @Test func `a source of which the days have nothing is refused, with the name that was meant`()
    async throws
  {
    let program = try Program()
    try await program.put(payload(steps: 7000))
    for (name, words) in [
      ("metrics_jsn", "did you mean 'metrics_json'?"), ("watch", "sources: metrics_json"),
    ] {
      for dry in [[], ["--dry-run"]] {
        try await program.run(
          ["put", "--withdraw", name, "--date", "all"] + dry, ends: 66, saying: words)
      }
    }
    try await program.run(
      ["put", "--withdraw", "metrics_json", "--date", "2025-01-01"], ends: 66,
      saying: "no day of these has anything")
    #expect(try await program.revisions(Self.date) == 1)
  }

  @Test func `an export of a second device takes nothing of the first's (R19)`() async throws {
    let program = try Program()
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
    #expect(try await program.steps(Self.date) == 12_000)
  }

  @Test(arguments: [
    ["--withdraw", "streams", "--date", "all"], ["--withdraw", "metrics_json"],
    ["--withdraw", "metrics_json", "--date", "all", "--input", "x.json"],
    ["--withdraw", "metrics_json", "--date", "all", "--force"],
    ["--withdraw", "metrics_json", "--date", "all", "--metrics", "v0"],
  ])
  func `withdrawing passes over nothing in silence`(arguments: [String]) async throws {
    let program = try Program()
    try await program.run(["put"] + arguments, ends: 64, saying: "withdraw")
  }
}
