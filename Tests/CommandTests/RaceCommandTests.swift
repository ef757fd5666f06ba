import Foundation
import TestSupport
import Testing

/// s3race: what a person and a program get from it.
@Suite(.process) final class RaceCommandTests {
  let program: Program

  init() throws { program = try Program().race }

  deinit { program.removeHome() }

  static let lost =
    "subject=412-is-success start=absent writers=2 : u1 u1 u2 u2 u1 u2 u1 u2"

  @Test func `random schedules end with the verdict, the controls and a digest of their own`()
    async throws
  {
    let arguments = [
      "model", "--runs", "\(TestDepth.full(500, usual: 100))", "--seed", "9", "--output", "json",
    ]
    let first = try await program.succeeds(arguments)
    let second = try await program.succeeds(arguments)
    #expect(first.output == second.output)
    let document = try first.json()
    #expect(document["good"] as? Bool == true)
    let controls = try #require(document["controls"] as? [[String: Any]])
    #expect(controls.count == 19)
    #expect(controls.allSatisfy { $0["caught"] as? Bool == true })
  }

  @Test func `a schedule that breaks a promise is reported with the line that replays it`()
    async throws
  {
    let run = try await program.run("replay", Self.lost)
    #expect(run.exitCode == 1, "\(run.output)\(run.errors)")
    #expect(run.output.contains("broken"))
    let line = try #require(run.output.split(separator: "\n").last)
    let schedule = try #require(line.split(separator: "'").dropFirst().first.map(String.init))
    let again = try await program.run("replay", schedule)
    #expect(again.output == run.output)
    let history = try await program.run("replay", Self.lost, "--history")
    let file = try program.file("history.jsonl", Array(history.output.utf8))
    let check = try await program.run("check", file, "--output", "json")
    #expect(check.exitCode == 1)
    #expect(try check.json()["good"] as? Bool == false)
  }

  @Test func `unreadable histories and impossible options are refused with what to do`()
    async throws
  {
    let file = try program.file("notes.txt", Array("hello\n".utf8))
    try await program.fails(
      ["check", file], as: .invalidArguments, saying: "line 1", "recorded")
    try await program.fails(
      ["check", file + ".none"], as: .invalidArguments, saying: "there is no file")
    try await program.fails(
      ["replay", "u1 u2"], as: .invalidArguments, saying: "not a schedule", "colon")
    for arguments in [
      ["model", "--writers", "5"], ["model", "--runs", "0"],
      ["model", "--runs", "5", "--exhaustive"],
    ] {
      let run = try await program.run(arguments)
      #expect(run.exitCode == 64, "\(arguments)")
    }
  }
}
