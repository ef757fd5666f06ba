import Foundation
import TestSupport
import Testing

/// `--quiet` and `--no-progress`, and what is said of many days at once.
@Suite(.process) struct QuietTests {
  @Test func `--quiet silences remarks and progress, and no error`() async throws {
    let program = try Program()
    let input = Array(#"{"date": "2026-02-08", "mood": "good", "metrics": {"steps": 1}}"#.utf8)
    let put = ["put", "--input", "-"]
    #expect(try await program.succeeds(put, input: input).errors.contains("mood"))
    #expect(try await program.succeeds(put + ["--quiet"], input: input).errors.isEmpty)
    let failed = try await program.run(put + ["-q"], input: "{")
    #expect(failed.exitCode == 64 && failed.errors.hasPrefix("s3health: "))
    #expect(try await program.run(put + ["-q", "-v"]).exitCode == 64)

    let terminal = try program.onTerminal(columns: 100, errorsToo: true)
    let range = ["verify", "2026-02-01..2026-02-08"]
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

  @Test func `a million notes and days not attempted are a few lines`() async throws {
    let program = try Program().onHostile().sendingOnce()
    let days = (1...28).map {
      #"{"date": "2026-02-\#($0 < 10 ? "0" : "")\#($0)", "mood": 1, "metrics": {"steps": \#($0)}}"#
    }
    let input = Array(#"{"days": [\#(days.joined(separator: ","))]}"#.utf8)
    // The server answers two requests: whether there are people, and what days there are.
    let run = try await program.run(
      [
        "put", "--date", "all", "--input", "-", "--concurrency", "1", "--store", "s3://after-2/p",
        "--endpoint-url", try HostileStore().endpoint("diesafter"),
      ], input: input, ends: 69)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "failed         2026-02-01", "not attempted  2026-02-02 to 2026-02-28 (27 days)",
        "28 days: 1 failed, 27 not attempted",
      ], "\(run.output)")
    #expect(run.errors.contains("s3health: 27 more days were not published"))
    #expect(run.errors.components(separatedBy: "\nnote: ").count <= 12)
    #expect(
      run.errors.contains(
        "note: 2026-02-01 to 2026-02-28 (28 days): /mood is not known and was ignored\n"),
      "\(run.errors)")
    #expect(!run.errors.contains(" more; "), "nothing is left out: \(run.errors)")
  }

  @Test func `a quiet run of cron prints what is wrong, and else nothing`() async throws {
    let program = try Program()
    func quiet(_ arguments: String...) async throws -> (Int, String) {
      let run = try await program.run(arguments + ["--quiet"])
      return (run.exitCode, run.output)
    }
    try await program.put(payload())
    #expect(try await quiet("verify", "2026-02-08") == (0, ""))
    let found = try await quiet("verify", "2026-02-07..2026-02-08")
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

/// What is shown on a terminal, and nowhere else.
@Suite(.process) struct TerminalTests {
  private static let escape = "\u{1B}"
  private let range = ["verify", "2026-01-20..2026-03-03"]

  private func programWithDays() async throws -> Program {
    let program = try Program()
    for date in ["2026-02-07", "2026-02-08"] {
      try await program.put(payload(date))
    }
    return program
  }

  @Test func `a terminal gets colours, unless NO_COLOR is set`() async throws {
    var program = try await programWithDays()
    try await program.onTerminal(columns: 100).run(
      range, ends: 1, printing: "\(Self.escape)[31mmissing\(Self.escape)[0m")
    program.environment["NO_COLOR"] = "1"
    let plain = try await program.onTerminal(columns: 100).run(range)
    #expect(!plain.output.contains(Self.escape))
    #expect(plain.output.contains("43 days: 2 complete, 41 missing"))
  }

  @Test func `a pipe gets no escape`() async throws {
    let program = try await programWithDays()
    for command in [range, ["get", "2026-02-08"], ["doctor"]] {
      let run = try await program.run(command)
      #expect(!run.output.contains(Self.escape) && !run.errors.contains(Self.escape))
    }
  }

  @Test func `a terminal that calls itself dumb is treated as a pipe`() async throws {
    var program = try await programWithDays().onTerminal(columns: 100)
    program.environment["TERM"] = "dumb"
    let run = try await program.run(range)
    #expect(!run.output.contains(Self.escape))
  }

  @Test func `progress is shown on a terminal and removed before the results`() async throws {
    let program = try await programWithDays()
    let run = try await program.onTerminal(columns: 100, errorsToo: true).run(range)
    let progress = try #require(run.output.range(of: "verifying 43/43"))
    let results = try #require(run.output.range(of: "43 days: 2 complete"))
    #expect(progress.upperBound < results.lowerBound)
    #expect(run.output[progress.upperBound..<results.lowerBound].contains("\r\(Self.escape)[K"))
    let quiet = try await program.onTerminal(columns: 100).run(range)
    #expect(!quiet.output.contains("verifying") && !quiet.errors.contains("verifying"))
  }

  @Test func `JSON is the same on a terminal as in a pipe`() async throws {
    let program = try await programWithDays()
    let piped = try await program.run(range + ["--output", "json"])
    let shown = try await program.onTerminal(columns: 40).run(range + ["--output", "json"])
    #expect(shown.output.replacing("\r\n", with: "\n") == piped.output)
  }
}

/// Where results go, and what happens where they can't.
@Suite(.process) struct StandardStreamTests {
  private static let commands = [
    ["get", "2026-02-08"], ["get", "2026-02-08", "--output", "json"],
    ["get", "2026-02-08", "--history"],
    ["verify", "2026-02-08"], ["doctor"],
  ]

  #if os(Linux)
    @Test(
      arguments: commands + [
        ["--help"], ["--version"], ["help", "put"], ["--generate-completion-script", "bash"],
      ])
    func `results that can't be written are an error`(command: [String]) async throws {
      let program = try Program()
      try await program.put(payload())
      try await program.inShell("exec \"$@\" >/dev/full").run(
        command, ends: 69, saying: "results can't be written: No space left",
        "check the pipe or file that stdout goes to")
    }

    @Test func `a put whose report can't be written has published all the same`() async throws {
      let program = try Program()
      try await program.inShell("exec \"$@\" >/dev/full").run(
        ["put", "--input", "-"], input: payload(), ends: 69)
      try await program.succeeds(["get", "2026-02-08"], printing: "8,432")
    }
  #endif

  @Test(arguments: commands)
  func `no file with a closed stdout's number gets results`(command: [String]) async throws {
    let program = try Program()
    try await program.put(payload())
    let before = try contents(of: program.defaultStore)
    try await program.inShell("exec \"$@\" >&-").run(
      command, ends: 70, saying: "results can't be written: Bad file descriptor")
    #expect(try contents(of: program.defaultStore) == before)
  }

  @Test func `a closed stdin is an error, each time, and never a crash`() async throws {
    let program = try Program()
    for _ in 0..<20 {
      for command in [["put", "--date", "2026-02-08", "--input", "-"], ["import", "-"]] {
        try await program.inShell("exec \"$@\" <&-").run(
          command, ends: 64, saying: "stdin can't be read: Bad file descriptor")
      }
    }
  }

  @Test func `a reader who leaves ends the program without a word`() async throws {
    let program = try Program()
    try await program.put(payload())
    // 141 is how shells see the end by SIGPIPE.
    let script = "{ sleep 0.2; \"$@\"; echo \"exit $?\" >&2; } | true"
    for command in Self.commands {
      let run = try await program.inShell(script).run(command)
      #expect(run.errors == "exit 141\n")
    }
  }

  @Test func `a put goes on when nobody reads what it says`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let store = server.store("honest")
    // With --verbose it speaks before it publishes.
    _ = try await program.inShell("{ sleep 0.2; \"$@\"; } 2>&1 | true").run(
      ["put", "--input", "-", "--verbose"] + store, input: payload())
    try await program.succeeds(["get", "2026-02-08"] + store)
  }

  @Test func `results stand on stdout alone, words about the run on stderr`() async throws {
    let program = try Program()
    let put = try await program.succeeds(["put", "--input", "-", "--verbose"], input: payload())
    #expect(put.output.hasPrefix("published"))
    #expect(put.output.split(separator: "\n").count == 1)
    let get = try await program.succeeds(["get", "2026-02-08", "--verbose", "-o", "json"])
    #expect(try get.json()["date"] as? String == "2026-02-08")
    let silent = try await program.succeeds(["get", "2026-02-08"])
    #expect(silent.errors.isEmpty)
  }
}

/// Too few descriptors, threads or bytes: one sentence with a remedy, never a signal or a hang (R40).
@Suite(.process) struct ProcessLimitTests {
  /// Runs commands under a limit; each either does its work or says what it lacks.
  private func expectASentence(_ limit: String, _ words: String) async throws -> Set<Int> {
    let program = try Program(["AWS_MAX_ATTEMPTS": "2"])
    let store = ["--store", try program.folder("store").path]
    let limited = program.inShell("\(limit); exec timeout 60 \"$@\"")
    var codes: Set<Int> = []
    for command in [
      ["put", "--input", "-"], ["get", "2026-02-08"],
      ["verify", "2026-02-08"],
      ["get", "--store", "s3://bucket", "--endpoint-url", "http://localhost:1"],
    ] {
      let run = try await limited.run(
        command.contains("--store") ? command : command + store, input: payload())
      codes.insert(run.exitCode)
      // 127: the loader itself found no memory for the program's libraries.
      if run.exitCode == 70 {
        #expect(run.errors.contains(words) && run.errors.contains("do: "), "\(run.errors)")
      } else {
        #expect([0, 1, 66, 69, 77, 127].contains(run.exitCode), "\(limit): \(run)")
      }
    }
    return codes
  }

  @Test(arguments: [5, 7, 10, 24])
  func `few descriptors end in a sentence`(count: Int) async throws {
    let codes = try await expectASentence(
      "ulimit -n \(count)", "the limit of open files is too low")
    #expect(codes == [70])
  }

  @Test func `a soft limit is raised as far as the hard one allows`() async throws {
    let codes = try await expectASentence("ulimit -S -n 8", "")
    #expect(!codes.contains(70))
  }

  @Test func `some descriptors are enough for some connections`() async throws {
    let codes = try await expectASentence("ulimit -n 48", "")
    #expect(!codes.contains(70))
  }

  #if os(Linux)
    @Test(arguments: [130_000, 200_000, 240_000, 400_000])
    func `little memory ends in a sentence or is enough`(kilobytes: Int) async throws {
      _ = try await expectASentence("ulimit -v \(kilobytes)", "the limit of memory is too low")
    }
  #endif

  @Test func `a program that asks for JSON gets the error as a document`() async throws {
    let program = try Program()
    let run = try await program.inShell("ulimit -n 10; exec \"$@\"").run("get", "--output", "json")
    #expect(run.exitCode == 70)
    let error = try #require(try run.json()["error"] as? [String: Any])
    #expect(error["code"] as? String == "INTERNAL")
    #expect((error["remedy"] as? String)?.contains("ulimit -n") == true)
  }
}
