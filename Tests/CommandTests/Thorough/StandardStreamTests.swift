import Foundation
import TestSupport
import Testing

/// Where results go, and what happens where they can't.
@Suite(.process) struct StandardStreamTests {
  private static let commands = [
    ["get", "2026-02-08"], ["get", "2026-02-08", "--output", "json"],
    ["get", "2026-02-08", "--history"],
    ["verify", "--from", "2026-02-08", "--to", "2026-02-08"], ["doctor"],
  ]

  #if os(Linux)
    @Test(arguments: commands)
    func `results that can't be written are an error, not a silence`(command: [String])
      async throws
    {
      let program = try Program()
      defer { program.removeHome() }
      try await program.succeeds(["put", "--input", "-"], input: payload())
      let run = try await program.inShell("exec \"$@\" >/dev/full").run(command)
      #expect(run.exitCode == 69)
      #expect(run.errors.contains("results can't be written: No space left"), "\(run.errors)")
      #expect(run.errors.contains("check the pipe or file that stdout goes to"))
    }

    @Test(arguments: [
      ["--help"], ["--version"], ["help", "put"], ["put", "--help"],
      ["--generate-completion-script", "bash"],
    ])
    func `a help text or a script for the shell that can't be written is an error`(
      command: [String]
    ) async throws {
      let program = try Program()
      defer { program.removeHome() }
      let run = try await program.inShell("exec \"$@\" >/dev/full").run(command)
      #expect(run.exitCode == 69)
      #expect(run.errors.contains("results can't be written: No space left"), "\(run.errors)")
      #expect(try await !program.succeeds(command).output.isEmpty)
    }

    @Test func `a put whose report can't be written has published all the same`() async throws {
      let program = try Program()
      defer { program.removeHome() }
      let run = try await program.inShell("exec \"$@\" >/dev/full").run(
        ["put", "--input", "-"], input: payload())
      #expect(run.exitCode == 69)
      let get = try await program.succeeds(["get", "2026-02-08"])
      #expect(get.output.contains("8,432"))
    }
  #endif

  @Test(arguments: commands)
  func `results are not written into a file that got a closed stdout's number`(
    command: [String]
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    try await program.succeeds(["put", "--input", "-"], input: payload())
    let before = try contents(of: program.defaultStore)
    let run = try await program.inShell("exec \"$@\" >&-").run(command)
    #expect(run.exitCode == 70)
    #expect(run.errors.contains("results can't be written: Bad file descriptor"), "\(run.errors)")
    #expect(try contents(of: program.defaultStore) == before)
  }

  @Test func `a closed stdin is an error, however often it is tried, and never a crash`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    for _ in 0..<20 {
      for command in [["put", "--date", "2026-02-08", "--input", "-"], ["import", "-"]] {
        let run = try await program.inShell("exec \"$@\" <&-").run(command)
        #expect(run.exitCode == 64, "\(run.errors)")
        #expect(run.errors.contains("stdin can't be read: Bad file descriptor"), "\(run.errors)")
      }
    }
  }

  @Test func `a reader who leaves ends the program without a word`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    try await program.succeeds(["put", "--input", "-"], input: payload())
    // 141 is how shells see the end by SIGPIPE.
    let script = "{ sleep 0.2; \"$@\"; echo \"exit $?\" >&2; } | true"
    for command in Self.commands {
      let run = try await program.inShell(script).run(command)
      #expect(run.errors == "exit 141\n", "\(run.errors)")
    }
  }

  @Test func `a put goes on when nobody reads what it says`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    let store = ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint("honest")]
    // With --verbose it speaks before it publishes.
    _ = try await program.inShell("{ sleep 0.2; \"$@\"; } 2>&1 | true").run(
      ["put", "--input", "-", "--verbose"] + store, input: payload())
    try await program.succeeds(["get", "2026-02-08"] + store)
  }

  @Test func `results stand on stdout alone, words about the run on stderr`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let put = try await program.succeeds(["put", "--input", "-", "--verbose"], input: payload())
    #expect(put.output.hasPrefix("published"))
    #expect(put.output.split(separator: "\n").count == 1)
    let get = try await program.succeeds(["get", "2026-02-08", "--verbose", "-o", "json"])
    #expect(try get.json()["date"] as? String == "2026-02-08")
    let silent = try await program.succeeds(["get", "2026-02-08"])
    #expect(silent.errors.isEmpty)
  }
}
