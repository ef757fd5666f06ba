import Foundation
import HealthModel
import TestSupport
import Testing

/// s3race: what a person and a program get from it.
@Suite(.process) final class RaceCommandTests {
  let program: Program

  init() throws { program = try Program().race }

  deinit { program.removeHome() }

  static let lost = "subject=412-is-success start=absent writers=2 : u1 u1 u2 u2 u1 u2 u1 u2"

  @Test func `random schedules end with the verdict, the controls and a digest`() async throws {
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

  @Test func `a schedule that breaks a promise has a line that replays it`() async throws {
    let run = try await program.run("replay", Self.lost)
    #expect(run.exitCode == 1, "\(run.output)\(run.errors)")
    #expect(run.output.contains("broken"))
    let line = try #require(run.output.split(separator: "\n").last)
    let schedule = try #require(line.split(separator: "'").dropFirst().first.map(String.init))
    let again = try await program.run("replay", schedule)
    #expect(again.output == run.output)
    let history = try await program.run("replay", Self.lost, "--history")
    let file = try program.file("history.jsonl", history.output)
    let check = try await program.run("check", file, "--output", "json")
    #expect(check.exitCode == 1)
    #expect(try check.json()["good"] as? Bool == false)
  }

  @Test func `unreadable histories and impossible options are refused`() async throws {
    let file = try program.file("notes.txt", "hello\n")
    try await program.refuses(["check", file], saying: "line 1", "recorded")
    try await program.refuses(["check", file + ".none"], saying: "does not exist")
    try await program.refuses(["replay", "u1 u2"], saying: "not a schedule", "colon")
    for arguments in [
      ["model", "--writers", "5"], ["model", "--runs", "0"],
      ["model", "--runs", "5", "--exhaustive"],
    ] {
      let run = try await program.run(arguments)
      #expect(run.exitCode == 64, "\(arguments)")
    }
  }
}

/// s3race on real stores: separate processes, kills and faults, and nothing left behind.
@Suite(.server) struct StoreRaceTests {
  @Test(arguments: TestServer.one)
  func `processes race on a server through the fault proxy`(server: TestServer) async throws {
    let program = try Program().race.on(server)
    let race = try await program.succeeds(
      [
        "--publishes", TestDepth.full("24", usual: "8"), "--writers", "4", "--processes", "2",
        "--kills", "1", "--faults", "drop,lose,409,503-after:6%", "--output", "json",
        "--endpoint-url", "http://127.0.0.1:1",  // a node that is down
        "--endpoint-url", server.endpoint, "--endpoint-url", server.endpoint,
      ] + server.arguments())
    let found = try #require(try race.json()["store_race"] as? [String: Any])
    #expect(found["good"] as? Bool == true)
    #expect(found["endpoints"] as? Int == 2)
    #expect(found["endpoints_left_out"] as? [String] == ["http://127.0.0.1:1"])
    #expect(try #require(found["acknowledged"] as? Int) >= 8)
    #expect((found["conditional_writes"] as? String)?.hasPrefix("compare-and-swap") == true)
    #expect(!race.output.contains(server.secretKey))
  }

  @Test func `a scratch folder that holds data is refused, and the data stays`() async throws {
    let program = try Program().race
    let file = try program.file("store/.s3health-race/mine/data", "precious")
    let store = program.home.appending(path: "store").path
    try await program.refuses(
      ["--store", store, "--scratch", "mine"],
      saying: "holds data", ".s3health-race/mine/data")
    #expect(FileManager.default.contents(atPath: file) == Data("precious".utf8))
  }

  @Test func `a store that can't be written is refused before anything is raced`() async throws {
    let program = try Program().race
    let store = try program.folder("store")
    chmod(store.path, 0o555)
    try await program.withoutPrivileges().fails(
      ["--store", store.path], as: .notAuthorized, saying: "nothing was raced")
  }

  @Test func `options that can't be are refused with what is meant`() async throws {
    let program = try Program().race
    let store = try program.folder("store").path
    try await program.refuses(
      ["--store", store, "--faults", "gremlins"],
      saying: "\"gremlins\" is not a fault")
    try await program.refuses(
      ["--store", store, "--faults", "truncate:5%"],
      saying: "a folder has no fault")
    try await program.refuses(
      ["--store", store, "--endpoint-url", "http://127.0.0.1:1"],
      saying: "a folder has no endpoint")
    var person = program
    person.binary = Program.path
    try await person.refuses(
      [
        "get", "2026-02-08", "--store", "s3://bucket", "--endpoint-url",
        "http://127.0.0.1:1", "--endpoint-url", "http://127.0.0.1:2",
      ], saying: "--endpoint-url was given 2 times")
    for arguments in [
      ["model", "--duration", "5s"], ["--writers", "2", "--processes", "3"],
      ["--duration", "5x"], ["--duration", "0s"], ["--kills", "-1"], ["--scratch", "a/b"],
      ["--publishes", "5", "--duration", "5s"], ["--crashes", "1"], ["--assume", "luck"],
    ] {
      try await program.run(arguments, ends: 64)
    }
    try await program.run(["worker"], input: "{}", ends: 64, saying: "no orders of a race")
  }
}

/// Two collectors, eight processes, one day: one latest revision, and nothing lost.
@Suite(.server) struct RacingCollectorsTests {
  @Test(arguments: TestServer.all)
  func `collectors racing on a server leave one latest (R25)`(server: TestServer) async throws {
    let program = try Program().on(server)
    try await race(program, server.arguments())
  }

  @Test func `collectors racing on a folder leave one greatest latest (R25)`() async throws {
    let program = try Program()
    try await race(program, ["--store", try program.folder("store").path])
  }

  private func race(_ program: Program, _ store: [String]) async throws {
    let phone = "--collector-id=0B7E1D7A-7F8F-4C34-9F5D-2C9C1D6B1A01"
    let importer = "--collector-id=0B7E1D7A-7F8F-4C34-9F5D-2C9C1D6B1A02"
    let runs = try await withThrowingTaskGroup(of: Program.Run.self) { group in
      for number in 1...8 {
        group.addTask {
          try await program.run(
            [
              "put", "--input", "-", "--output", "json", number % 2 == 0 ? phone : importer,
              "--source", "source-\(number)",
            ] + store,
            input: payload(steps: number))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    var published: Set<String> = []
    for run in runs {
      #expect(run.exitCode == 0, "\(run.errors)")
      let results = try run.results()
      let outcome = try #require(results.first?["outcome"] as? String)
      #expect(["published", "superseded"].contains(outcome))
      published.insert(try #require(results.first?["revision_id"] as? String))
    }
    let day = ["2026-02-08", "--output", "json"]
    let history = try await program.succeeds(["get", "--history"] + day + store).json()
    let revisions = try #require(history["revisions"] as? [[String: String]])
    // Who met another one has stored the join of both, and two can have stored the same one (R21).
    let stored = Set(revisions.compactMap { $0["revision_id"] })
    #expect(published.isSubset(of: stored))
    #expect(history["latest"] as? String == stored.max())
    // The latest has what each of them said.
    let explained = try await program.succeeds(["get", "--explain"] + day + store).json()
    let metrics = try #require(explained["metrics"] as? [[String: Any]])
    let steps = try #require(metrics.first { $0["metric"] as? String == "steps" })
    let words = ["shown", "others"].flatMap { steps[$0] as? [[String: Any]] ?? [] }
    #expect(Set(words.compactMap { $0["value"] as? Int }) == Set(1...8))
    #expect(Set(words.compactMap { $0["source"] as? String }).count == 8)
    // A stale, dangling or corrupt pointer would be a finding; a missing one a note.
    let verify = try await program.succeeds(["verify", "2026-02-08", "--output", "json"] + store)
    #expect((try verify.json()["findings"] as? [Any])?.isEmpty == true, "\(verify.output)")
  }
}
