import Foundation
import TestSupport
import Testing

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
  func `R43: the zone that the first input names is kept, said, and used from then on`(
    command: [String]
  ) async throws {
    let program = try program()
    defer { program.removeHome() }
    let source = try export(program)
    let dry = try await program.run(command + [source, "--dry-run"])
    #expect(dry.errors.contains("would keep Pacific/Honolulu as your time zone"), "\(dry)")
    #expect(try await zone(program).origin == "TZ")
    let first = try await program.succeeds(command + [source])
    #expect(
      first.errors.contains("the store keeps Pacific/Honolulu as your time zone from now on"),
      "\(first.errors)")
    #expect(try await zone(program) == ("Pacific/Honolulu", "the store"))
    let day = try await program.succeeds(["get", "yesterday", "-o", "json"])
    #expect(try day.json()["date"] as? String == date(1))
    #expect(!day.errors.contains(Self.missing), "\(day.errors)")
    #expect(try await !program.succeeds(command + [source]).errors.contains("time zone"))
    // What a person sets comes first; and on another machine the store's zone is known too.
    #expect(try await !program.run(["get", "--timezone", Self.far]).errors.contains(Self.missing))
    var other = try Program().withoutZone()
    defer { other.removeHome() }
    other.environment["S3HEALTH_STORE"] = program.defaultStore.path
    #expect(try await zone(other) == ("Pacific/Honolulu", "the store"))
    other.environment["S3HEALTH_TIMEZONE"] = "Asia/Tokyo"
    #expect(try await zone(other).value == "Asia/Tokyo")
    let zones = try await other.succeeds(["raw", "zones"])
    #expect(zones.output == "Pacific/Honolulu\n", "\(zones.output)")
  }

  @Test func `R43: while no zone is known, whatever shows or takes data says so`() async throws {
    let program = try program()
    defer { program.removeHome() }
    let empty = try await program.run("status")
    #expect(empty.exitCode == 66 && empty.output.contains("warning  time zone: none is set"))
    let put = try await program.succeeds(
      ["put", "--date", "2026-01-02", "--input", "-"],
      input: Array(#"{"metrics":{"steps":1}}"#.utf8))
    func says(_ run: Program.Run, _ what: String) {
      let note = "\(Self.missing), so days begin and end by this machine's, \(Self.far)"
      #expect(run.errors.components(separatedBy: note).count == 2, "\(what): \(run.errors)")
      #expect(run.errors.contains("s3health config set timezone NAME"), "\(what): \(run.errors)")
    }
    says(put, "put")
    let days = try program.file("steps.json", Array(#"{"metrics":{"steps":1}}"#.utf8))
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
    #expect(doctor.output.contains("do: s3health config set timezone NAME"), "\(doctor.output)")
    try await program.succeeds(["config", "set", "timezone", "Asia/Tokyo"])
    #expect(try await !program.run(["get"]).errors.contains(Self.missing))
    #expect(try await program.run("doctor").exitCode == 0)
  }

  @Test func `R43: each person has a zone of their own, and none of them the store's`() async throws
  {
    let program = try program()
    defer { program.removeHome() }
    let source = try export(program)
    for person in ["ann", "bob"] { try await program.succeeds(["people", "add", person]) }
    try await program.succeeds(["import", source, "--person", "ann"])
    let store = program.defaultStore
    #expect(
      try contents(of: store).keys.filter { $0.hasSuffix("/.zones") }
        == ["people/ann/streams/v0/.zones"])
    let bob = try await program.run(["get", "--person", "bob"])
    #expect(bob.errors.contains("s3health people set bob --timezone NAME"), "\(bob.errors)")
    #expect(try await !program.run(["get", "--person", "ann"]).errors.contains(Self.missing))
  }

  @Test func `R43: a zone that is kept is not changed by later inputs, and the difference is said`()
    async throws
  {
    let program = try program()
    defer { program.removeHome() }
    try await program.succeeds(["raw", "zones", "Asia/Tokyo"])
    #expect(try await zone(program) == ("Asia/Tokyo", "the store"))
    let run = try await program.succeeds(["import", try export(program)])
    #expect(
      run.errors.contains(
        "the store keeps Asia/Tokyo as your time zone, and the input names Pacific/Honolulu"),
      "\(run.errors)")
    #expect(try await zone(program).value == "Asia/Tokyo")
    // Its own days are where the records say.
    let day = try await program.day(date(1))["day"] as? [String: String]
    #expect(day?["timezone"] == "Pacific/Honolulu")
    let broken = program.defaultStore.appending(path: "streams/v0/.zones")
    try Data("{}".utf8).write(to: broken)
    try await program.fails(
      ["import", try export(program)], as: .storageUnavailable, saying: "time zones", "backup")
    let read = try await program.succeeds(["get", date(1)])
    #expect(read.errors.contains("the store's time zone is not known"), "\(read.errors)")
  }
}
