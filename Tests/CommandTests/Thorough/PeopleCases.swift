import Foundation
import TestSupport
import Testing

/// Further runs over people, and those that are ended (R64).
extension PeopleCommandTests {
  @Test func `R64 days of a person who does not exist are not missing days`() async throws {
    let program = try program()
    try await publish(program, "ann", steps: 1000)
    try await program.succeeds(["people", "add", "eve"])
    for command in [["verify"] + january, ["verify"], ["ls"], ["people", "set"]] {
      let whose = command[0] == "people" ? ["bob"] : ["--person", "bob"]
      try await program.fails(
        command + whose, as: .dataNotFound, saying: "unknown person bob in ")
    }
    // A person who exists has no days yet.
    for command in [["verify"] + january, ["ls"]] {
      try await program.fails(
        command + ["--person", "eve"], as: .dataNotFound, saying: "the store holds no days yet")
    }
    #expect(try await program.succeeds(["people", "ls"]).output == "ann\neve\n")
  }

  @Test func `R64 a store without people, and what is printed of it, is as before`() async throws {
    let program = try program()
    try await program.put(payload("2026-01-02"))
    let before = try await program.succeeds(["verify", "2026-01-02"])
    let files = try contents(of: shared(program))
    #expect(files.keys.allSatisfy { $0.hasPrefix("health/v0/") })
    try await publish(program, "ann", steps: 1)
    let after = try await program.succeeds(["verify", "2026-01-02"])
    #expect(after.output == before.output && after.errors == before.errors)
    let kept = try contents(of: shared(program)).filter { !$0.key.hasPrefix("people/") }
    #expect(kept == files)
  }

  @Test func `R64 people are added once, listed, and shown with their days`() async throws {
    let program = try program()
    #expect(try await program.succeeds(["people", "ls"]).output == "")
    for command in [["ls"], ["runs"]] {
      try await program.fails(command + ["--people"], as: .dataNotFound, saying: "no people")
    }
    let added = try await program.succeeds(["people", "add", "eve", "bob", "-o", "json"])
    #expect(try added.lines().map { $0["added"] as? Bool } == [true, true])
    #expect(
      try await program.succeeds(["people", "add", "eve"]).output == "eve is there already\n")
    try await publish(program, "ann", steps: 1)
    let place = shared(program).appending(path: "people")
    try FileManager.default.createDirectory(
      at: place.appending(path: "Not An Id"), withIntermediateDirectories: false)
    try Data([1]).write(to: place.appending(path: "Not An Id/x"))
    let run = try await program.succeeds(["people", "ls"])
    #expect(run.output == "ann\nbob\neve\n")
    #expect(run.errors.contains("note: people/Not An Id/ is left out"))
    let long = try await program.succeeds(["people", "ls", "--long", "-o", "json"]).lines()
    #expect(long.map { $0["days"] as? Int } == [3, 0, 0])
    #expect(long.map { $0["to"] as? String } == ["2026-01-03", nil, nil])
    #expect(long.map { $0["result"] as? String } == ["ok", "no_data", "no_data"])
    let text = try await program.succeeds(["people", "ls", "--long"]).output
    #expect(text.contains("person     days       first        last  result\n"))
    #expect(text.contains("ann           3  2026-01-01  2026-01-03  ok\n"))
  }

  @Test func `R64 a person whose folder may not be read is refused alone`() async throws {
    let program = try program().withoutPrivileges()
    for person in ["ann", "bob", "cho"] { try await publish(program, person, steps: 1) }
    let place = shared(program).appending(path: "people/bob").path
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0], ofItemAtPath: place)
    defer { try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place) }
    #expect(try await program.succeeds(["people", "ls"]).output == "ann\nbob\ncho\n")
    let run = try await program.run(["verify", "--people", "-o", "json"] + january, ends: 77)
    #expect(try run.lines().map { $0["result"] as? String } == ["ok", "failed", "ok"])
    #expect(try await program.run(["people", "remove", "bob", "--yes"]).exitCode == 77)
  }

  @Test func `R64 a run over people is about all of them, whoever is configured`() async throws {
    var program = try program()
    for person in ["ann", "bob"] { try await publish(program, person, steps: 1) }
    program.environment["S3HEALTH_PERSON"] = "bob"
    let run = try await program.succeeds(["verify", "--people", "-o", "json"] + january)
    #expect(try run.lines().map { $0["person"] as? String } == ["ann", "bob"])
    try await program.refuses(["verify", "--people", "--person", "ann"])
    try await program.refuses(["people", "ls", "--person", "ann"])
    for wrong in [
      ["verify", "--after", "ann"], ["report", "--people"],
      ["report", "--out", "x"], ["export", "csv", "--people"], ["export", "csv", "-o", "json"],
      ["report", "--people", "--out", "x", "--name", "Ann"],
    ] {
      #expect(try await program.run(wrong).exitCode == 64, "\(wrong)")
    }
    var empty = program
    empty.environment["S3HEALTH_STORE"] = try program.folder("empty").path
    try await empty.fails(["verify", "--people"], as: .dataNotFound, saying: "no people")
  }

  @Test func `R64 what is configured for one person is not published as another's`() async throws {
    let program = try program()
    let source = try program.file("ann.json", payload("2026-01-02", steps: 7))
    for (name, value) in [("source", source), ("person", "ann"), ("step_goal", "4000")] {
      try await program.succeeds(["config", "set", name, value])
    }
    try await program.succeeds(["put"])
    #expect(try await program.run(["put", "--person", "bob"]).exitCode == 64)
    #expect(try await program.succeeds(["people", "ls"]).output == "ann\n")
    // Outboxes, and what else this machine keeps, are apart too.
    let ann = try await program.succeeds(["raw", "queue", "-o", "json"]).json()
    let bob = try await program.succeeds(["raw", "queue", "-o", "json", "--person", "bob"]).json()
    #expect((ann["outbox"] as? String)?.contains("/people/ann/") == true, "\(ann)")
    #expect((bob["outbox"] as? String)?.contains("/people/bob/") == true, "\(bob)")
  }

  @Test func `R64 an interrupted run says how to continue`() async throws {
    let program = try program()
    for person in 0..<30 {
      try await publish(program, String(format: "p%02d", person), days: 1...20, steps: 1)
    }
    let folder = try program.folder("days").path
    let run = try await program.killed("SIGINT", at: 1, of: folder)
      .run(["export", "json", "--people", "--out", folder] + january)
    #expect(run.exitCode == 130 || run.exitCode == 0, "\(run.errors)")
    if run.exitCode == 130 {
      #expect(
        run.errors.contains(
          #/interrupted (before the first person|after p\d\d; .* --after p\d\d )/#),
        "\(run.errors)")
    }
    try await program.succeeds(["export", "json", "--people", "--out", folder] + january)
    // The write that was interrupted may have left its file of another name.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count { $0.hasPrefix("p") && $0.hasSuffix(".jsonl") } == 30, "\(names.sorted())")
  }
}

/// What else the settings of a person decide (R64).
extension PersonSettingsTests {
  @Test func `R64 a run over people uses each one's today, unless a zone is given`() async throws {
    let program = try await program()
    for command in [["ls"], ["verify", "--allow-missing"]] {
      let all = command + ["--people", "1d", "-o", "json"]
      let own = try await program.run(all).lines().map { $0["to"] as? String }
      #expect(own.count == 2 && own[0] != own[1], "\(command): \(own)")
      let given = try await program.run(all + ["--timezone", "Etc/UTC"]).lines()
      #expect(Set(given.map { $0["to"] as? String }).count == 1, "\(command)")
    }
    try await program.refuses(["ls", "--people", "--timezone", "Mars/Base"], saying: "Mars/Base")
    // A command for one person gives the same days.
    let whole = try await program.run(["ls", "--people", "1d", "-o", "json"]).lines()
    try await program.succeeds(
      ["put", "--person", "eve", "--date", "2026-01-02", "--input", "-"],
      input: #"{"metrics":{"steps":1}}"#)
    let alone = try await program.succeeds(["ls", "--person", "eve", "1d", "-o", "json"]).json()
    #expect(alone["to"] as? String == whole[0]["to"] as? String)
  }

  @Test func `R64 a new zone says how to name a move, as collect takes all dates`() async throws {
    let program = try await program()
    func set(_ zone: String) async throws -> String {
      try await program.succeeds(["people", "set", "lou", "--timezone", zone]).errors
    }
    let moved = try await set("Asia/Tokyo")
    let both = #/s3health people set lou --timezone "(Pacific/Pago_Pago, Asia/Tokyo@[0-9-]+)"/#
    let zones = try String(#require(moved.firstMatch(of: both), "\(moved)").1)
    for zone in ["Asia/Tokyo", zones, "", Self.early] {
      #expect(try await !set(zone).contains("note: "), "\(zone)")
    }
  }

  @Test func `R64 pages and numbers have the person's own units and goal`() async throws {
    let program = try await program()
    for person in ["eve", "lou"] {
      try await program.succeeds(
        ["put", "--date", "2026-01-02", "--input", "-", "--person", person],
        input: #"{"metrics": {"steps": 4000, "weight": 70}}"#)
    }
    let folder = program.home.appending(path: "pages").path
    let report = ["report", "--people", "--from", "2026-01-02", "--to", "2026-01-02"]
    try await program.succeeds(report + ["--out", folder])
    let page = { (id: String) in try String(contentsOfFile: "\(folder)/\(id).html", encoding: .utf8)
    }
    #expect(try page("eve").contains("154.3") && !page("lou").contains("154.3"))
    #expect(try page("lou").contains("70"))
    let day = ["get", "2026-01-02..2026-01-02", "--metrics", "weight", "--person", "eve"]
    #expect(try await program.succeeds(day).output.contains("154.3"))
    var configured = program
    configured.environment["S3HEALTH_UNITS"] = "st"
    #expect(try await !configured.succeeds(day).output.contains("154.3"))
  }
}
