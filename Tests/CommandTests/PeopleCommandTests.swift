import Foundation
import TestSupport
import Testing

/// R64 by the program, on a folder: one store, many people, each for itself.
@Suite(.process) struct PeopleCommandTests {
  /// The program with a folder as the store.
  func program() throws -> Program {
    var program = try Program()
    program.environment["S3HEALTH_STORE"] = try program.folder("shared").path
    return program
  }

  func shared(_ program: Program) -> URL { program.home.appending(path: "shared") }

  /// Publishes days of January 2026 for a person.
  func publish(
    _ program: Program, _ person: String, days: ClosedRange<Int> = 1...3, steps: Int
  ) async throws {
    let all = days.map { day in
      #"{"date": "2026-01-\#(String(format: "%02d", day))", "metrics": {"steps": \#(steps + day)}}"#
    }
    try await program.succeeds(
      ["put", "--input", "-", "--date", "all", "--person", person],
      input: "{\"days\": [\(all.joined(separator: ","))]}")
  }

  let january = ["--from", "2026-01-01", "--to", "2026-01-03"]

  @Test func `R64 people never see each other's days, nor the store itself theirs`() async throws {
    let program = try program()
    try await publish(program, "ann", steps: 1000)
    try await publish(program, "ann-2", days: 2...2, steps: 5000)
    let steps = { (arguments: [String]) async throws -> Double? in
      let json = try await program.succeeds(["get", "2026-01-02", "-o", "json"] + arguments).json()
      let revision = json["revision"] as? [String: Any] ?? json
      return (revision["metrics"] as? [String: Any])?["steps"] as? Double
    }
    #expect(try await steps(["--person", "ann"]) == 1002)
    #expect(try await steps(["--person", "ann-2"]) == 5002)
    // What to do is about the same person.
    try await program.fails(
      ["get", "2026-01-01", "--person", "ann-2"], as: .dataNotFound,
      saying: "s3health collect --person ann-2, or s3health put --person ann-2 --date 2026-01-01")
    // A store that an option gives is not that of the next command, either.
    let store = shared(program).path
    try await program.fails(
      ["get", "2026-01-01", "--person", "ann-2", "--store", store], as: .dataNotFound,
      saying: "s3health import --store \(store) --person ann-2 export.zip")
    try await program.fails(["get", "2026-01-02"], as: .dataNotFound)
    try await program.fails(
      ["ls"], as: .dataNotFound, saying: "the store holds no days of its own yet",
      "it holds people, such as ann: add --person ID, or --people for all")
    let verified = try await program.run(
      ["verify", "--person", "ann-2", "-o", "json"] + january, ends: 1)
    let report = try verified.json()
    #expect(report["missing_dates"] as? [String] == ["2026-01-01", "2026-01-03"])
    #expect((report["store"] as? String)?.hasSuffix("/shared/people/ann-2") == true)
    // The variable and the file choose, and an option overrides both.
    var chosen = program
    chosen.environment["S3HEALTH_PERSON"] = "ann"
    #expect(try await chosen.succeeds(["get", "2026-01-01"]).output.contains("1,001"))
    try await chosen.fails(["get", "2026-01-01", "--person", "ann-2"], as: .dataNotFound)
    try await program.succeeds(["config", "set", "person", "ann-2"])
    #expect(try await program.succeeds(["get", "2026-01-02"]).output.contains("5,002"))
    #expect(try await program.succeeds(["config", "show"]).output.contains("person    ann-2"))
  }

  @Test func `R64 days of nobody are refused in a store of people, and said in one with both`()
    async throws
  {
    let program = try program()
    let put = ["put", "--input", "-"]
    let export = try program.export(
      made: "2026-02-10 12:00:00 +0100",
      [SmallExport.record("StepCount", 5, from: "2026-02-08 12:00:00 +0100")])
    try await program.succeeds(["people", "add", "ann"])
    let before = try contents(of: shared(program))
    for (command, input) in [
      (put, payload()), (["import", export], []), (["collect", "--input", export], []),
    ] {
      try await program.refuses(
        command, input: input, saying: "holds people, such as ann, and no days of its own",
        "add --person ID")
    }
    #expect(try contents(of: shared(program)) == before)
    try await program.run(
      ["verify"], ends: 66, saying: "the store holds no days of its own yet", "add --person ID")
    let ann = try await program.succeeds(put + ["--person", "ann"], input: payload())
    #expect(!ann.errors.contains("holds people"))
    // A store of one's own to which people are added later stays one.
    let own = ["--store", try program.folder("own").path]
    let alone = try await program.succeeds(put + own, input: payload())
    #expect(!alone.errors.contains("holds people"))
    try await program.succeeds(["people", "add", "bob"] + own)
    try await program.succeeds(
      put + own, input: payload(steps: 9),
      saying: "the store holds people, too, such as bob: these days are not theirs")
    #expect(try await program.succeeds(put + own + ["--quiet"], input: payload()).errors == "")
  }

  @Test(arguments: ["Ann", "..", "a/b", "-a", "a b", "\u{430}nn"])
  func `R64 an id that is not safe is refused before anything is written`(id: String) async throws {
    let program = try program()
    try await program.refuses(
      ["put", "--input", "-", "--person=\(id)"], input: payload(),
      saying: "R64")
    #expect(try await program.run(["people", "add", "bob", "--", id]).exitCode == 64)
    #expect(try await program.run(["people", "remove", "--yes", "--", id]).exitCode == 64)
    #expect(try contents(of: shared(program)).isEmpty)
  }

  @Test func `R64 one broken person stops nobody, and the exit code is the gravest`() async throws {
    let program = try program()
    for person in ["ann", "bob", "cho", "dan"] { try await publish(program, person, steps: 1) }
    try await program.succeeds(["people", "add", "eve"])
    let place = shared(program).appending(path: "people")
    // Of cho, a link hides the days; of dan, a day is damaged.
    let hidden = place.appending(path: "cho/health/v0/data/2026")
    try FileManager.default.moveItem(at: hidden, to: program.home.appending(path: "elsewhere"))
    try FileManager.default.createSymbolicLink(
      at: hidden, withDestinationURL: program.home.appending(path: "elsewhere"))
    let revisions = place.appending(path: "dan/health/v0/data/2026/01/02/revisions")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: revisions.path).first)
    let file = revisions.appending(path: name)
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacing(#""steps":3"#, with: #""steps":4"#)
      .write(to: file, atomically: false, encoding: .utf8)

    let run = try await program.run(["verify", "--people", "-o", "json"] + january, ends: 69)
    let all = try run.lines()
    #expect(all.map { $0["person"] as? String } == ["ann", "bob", "cho", "dan", "eve"])
    #expect(all.map { $0["result"] as? String } == ["ok", "ok", "failed", "findings", "findings"])
    #expect(all.map { $0["exit_code"] as? Int } == [0, 0, 69, 1, 1])
    #expect((all[2]["error"] as? [String: Any])?["code"] as? String == "STORAGE_UNAVAILABLE")
    #expect((all[3]["codes"] as? [String: Int])?["digest_differs"] == 1)
    #expect(all[4]["missing_days"] as? Int == 3)
    #expect(run.errors.contains("s3health: cho: "))

    try await program.run(
      ["verify", "--people", "--after", "dan", "--allow-missing"] + january, ends: 0,
      printing: "1 person: 1 ok\n")

    let folder = program.home.appending(path: "days").path
    let export = try await program.run(
      ["export", "csv", "--people", "--out", folder, "-o", "json"] + january, ends: 69)
    #expect(try export.lines().map { $0["days"] as? Int } == [3, 3, nil, 3, 0])
    #expect(try export.lines().map { $0["damaged_days"] as? Int } == [0, 0, nil, 1, 0])
    let written = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(written == ["ann.csv", "bob.csv", "dan.csv", "eve.csv"])
    let one = try await program.succeeds(["export", "csv", "--person", "bob"] + january)
    #expect(try String(contentsOfFile: folder + "/bob.csv", encoding: .utf8) == one.output)

    let pages = program.home.appending(path: "pages").path
    try await program.run(
      ["report", "--people", "--out", pages] + january, ends: 69, printing: "1 failed")
    #expect(try FileManager.default.contentsOfDirectory(atPath: pages).count == 4)

    let held = try await program.run(["ls", "--people", "-o", "json"], ends: 69)
    #expect(try held.lines().map { $0["days_held"] as? Int } == [3, 3, nil, 3, 0])
  }

  @Test func `R64 removing asks, and leaves the others byte for byte`() async throws {
    let program = try program()
    try await program.put(payload("2026-01-02"))
    for person in ["an", "ann", "ann-2"] { try await publish(program, person, steps: 1) }
    try await program.succeeds(["people", "add", "ann"])
    let before = try contents(of: shared(program))
    let asked = try await program.refuses(
      ["people", "remove", "ann"], saying: "7 objects", "--yes")
    #expect(asked["message"] as? String != nil)
    #expect(try contents(of: shared(program)) == before)
    let run = try await program.succeeds(["people", "remove", "ann", "--yes", "-o", "json"])
    #expect(try run.json()["removed_objects"] as? Int == 7)
    #expect(try contents(of: shared(program)) == before.filter { !$0.key.hasPrefix("people/ann/") })
    try await program.fails(
      ["people", "remove", "ann", "--yes"], as: .dataNotFound, saying: "unknown person ann")
  }

  @Test(arguments: TestDepth.full([150, 90, 20, 2], usual: [90]))
  func `R64 a removal that is killed is seen, and completed when it is run again`(left: Int)
    async throws
  {
    let program = try program()
    try await publish(program, "ann", steps: 1)
    let others = try contents(of: shared(program))
    try await program.succeeds(["people", "add", "bob"])
    for month in 1...3 {
      let days = (1...28).map { day in
        #"{"date": "2026-0\#(month)-\#(String(format: "%02d", day))", "metrics": {"steps": 1}}"#
      }
      try await program.succeeds(
        ["put", "--input", "-", "--date", "all", "--person", "bob"],
        input: "{\"days\": [\(days.joined(separator: ","))]}")
    }
    let place = shared(program).appending(path: "people/bob").path
    let killed = try await program.killed(at: -left, of: place)
      .run(["people", "remove", "bob", "--yes"])
    // On a fast machine nothing may be left to kill.
    #expect(killed.exitCode == 137 || killed.exitCode == 0, "\(killed.errors)")
    if killed.exitCode == 137, !(try contents(of: shared(program)) == others) {
      #expect(try await program.succeeds(["people", "ls"]).output == "ann\nbob\n")
      try await program.succeeds(["people", "remove", "bob", "--yes"])
    }
    #expect(try contents(of: shared(program)) == others)
    #expect(try await program.succeeds(["people", "ls"]).output == "ann\n")
  }
}

/// The same on real servers: a bucket shared by people, over one pool of connections.
@Suite(.server) struct PeopleOnServersTests {
  @Test(arguments: TestServer.one)
  func `R64 people of a bucket are listed, verified and removed, each alone`(server: TestServer)
    async throws
  {
    let program = try Program().on(server)
    let store = server.arguments()
    let names = (0..<TestDepth.full(12, usual: 3)).map { String(format: "p-%02d", $0) }
    for (number, name) in names.enumerated() {
      try await program.succeeds(
        ["put", "--input", "-", "--person", name] + store,
        input: payload("2026-01-02", steps: number))
    }
    try await program.succeeds(["people", "add", "zed"] + store)
    let listed = try await program.succeeds(["people", "ls", "--verbose"] + store)
    let everyone: [String] = names + ["zed"]
    #expect(listed.output.split(separator: "\n").map(String.init) == everyone)
    #expect(listed.errors.split(separator: "\n").count { $0.contains("method=GET") } == 1)
    for _ in 0..<2 {
      // A second time from the cache, in which people must not mix.
      let days = ["--from", "2026-01-02", "--to", "2026-01-02"]
      let run = try await program.succeeds(
        ["verify", "--people", "--allow-missing", "-o", "json"] + days + store)
      #expect(run.output.split(separator: "\n").count == everyone.count)
      for (number, name) in names.enumerated() {
        let day = try await program.succeeds(
          ["export", "json", "--person", name] + days + store
        ).json()
        #expect(day["steps"] as? Int == number)
      }
    }
    try await program.succeeds(["people", "remove", "p-01", "--yes"] + store)
    let left = try await program.succeeds(["people", "ls"] + store)
      .output.split(separator: "\n").map(String.init)
    let others: [String] = names.filter { $0 != "p-01" } + ["zed"]
    // An empty folder is listed until the server clears it away, which takes a minute.
    #expect(left == others || (server.hasFolders && left == everyone))
    #expect(
      try await program.succeeds(["export", "json", "--person", "p-02"] + store).json()["steps"]
        as? Int == 2)
    guard server.checksSignatures else { return }
    var stranger = program
    stranger.environment["AWS_SECRET_ACCESS_KEY"] = "wrong"
    try await stranger.fails(["verify", "--people"] + store, as: .notAuthorized)
  }
}
