import Foundation
import TestSupport
import Testing

/// Command lines that mean nothing.
@Suite(.process) struct BadArgumentTests {
  let program: Program

  init() throws { program = try Program() }

  @Test(arguments: [
    (["get", "--bogus"], "--bogus"), (["put"], "--input"),
    (["get", "all", "--history"], "needs a single date"),
    (["get", "--history", "--revision", "20260101T000000Z-ABCDEF"], "can't be used together"),
    (
      ["put", "--input", "-", "--date", "today", "--from", "today", "--to", "today"],
      "can't be used together"
    ),
    (["put", "--input", "-", "--from", "all"], "take dates"),
    (["import", "export.zip", "--date", "2024", "--to", "today"], "can't be used together"),
    (["put", "--input", "-", "--input", "-"], "can be given only once"),
    (["put", "--input", "-", "--concurrency", "0"], "1 to 256"),
    (["verify", "--from", "today", "--to", "all"], "take dates, not"),
    (["verify", "--from", "today", "--to", "today", "--max-days", "x"], "--max-days"),
    (
      ["get", "--diff", "2026-02-08", "--revision", "latest", "--revision", "newest"],
      "is not a revision id"
    ),
    (["get", "--diff", "--revision", "20260208T100000Z-7F3A2C4D"], "takes two revision ids"),
  ])
  func `a wrong command line is refused, in JSON as well`(
    arguments: [String], phrase: String
  ) async throws {
    let text = try await program.run(arguments, ends: 64)
    #expect(text.output.isEmpty)
    #expect(text.errors.contains(phrase))
    for form in [["--output", "json"], ["--output=json"], ["-o", "json"]] {
      let run = try await program.run(arguments + form, ends: 64)
      let error = try #require(try run.json()["error"] as? [String: Any])
      #expect(error["code"] as? String == "INVALID_ARGUMENTS")
      #expect((error["message"] as? String)?.contains(phrase) == true, "\(error)")
    }
  }

  @Test(arguments: [
    (["--hlep"], "Did you mean '--help'?"), (["get", "--hlep"], "Did you mean '--help'?"),
    (["--versoin"], "Did you mean '--version'?"), (["gte"], "Did you mean 'get'?"),
    (["gte", "yesterday"], "Unknown command 'gte'. Did you mean 'get'?"),
    (["raw", "ad"], "Did you mean 'add'?"), (["cat"], "Did you mean 'raw cat'?"),
    (["people", "cat"], "Unknown command 'cat'\n"),
    (["summary", "30d"], "Unknown command 'summary'\n"),
    (["get", "--stor"], "Did you mean '--store'?"),
    (["verify", "--last", "30d"], "Unknown option '--last'\n"),
    (["get", "2026-01-01", "today"], "Did you mean '2026-01-01..today'?"),
    (["get", "2026-01-01", "weight"], "Unexpected argument 'weight'\n"),
  ])
  func `a misspelt word is answered with the one that was probably meant`(
    arguments: [String], question: String
  ) async throws {
    try await program.run(arguments, ends: 64, saying: question, "--help' for more information")
  }

  @Test func `options with values out of their range are refused`() async throws {
    for (flags, phrase) in [
      (["--timeout", "0"], "--timeout is \"0\", not a number from 1 to 3600"),
      (["--config", "/nonexistent/config"], "/nonexistent/config"),
    ] {
      try await program.refuses(["get"] + flags, saying: phrase)
    }
    for flag in ["--collector-id", "--device-id"] {
      let error = try await program.refuses(
        ["put", "--input", "-", flag, "me"], input: payload(),
        saying: "\(flag) \"me\" is not a UUID")
      #expect(error["rule"] as? String == "R12")
    }
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `help of a command that there is not is refused with the nearest one`() async throws {
    for (words, phrase) in [
      (["gte"], "did you mean get?"), (["raw", "nosuch"], "unknown command nosuch"),
    ] {
      let run = try await program.run(["help"] + words)
      #expect(run.exitCode == 64 && run.output.isEmpty && run.errors.contains(phrase), "\(run)")
    }
    #expect(try await program.succeeds(["help", "raw", "cat"]).output.contains("s3health raw cat"))
  }

  @Test func `the help of the program fits on a screen of 40 lines`() async throws {
    let lines = try await program.succeeds(["--help"]).output
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 40 && lines.allSatisfy { $0.count <= 80 }, "\(lines.count)")
  }

  @Test func `no command has more than 15 options of its own`() async throws {
    let help = try await program.succeeds(["--help"]).output
    let commands = help.matches(of: #/(?m)^  ([a-z]+)  +[A-Z]/#).map { String($0.1) }
    #expect(commands.count <= 20, "\(commands)")
    for command in commands + ["raw sync", "schedule install", "export table"] {
      let text = try await program.succeeds(command.split(separator: " ").map(String.init) + ["-h"])
        .output
      let own =
        text.components(separatedBy: "\nOPTIONS:\n").last?
        .components(separatedBy: "\n\n").first ?? ""
      let options = own.matches(of: #/(?m)^  (?:-[a-z], )?--([a-z-]+)/#).map { $0.1 }
        .filter { !["help", "version"].contains($0) }
      #expect(options.count <= 15, "\(command): \(options)")
    }
  }

  @Test func `help and version are not errors`() async throws {
    let commands = [
      "init", "put", "import", "get", "ls", "verify", "report", "doctor", "mcp",
    ]
    for command in [[]] + commands.map({ [$0] }) {
      let help = try await program.succeeds(command + ["--help"], printing: "USAGE: s3health")
      #expect(help.errors.isEmpty)
      // An example that is broken in two can't be pasted.
      let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
      for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  s3health ") {
        #expect(next.isEmpty || next.hasPrefix("  "), "\(line)\n\(next)")
      }
    }
    #expect(try await program.succeeds(["--version"]).output.split(separator: ".").count == 3)
  }
}
