import Foundation
import TestSupport
import Testing

/// What else a person gets from s3race.
extension RaceCommandTests {
  @Test func `the hubs' world is raced by a seed, with its controls, and a run is replayed`()
    async throws
  {
    let broken = ["replay", "--world", "hubs", "6", "--subject", "blind-pointer"]
    let replayed = try await program.run(broken)
    #expect(replayed.exitCode == 1 && replayed.output.contains("pointer never goes back"))
    #expect(replayed.output.contains("write the pointer of day 0"))
    #expect(try await program.run(broken).output == replayed.output)
    let sound = try await program.succeeds(["replay", "--world", "hubs", "7"])
    #expect(sound.output.contains("no promise broken"))
    let outbox = try await program.succeeds(["model", "--world", "outbox", "-o", "json"]).json()
    #expect(outbox["good"] as? Bool == true && outbox["world"] as? String == "outbox")
    #expect((outbox["controls"] as? [[String: Any]])?.count == 4)
    for arguments in [
      ["model", "--world", "hubs", "--writers", "2"],
      ["model", "--world", "outbox", "--runs", "5"],
      ["replay", "--world", "hubs", "x"],
    ] {
      #expect(try await program.run(arguments).exitCode == 64, "\(arguments)")
    }
  }

  @Test func `a seed prints the same every time, and its history passes the check`() async throws {
    let first = try await program.succeeds(["replay", "9"])
    #expect(first.output.contains("GET latest.json"))
    #expect(first.output.contains("no promise broken"))
    #expect(try await program.succeeds(["replay", "9"]).output == first.output)
    let history = try await program.succeeds(["replay", "9", "--history"])
    let file = try program.file("history.jsonl", Array(history.output.utf8))
    #expect(try await program.succeeds(["check", file]).output.contains("good"))
  }

  @Test func `a file is replayed: a history moment by moment, a failing run's last line as played`()
    async throws
  {
    let history = try await program.succeeds(["replay", "9", "--history"])
    let recorded = try program.file("recorded.jsonl", Array(history.output.utf8))
    let told = try await program.succeeds(["replay", recorded])
    #expect(told.output.contains("publishes 2026"))
    #expect(told.output.contains("acknowledged"))
    #expect(told.output.contains("no promise broken"))
    #expect(try await program.succeeds(["replay", recorded]).output == told.output)
    let failing = try await program.run("replay", Self.lost)
    let printed = try program.file("printed.txt", Array(failing.output.utf8))
    #expect(try await program.run("replay", printed).output == failing.output)
    let broken = try await program.run("replay", Self.lost, "--history")
    let file = try program.file("broken.jsonl", Array(broken.output.utf8))
    let run = try await program.run("replay", file)
    #expect(run.exitCode == 1)
    #expect(run.output.contains("! ") && run.output.contains("broken"))
    try await program.fails(
      ["replay", file, "--shrink"], as: .invalidArguments, saying: "for schedules")
    try await program.fails(
      ["replay", "none.jsonl"], as: .invalidArguments, saying: "there is no file")
  }

  @Test func `help of s3race is not an error, and leaves out the worlds that are not a store`()
    async throws
  {
    for command in [[], ["run"], ["model"], ["replay"], ["check"]] {
      let help = try await program.succeeds(command + ["--help"])
      #expect(help.output.contains("USAGE: s3race") && help.errors.isEmpty)
      #expect(!help.output.contains("--world"))
    }
    #expect(try await program.succeeds(["model", "--help-hidden"]).output.contains("--world"))
    let misspelt = try await program.run("rnu")
    #expect(misspelt.exitCode == 64 && misspelt.errors.contains("--help' for more information"))
    var person = program
    person.binary = Program.path
    #expect(
      try await program.succeeds(["--version"]).output
        == person.succeeds(["--version"]).output)
  }
}
