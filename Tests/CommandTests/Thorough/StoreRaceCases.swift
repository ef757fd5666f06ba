import Foundation
import HealthModel
import TestSupport
import Testing

/// Longer races, and races that are ended.
extension StoreRaceTests {
  private static let controls: Set = ["check-then-put", "loses-revisions", "looks-once"]

  @Test func `four processes race on a folder, are killed, and keep every promise`()
    async throws
  {
    var program = try Program().race
    defer { program.removeHome() }
    program.workingDirectory = program.home.path
    let store = try program.folder("store")
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

  @Test
  func `the controls race after the first round, so that the rounds take what they leave`()
    async throws
  {
    var program = try Program().race
    defer { program.removeHome() }
    program.workingDirectory = program.home.path
    let store = try program.folder("store")
    let race = try await program.succeeds([
      "--store", store.path, "--publishes", "82", "--writers", "2", "--processes", "2",
      "--kills", "0", "--faults", "none", "--history", "all.jsonl", "--output", "json",
    ])
    #expect(race.errors.contains("ends after 82 publishes and the controls"), "\(race.errors)")
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

  @Test func `a race says how long it takes, and one round and the controls always run`()
    async throws
  {
    let program = try Program().race
    defer { program.removeHome() }
    let store = try program.folder("store")
    let race = try await program.succeeds([
      "--store", store.path, "--duration", "2s", "--kills", "0", "--faults", "none",
      "--output", "json",
    ])
    #expect(race.errors.contains("ends after about 2 s"), "\(race.errors)")
    let found = try #require(try race.json()["store_race"] as? [String: Any])
    #expect(try #require(found["rounds"] as? Int) >= 1)
    #expect(try #require(found["acknowledged"] as? Int) >= 1)
    #expect((found["controls"] as? [Any])?.count == 3)
  }

  @Test
  func `writes without their conditions are convicted, with the few events that show it`()
    async throws
  {
    var program = try Program().race
    defer { program.removeHome() }
    program.workingDirectory = program.home.path
    let store = try program.folder("store")
    let race = try await program.run([
      "--store", store.path, "--publishes", "2000", "--faults", "strip:50%", "--kills", "0",
      "--writers", "6", "--processes", "3",
    ])
    #expect(race.exitCode == 1, "\(race.output)\(race.errors)")
    #expect(race.output.contains("broken  "))
    #expect(race.output.contains("The first of them, in round"))
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
    `a race that is interrupted ends its processes, removes its objects and prints what it has seen`()
    async throws
  {
    let program = try Program().race
    defer { program.removeHome() }
    let store = try program.folder("store")
    let script = """
      "$@" & race=$!
      for i in $(seq 6000); do
        [ -d '\(store.path)'/.s3health-race/*/health ] 2>/dev/null && break
        sleep 0.05
      done
      kill -INT $race
      wait $race
      """
    let run = try await program.inShell(script).run([
      "--store", store.path, "--duration", "1h",
    ])
    #expect(run.exitCode == 130, "\(run.output)\(run.errors)")
    #expect(run.output.contains("interrupted  no regression in "), "\(run.output)")
    #expect(try contents(of: store).isEmpty)
  }

  @Test
  func `a race that is interrupted before its first round says so and leaves nothing behind`()
    async throws
  {
    let program = try Program().race
    defer { program.removeHome() }
    let store = try program.folder("store")
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
    let run = try await program.inShell(script).run([
      "--store", store.path, "--duration", "1h",
    ])
    #expect(run.exitCode == 143, "\(run.output)\(run.errors)")
    #expect((run.output + run.errors).contains("interrupted "), "\(run.output)\(run.errors)")
    #expect(try contents(of: store).isEmpty)
  }

  #if os(Linux)
    @Test
    func `the processes of a race have nothing of its order in the list of processes`()
      async throws
    {
      let program = try Program().race
      defer { program.removeHome() }
      let store = try program.folder("store")
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
      let run = try await program.inShell(script).run([
        "--store", store.path, "--publishes", "8", "--timeout", "7",
        "--profile", "somebody",
      ])
      #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
      let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
      // Between fork and exec a process has its parent's command line.
      let own = lines.filter { !$0.contains(" --store ") }
      #expect(!own.isEmpty)
      for line in own {
        #expect(line.hasSuffix("/s3race worker "), "\(line)")
      }
    }
  #endif
}
