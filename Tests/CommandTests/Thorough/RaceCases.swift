import Foundation
import HealthModel
import TestSupport
import Testing

/// What else a person gets from s3race.
extension RaceCommandTests {
  @Test func `the hubs' world is raced by a seed with controls, and replayed`() async throws {
    let broken = ["replay", "--world", "hubs", "6", "--subject", "blind-pointer"]
    let replayed = try await program.run(
      broken, ends: 1, printing: "pointer never goes back", "write the pointer of day 0")
    #expect(try await program.run(broken).output == replayed.output)
    try await program.succeeds(["replay", "--world", "hubs", "7"], printing: "no promise broken")
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
    let first = try await program.succeeds(
      ["replay", "9"], printing: "GET latest.json", "no promise broken")
    #expect(try await program.succeeds(["replay", "9"]).output == first.output)
    let history = try await program.succeeds(["replay", "9", "--history"])
    let file = try program.file("history.jsonl", history.output)
    #expect(try await program.succeeds(["check", file]).output.contains("good"))
  }

  @Test func `a file is replayed: a history, or the last line of a failing run`() async throws {
    let history = try await program.succeeds(["replay", "9", "--history"])
    let recorded = try program.file("recorded.jsonl", history.output)
    let told = try await program.succeeds(
      ["replay", recorded], printing: "publishes 2026", "acknowledged", "no promise broken")
    #expect(try await program.succeeds(["replay", recorded]).output == told.output)
    let failing = try await program.run("replay", Self.lost)
    let printed = try program.file("printed.txt", failing.output)
    #expect(try await program.run("replay", printed).output == failing.output)
    let broken = try await program.run("replay", Self.lost, "--history")
    let file = try program.file("broken.jsonl", broken.output)
    let run = try await program.run("replay", file)
    #expect(run.exitCode == 1)
    #expect(run.output.contains("! ") && run.output.contains("broken"))
    try await program.refuses(["replay", file, "--shrink"], saying: "for schedules")
    try await program.refuses(["replay", "none.jsonl"], saying: "does not exist")
  }

  @Test func `s3race's help is not an error, and leaves out worlds that are not a store`()
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

/// s3race on a store of which a node dies before the first round, after so many requests.
@Suite(.process, .slow) struct DyingNodeRaceTests {
  private let server: HostileStore

  init() throws { server = try HostileStore() }

  private func arguments(_ requests: Int, _ modes: [String]) -> [String] {
    [
      "--store", "s3://after-\(requests)/p", "--publishes", "8", "--writers", "2", "--processes",
      "2", "--kills", "0", "--faults", "none",
    ] + modes.flatMap { ["--endpoint-url", server.endpoint($0)] }
  }

  /// A look, the claim of the scratch folder (4 requests), the neighbours; then the probe.
  @Test func `a node that dies while probed is left out, and its part removed`() async throws {
    let program = try Program().onHostile().race
    let race = try await program.succeeds(
      arguments(12, ["diesafter", "honest"]) + ["--output", "json"])
    let found = try #require(try race.json()["store_race"] as? [String: Any])
    #expect(found["good"] as? Bool == true)
    #expect(found["endpoints"] as? Int == 1)
    #expect(found["endpoints_left_out"] as? [String] == [server.endpoint("diesafter")])
    #expect((found["conditional_writes"] as? String)?.hasPrefix("compare-and-swap") == true)
    #expect(try await server.keys() == [], "\(race.errors)")
  }

  @Test(arguments: [(2, ".s3health-race/"), (12, "health/v0/.probe/"), (40, "health/v0/.probe/")])
  func `where no other node answers, what is left is named, with what removes it`(
    requests: Int, place: String
  ) async throws {
    let program = try Program().onHostile().race
    let race = try await program.run(arguments(requests, ["diesafter"]), ends: 69)
    let left = try await server.keys()
    #expect(!left.isEmpty)
    for key in left {
      #expect(key.hasPrefix("p/\(place)"))
      // Up to the random name, which is the race's alone.
      let folder = key.split(separator: "/").dropLast().joined(separator: "/")
      #expect(race.errors.contains("scratch objects are left below \(folder)/"))
    }
    #expect(race.errors.contains("do:     remove all that lies there"))
  }
}

/// Longer races, and races that are ended.
extension StoreRaceTests {
  private static let controls: Set = ["check-then-put", "loses-revisions", "looks-once"]

  /// s3race in a home of its own, and the folder that it races on.
  private func racing() throws -> (program: Program, store: URL) {
    var program = try Program().race
    program.workingDirectory = program.home.path
    return (program, try program.folder("store"))
  }

  @Test func `four processes race on a folder, are killed, and keep every promise`() async throws {
    let (program, store) = try racing()
    let race = try await program.succeeds([
      "--store", store.path, "--publishes", "160", "--faults", "all:4%", "--kills", "2",
      "--history", "all.jsonl", "--output", "json",
    ])
    let document = try race.json()
    #expect(document["good"] as? Bool == true)
    let found = try #require(document["store_race"] as? [String: Any])
    #expect(found["processes"] as? Int == 4 && found["writers"] as? Int == 8)
    #expect(found["moves_pointer"] as? Bool == true)
    #expect(try #require(found["acknowledged"] as? Int) >= 160)
    #expect(found["given_up"] as? Int == 0)
    #expect(try #require(found["kills"] as? Int) > 0)
    #expect(try #require(found["faults"] as? [String: Int]).values.reduce(0, +) > 0)
    #expect(try #require(found["resolves"] as? Int) > 0)
    #expect(try #require(found["pointer_looks"] as? Int) > 0)
    #expect((found["findings"] as? [Any])?.isEmpty == true)
    let controls = try #require(found["controls"] as? [[String: Any]])
    #expect(Set(controls.compactMap { $0["control"] as? String }) == Self.controls)
    #expect(controls.allSatisfy { $0["caught"] as? Bool == true })

    #expect(try contents(of: store).isEmpty)
    let history = program.home.appending(path: "all.jsonl").path
    let mode = try FileManager.default.attributesOfItem(atPath: history)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let check = try await program.succeeds(["check", history, "--output", "json"])
    #expect(try check.json()["histories"] as? Int == found["rounds"] as? Int)
  }

  @Test func `the controls race after the first round, the rounds in what is left`() async throws {
    let (program, store) = try racing()
    let race = try await program.succeeds(
      [
        "--store", store.path, "--publishes", "82", "--writers", "2", "--processes", "2",
        "--kills", "0", "--faults", "none", "--history", "all.jsonl", "--output", "json",
      ], saying: "ends after 82 publishes and the controls")
    let found = try #require(try race.json()["store_race"] as? [String: Any])
    let controls = try #require(found["controls"] as? [[String: Any]])
    let between = controls.compactMap { $0["rounds"] as? Int }.reduce(0, +)
    #expect(between >= 3)
    // Each round, of the race and of a control, has a date of its own.
    let history = program.home.appending(path: "all.jsonl")
    let text = try String(contentsOf: history, encoding: .utf8)
    let dates = text.matches(of: /"date":"(20\d\d-\d\d-\d\d)"/).map { String($0.1) }
    let rounds = try Set(dates).sorted().map { try #require(CalendarDate($0)) }
    #expect(rounds.count >= 2)
    #expect(rounds[0].days(until: rounds[1]) == between + 1, "\(rounds)")
  }

  @Test func `a race says how long it takes; one round and the controls always run`() async throws {
    let (program, store) = try racing()
    let race = try await program.succeeds(
      [
        "--store", store.path, "--duration", "2s", "--kills", "0", "--faults", "none",
        "--output", "json",
      ], saying: "ends after about 2 s")
    let found = try #require(try race.json()["store_race"] as? [String: Any])
    #expect(try #require(found["rounds"] as? Int) >= 1)
    #expect(try #require(found["acknowledged"] as? Int) >= 1)
    #expect((found["controls"] as? [Any])?.count == 3)
  }

  @Test func `writes without their conditions are convicted by a few events`() async throws {
    let (program, store) = try racing()
    let race = try await program.run(
      [
        "--store", store.path, "--publishes", "2000", "--faults", "strip:50%", "--kills", "0",
        "--writers", "6", "--processes", "3",
      ], ends: 1, printing: "broken  ", "The first of them, in round")
    let line = try #require(race.output.split(separator: "\n").last)
    #expect(line.hasPrefix("check    s3race check s3health-race-"))
    let file = try #require(line.split(separator: " ").last.map(String.init))
    let check = try await program.run("check", file)
    #expect(check.exitCode == 1)
    let found = race.output.split(separator: "\n").filter { $0.hasPrefix("broken  ") }
    for line in found { #expect(check.output.contains(line)) }
    #expect(try contents(of: store).isEmpty)
  }

  @Test
  func
    `an interrupted race ends its processes and prints what it has seen`()
    async throws
  {
    let (program, store) = try racing()
    let script = """
      "$@" & race=$!
      for i in $(seq 6000); do
        [ -d '\(store.path)'/.s3health-race/*/health ] 2>/dev/null && break
        sleep 0.05
      done
      kill -INT $race
      wait $race
      """
    try await program.inShell(script).run(
      ["--store", store.path, "--duration", "1h"], ends: 130,
      printing: "interrupted  no regression in ")
    #expect(try contents(of: store).isEmpty)
  }

  @Test func `a race that is ended at once names the folder in which its objects may be`()
    async throws
  {
    let (program, store) = try racing()
    // The clean-up looks twice, 300 ms apart, so one of the further signals meets it.
    let script = """
      "$@" & race=$!
      for i in $(seq 6000); do
        [ -d '\(store.path)'/.s3health-race/*/health ] 2>/dev/null && break
        sleep 0.05
      done
      while kill -INT $race 2>/dev/null; do sleep 0.05; done
      wait $race
      """
    let run = try await program.inShell(script).run(
      ["--store", store.path, "--duration", "1h", "--scratch", "mine"], ends: 130,
      saying: "scratch objects may be left below .s3health-race/mine/")
    // A race that is killed can say nothing more: its first line names the folder too.
    #expect(run.errors.hasPrefix("s3race: races below .s3health-race/mine/; "), "\(run.errors)")
  }

  @Test func `a race without kills and faults does not say that they were survived`() async throws {
    let (program, store) = try racing()
    let race = try await program.succeeds([
      "--store", store.path, "--publishes", "4", "--writers", "2", "--processes", "2", "--kills",
      "0", "--faults", "none",
    ])
    #expect(!race.output.contains("0 kills") && !race.output.contains("0 faults"))
    #expect(
      race.output.hasSuffix(
        "\n      it met no faults and no kills, so it shows nothing about them\n"),
      "\(race.output)")
  }

  @Test func `a race interrupted before its first round leaves nothing behind`() async throws {
    let (program, store) = try racing()
    // The first line stands before the probe and the race on the model, which take seconds.
    let script = """
      said='\(program.home.path)/said'
      "$@" 2>"$said" & race=$!
      for i in $(seq 6000); do
        [ -s "$said" ] && break
        sleep 0.05
      done
      kill -TERM $race
      wait $race
      ended=$?
      cat "$said" >&2
      exit $ended
      """
    let run = try await program.inShell(script).run(
      ["--store", store.path, "--duration", "1h"], ends: 143)
    #expect((run.output + run.errors).contains("interrupted "), "\(run.output)\(run.errors)")
    #expect(try contents(of: store).isEmpty)
  }

  #if os(Linux)
    @Test func `a race's processes show nothing of its order in the process list`() async throws {
      let (program, store) = try racing()
      let list = program.home.appending(path: "processes").path
      let script = """
        "$@" & race=$!
        while kill -0 $race 2>/dev/null; do
          for process in $(cat /proc/$race/task/*/children 2>/dev/null); do
            tr '\\0' ' ' </proc/$process/cmdline >>'\(list)' 2>/dev/null && echo >>'\(list)'
          done
          sleep 0.05
        done
        wait $race
        """
      try await program.inShell(script).run(
        [
          "--store", store.path, "--publishes", "8", "--timeout", "7", "--profile", "somebody",
        ], ends: 0)
      let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
      // Between fork and exec a process has its parent's command line.
      let own = lines.filter { !$0.contains(" --store ") }
      #expect(!own.isEmpty)
      for line in own { #expect(line.hasSuffix("/s3race worker ")) }
    }
  #endif
}
