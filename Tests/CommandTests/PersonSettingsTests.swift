import Foundation
import TestSupport
import Testing

/// R64: what the settings of a person decide in commands.
@Suite(.process) struct PersonSettingsTests {
  /// 25 hours apart, so that today is never the same date in both.
  static let (early, late) = ("Pacific/Kiritimati", "Pacific/Pago_Pago")

  /// A store with two people, and no zone set on this machine but TZ.
  func program() async throws -> Program {
    var program = try Program().withoutZone()
    program.environment["S3HEALTH_STORE"] = try program.folder("shared").path
    program.environment["TZ"] = "Etc/UTC"
    try await program.succeeds([
      "people", "add", "eve", "--timezone", Self.early, "--units", "lb", "--goals", "steps=8000",
    ])
    try await program.succeeds(["people", "add", "lou", "--timezone", Self.late])
    return program
  }

  /// An export with 100 steps after midnight in UTC, which is the day before in New York.
  private func export(_ program: Program) throws -> String {
    try program.export(
      made: "2026-01-03 12:00:00 +0000",
      [SmallExport.record("StepCount", 100, from: "2026-01-02 02:00:00 +0000")])
  }

  @Test func `R64 an import counts days in the person's zone, unless one is given`() async throws {
    let program = try await program()
    try await program.succeeds(["people", "set", "lou", "--timezone", "America/New_York"])
    let command = ["import", try export(program), "--dry-run", "-o", "json", "--person", "lou"]
    let seen = try await program.succeeds(command).json()
    #expect(seen["timezone"] as? String == "America/New_York")
    #expect((seen["results"] as? [[String: Any]])?.map { $0["date"] as? String } == ["2026-01-01"])
    let given = try await program.succeeds(command + ["--timezone", "Europe/Berlin"]).json()
    #expect(given["timezone"] as? String == "Europe/Berlin")
    var configured = program
    configured.environment["S3HEALTH_TIMEZONE"] = "Asia/Tokyo"
    #expect(try await configured.succeeds(command).json()["timezone"] as? String == "Asia/Tokyo")
  }

  @Test func `R64 invalid settings make no day, and do not stop other people`() async throws {
    let program = try await program()
    let shared = program.home.appending(path: "shared")
    try Data(#"{"format":"person_settings.v0","units":"furlongs"}"#.utf8)
      .write(to: shared.appending(path: "people/eve/settings.json"))
    let before = try contents(of: shared)
    for command in [
      ["import", try export(program)], ["import", try export(program), "--timezone", "Etc/UTC"],
      ["put", "--date", "2026-01-02", "--input", try program.file("day.json", payload())],
    ] {
      try await program.refuses(command + ["--person", "eve"], saying: "the settings of eve")
    }
    #expect(try contents(of: shared) == before)
    try Data(#"{"format":"person_settings.v0","timezone":"Mars/X"}"#.utf8)
      .write(to: shared.appending(path: "people/eve/settings.json"))
    for command in [["import", try export(program)], ["get", "yesterday"]] {
      try await program.refuses(
        command + ["--person", "eve"],
        saying: "the settings of eve", "Mars/X", "s3health people set eve --timezone")
    }
    let folder = program.home.appending(path: "pages").path
    let run = try await program.run(["report", "--people", "2d", "--out", folder, "-o", "json"])
    #expect(try run.lines().map { $0["result"] as? String } == ["failed", "ok"])
    #expect(run.exitCode == 64)
  }
}

/// The same, to a real gateway.
@Suite(.process, .prometheus) struct PersonPushTests {
  @Test func `R64, R57: pushes of two people from one machine do not clash`() async throws {
    let servers = try PrometheusServers.shared()
    var program = try Program()
    program.environment["S3HEALTH_STORE"] = try program.folder("shared").path
    let people = [(id: "ann-\(UUID())".lowercased(), 111), ("bob-\(UUID())".lowercased(), 222)]
    for (id, steps) in people {
      try await program.succeeds(
        ["put", "--date", "today", "--input", "-", "--person", id],
        input: #"{"metrics":{"steps":\#(steps)}}"#)
      try await program.succeeds([
        "push", "--gateway", servers.gateway, "--person", id, "--replace",
      ])
    }
    for (id, steps) in people {
      let own = try await servers.pushed(instance: id)
      #expect(own.contains(#"healthkit_steps_total{source="all",unit="count"} \#(steps)"#))
    }
  }
}

/// Which zone a person has (R43): set by them, else kept in the store, else this machine's.
@Suite(.process) struct PersonZoneTests {
  /// A day ahead of Honolulu: today is never the same date in both.
  private static let far = "Pacific/Kiritimati"
  private static let missing = "no time zone is set"

  private func program() throws -> Program {
    var program = try Program().withoutZone()
    program.environment["TZ"] = Self.far
    return program
  }

  /// The date in Honolulu some days ago.
  private func date(_ daysAgo: Int) -> String {
    let moment = Date().addingTimeInterval(-36_000 - 86_400 * Double(daysAgo))
    return String(moment.ISO8601Format().prefix(10))
  }

  /// An export of Honolulu, made a minute ago, with steps of yesterday there.
  private func export(_ program: Program) throws -> String {
    let now = Date().addingTimeInterval(-36_060).ISO8601Format()
    return try program.export(
      made: "\(now.prefix(10)) \(now.dropFirst(11).prefix(8)) -1000",
      [
        """
        <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" value="70" \
        startDate="\(date(1)) 10:00:00 -1000" endDate="\(date(1)) 10:05:00 -1000">
        <MetadataEntry key="HKTimeZone" value="Pacific/Honolulu"/></Record>
        """
      ])
  }

  private func zone(_ program: Program) async throws -> (value: String?, origin: String?) {
    let document = try await program.run(["doctor", "-o", "json"]).json()
    let found = (document["settings"] as? [[String: String]])?.first { $0["setting"] == "timezone" }
    return (found?["value"], found?["origin"])
  }

  @Test(arguments: [["import"], ["collect", "--input"], ["put", "--date", "all"]])
  func `R43: the first input's zone is kept, said, and used`(command: [String]) async throws {
    let program = try program()
    let source = try export(program)
    let dry = try await program.run(command + [source, "--dry-run"])
    #expect(dry.errors.contains("would keep Pacific/Honolulu as your time zone"), "\(dry)")
    #expect(try await zone(program).origin == "TZ")
    try await program.succeeds(
      command + [source], saying: "the store keeps Pacific/Honolulu as your time zone from now on")
    #expect(try await zone(program) == ("Pacific/Honolulu", "the store"))
    let day = try await program.succeeds(["get", "yesterday", "-o", "json"])
    #expect(try day.json()["date"] as? String == date(1))
    #expect(!day.errors.contains(Self.missing))
    #expect(try await !program.succeeds(command + [source]).errors.contains("time zone"))
    // What a person sets comes first; and on another machine the store's zone is known too.
    #expect(try await !program.run(["get", "--timezone", Self.far]).errors.contains(Self.missing))
    var other = try Program().withoutZone()
    other.environment["S3HEALTH_STORE"] = program.defaultStore.path
    #expect(try await zone(other) == ("Pacific/Honolulu", "the store"))
    other.environment["S3HEALTH_TIMEZONE"] = "Asia/Tokyo"
    #expect(try await zone(other).value == "Asia/Tokyo")
    let zones = try await other.succeeds(["raw", "zones"])
    #expect(zones.output == "Pacific/Honolulu\n")
  }

  @Test func `R43: while no zone is known, whatever shows or takes data says so`() async throws {
    let program = try program()
    let empty = try await program.run("status")
    #expect(empty.exitCode == 66 && empty.output.contains("warning  time zone: none is set"))
    let put = try await program.succeeds(
      ["put", "--date", "2026-01-02", "--input", "-"],
      input: #"{"metrics":{"steps":1}}"#)
    func says(_ run: Program.Run, _ what: String) {
      let note = "\(Self.missing), so days begin and end by this machine's, \(Self.far)"
      #expect(run.errors.components(separatedBy: note).count == 2, "\(what): \(run.errors)")
      #expect(run.errors.contains("s3health config set timezone NAME"), "\(what): \(run.errors)")
    }
    says(put, "put")
    let days = try program.file("steps.json", #"{"metrics":{"steps":1}}"#)
    for words in [
      ["get"], ["get", "30d"], ["get", "--summary"],
      ["report", "--html", program.home.path + "/page.html"],
      ["ls"], ["verify", "2026-01-02"], ["get", "--diff", "2026-01-02"], ["runs"],
      ["undo", "--dry-run"],
      ["export", "csv"], ["export", "openmetrics"], ["push", "--gateway", "http://localhost:9"],
      ["put", "--date", "2026-01-03", "--input", days],
    ] {
      says(try await program.run(words), words.joined(separator: " "))
    }
    let agent = try await program.agent([AgentLine.hello, AgentLine.daily(2, "2026-01-02")])
    says(agent.run, "mcp")
    let status = try await program.run("status")
    #expect(status.output.contains("warning  time zone: none is set"), "\(status.output)")
    #expect(status.output.contains("do: s3health config set timezone NAME"), "\(status.output)")
    let doctor = try await program.run("doctor")
    #expect(doctor.exitCode == 1 && doctor.output.contains("warning  time zone: none is set"))
    #expect(doctor.output.contains("do: s3health config set timezone NAME"))
    try await program.succeeds(["config", "set", "timezone", "Asia/Tokyo"])
    #expect(try await !program.run(["get"]).errors.contains(Self.missing))
    #expect(try await program.run("doctor").exitCode == 0)
  }

  @Test func `R43: each person has a zone of their own, not the store's`() async throws {
    let program = try program()
    let source = try export(program)
    for person in ["ann", "bob"] { try await program.succeeds(["people", "add", person]) }
    try await program.succeeds(["import", source, "--person", "ann"])
    let store = program.defaultStore
    #expect(
      try contents(of: store).keys.filter { $0.hasSuffix("/.zones") }
        == ["people/ann/streams/v0/.zones"])
    let bob = try await program.run(["get", "--person", "bob"])
    #expect(bob.errors.contains("s3health people set bob --timezone NAME"))
    #expect(try await !program.run(["get", "--person", "ann"]).errors.contains(Self.missing))
  }

  @Test func `R43: a kept zone is not changed by later inputs, which is said`() async throws {
    let program = try program()
    try await program.succeeds(["raw", "zones", "Asia/Tokyo"])
    #expect(try await zone(program) == ("Asia/Tokyo", "the store"))
    try await program.succeeds(
      ["import", try export(program)],
      saying: "the store keeps Asia/Tokyo as your time zone, and the input names Pacific/Honolulu")
    #expect(try await zone(program).value == "Asia/Tokyo")
    // Its own days are where the records say.
    let day = try await program.day(date(1))["day"] as? [String: String]
    #expect(day?["timezone"] == "Pacific/Honolulu")
    let broken = program.defaultStore.appending(path: "streams/v0/.zones")
    try Data("{}".utf8).write(to: broken)
    try await program.fails(
      ["import", try export(program)], as: .storageUnavailable, saying: "time zones", "backup")
    try await program.succeeds(["get", date(1)], saying: "the store's time zone is not known")
  }
}
