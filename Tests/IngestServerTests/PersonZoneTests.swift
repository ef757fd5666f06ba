import Foundation
import HealthModel
import TestSupport
import Testing

/// A person's own zone, goals and units on a hub, by the real programs (R65).
@Suite(.process) struct PersonZoneTests {
  /// A server in UTC with a token of Ann's.
  private struct Trial {
    let trial: HubTrial
    var ann = ""

    init() async throws {
      trial = try await HubTrial(arguments: ["--timezone", "Etc/UTC"])
    }

    func people(_ arguments: [String]) async throws -> Program.Run {
      try await trial.program.run(["people"] + arguments + ["--store", trial.store.path])
    }

    mutating func addToken() async throws {
      ann = try await HubProgram.token(
        "ann-phone", trial.program, arguments: ["--person", "ann", "--device", HubTrial.device])
      try await Task.sleep(for: .milliseconds(1100))
    }

    /// Zone and steps of a day of Ann's.
    func day(_ date: String) async throws -> (zone: String?, steps: Int?) {
      let run = try await trial.program.run(
        ["get", date, "-o", "json", "--person", "ann", "--store", trial.store.path])
      let value = try? JSONValue(parsing: Array(run.output.utf8))
      return (
        value?["day"]?["timezone"]?.stringValue,
        value?["metrics"]?["steps"]?.numberValue.map { Int($0) }
      )
    }

    func post(_ body: String, _ token: String) async throws {
      let answer = try await trial.ask("/api/ingest", token: token, body: body)
      #expect(answer.status == 200, "\(answer.body)")
    }
  }

  @Test func `R65: the days of a person are those of their own zone, and of nobody else`()
    async throws
  {
    var trial = try await Trial()
    // It is 00:00 of the 9th there when it is 10:00 of the 8th in UTC.
    let added = try await trial.people(["add", "ann", "--timezone", "Pacific/Kiritimati"])
    #expect(added.exitCode == 0, "\(added.errors)")
    try await trial.addToken()
    try await trial.post(HubTrial.body([4711]), trial.ann)
    try await trial.post(HubTrial.body([6967]), trial.trial.token)
    #expect(try await until { try await trial.day("2026-02-09").steps == 4711 })
    #expect(try await trial.day("2026-02-09").zone == "Pacific/Kiritimati")
    #expect(try await trial.day("2026-02-08").steps == nil)
    let own = try await until {
      try await trial.trial.program.run(
        ["get", "2026-02-08", "--store", trial.trial.store.path]
      ).output.contains("6,967")
    }
    #expect(own)
    try await trial.trial.clear()
  }

  @Test func `R49, R65: a zone that is changed later holds from today on, and no day is blank`()
    async throws
  {
    var trial = try await Trial()
    _ = try await trial.people(["add", "ann", "--timezone", "Europe/Berlin"])
    try await trial.addToken()
    try await trial.post(HubTrial.body([100, 20]), trial.ann)
    #expect(try await until { try await trial.day("2026-02-08").steps == 120 })
    let set = try await trial.people(["set", "ann", "--timezone", "America/New_York"])
    #expect(set.output == "timezone = America/New_York\n")
    // It is known within a minute; a new server knows it at once.
    try await trial.trial.hub.end(by: SIGTERM)
    let next = try await HubProgram(
      trial.trial.program, store: trial.trial.store.path, arguments: ["--timezone", "Etc/UTC"])
    for (date, session) in [("2026-02-08", "s-2"), ("2026-02-11", "s-3")] {
      let body = HubTrial.body([3], on: date, session: session)
      let answer = try await CurlAnswer(
        next.url + "/api/ingest", token: trial.ann, body: Array(body.utf8))
      #expect(answer.status == 200, "\(answer.body)")
    }
    #expect(try await until { try await trial.day("2026-02-11").steps == 3 })
    #expect(try await trial.day("2026-02-11").zone == "Europe/Berlin")
    #expect(try await until { try await trial.day("2026-02-08").steps == 123 })
    #expect(try await trial.day("2026-02-08").zone == "Europe/Berlin")
    let zones = try await trial.trial.program.run(
      ["raw", "zones", "--person", "ann", "--store", trial.trial.store.path])
    #expect(zones.output.hasPrefix("Europe/Berlin, America/New_York@20"), "\(zones.output)")
    try await next.end(by: SIGTERM)
    try await trial.trial.clear()
  }

  @Test func `R65: while settings can't be read what is sent is kept, and no day is made of it`()
    async throws
  {
    var trial = try await Trial()
    let folder = trial.trial.store.appending(path: "people/ann")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let settings = folder.appending(path: "settings.json")
    try Data("{broken".utf8).write(to: settings)
    try await trial.addToken()
    try await trial.post(HubTrial.body([9]), trial.ann)
    #expect(try await until { trial.trial.hub.log.contains("settings can't be read") })
    #expect(try await trial.day("2026-02-08").steps == nil)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).contains {
        $0.hasPrefix("streams/v0/.pending/")
      })
    // Once they can be, a sweep makes the day in the zone that was meant.
    try FileManager.default.removeItem(at: settings)
    let set = try await trial.people(["set", "ann", "--timezone", "Pacific/Kiritimati"])
    #expect(set.exitCode == 0, "\(set.errors)")
    #expect(try await until { try await trial.day("2026-02-09").steps == 9 })
    #expect(try await trial.day("2026-02-09").zone == "Pacific/Kiritimati")
    try await trial.trial.clear()
  }

  @Test func `R65: an administrator sets a zone, which agents and pages follow at once`()
    async throws
  {
    var trial = try await Trial()
    try await trial.addToken()
    let boss = try await HubProgram.token(
      "boss", trial.trial.program,
      arguments: ["--endpoint", "people", "--endpoint", "dashboard", "--endpoint", "agents"])
    try await Task.sleep(for: .milliseconds(1100))
    func ask(_ path: String, _ body: String) async throws -> CurlAnswer {
      try await trial.trial.ask(path, token: boss, body: body)
    }
    // Nobody of that id is there yet.
    #expect(
      try await ask("/api/people/settings", #"{"person":"eve","units":"lb"}"#).status == 404)
    let added = try await ask(
      "/api/people",
      #"{"person":"ann","endpoints":["dashboard","agents"],"timezone":"Pacific/Kiritimati"}"#)
    let token = try #require(added.json["token"] as? String)
    for body in [
      #"{"person":"ann","timezone":"Mars/Olympus"}"#, #"{"person":"ann","goals":"steps"}"#,
      #"{"person":"ann","units":"parsec"}"#, #"{"person":"ann","timezone":7}"#,
      #"{"person":"ann","timezone":""}"#, #"{"person":"ann","zone":"UTC"}"#,
    ] {
      #expect(try await ask("/api/people/settings", body).status == 400, "\(body)")
    }
    // Today is another date there, but for two hours of a day: then the one before is.
    for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago"] {
      let set = try await ask(
        "/api/people/settings", #"{"person":"ann","timezone":"\#(zone)","goals":"steps=4000"}"#)
      #expect(set.json["timezone"] as? String == zone)
      #expect(set.json["goals"] as? String == "steps=4000")
      let today = try Self.today(in: zone)
      let answer = try await trial.trial.ask(
        "/mcp", body: AgentTrial.call("health.read_daily_metrics", #"{"date":"today"}"#),
        arguments: ["-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/json"])
      #expect(answer.body.contains(today), "\(zone): \(answer.body)")
      let jar = trial.trial.program.home.appending(path: "jar").path
      _ = try await trial.trial.ask(
        "/sign-in", body: "token=\(token)", arguments: OAuthTrial.form + ["-c", jar, "-b", jar])
      // A week that ends today begins after this date.
      let before = try Self.today(in: zone, daysAgo: 7)
      let page = try await trial.trial.ask("/metric/steps?span=week", arguments: ["-b", jar]).body
      #expect(page.contains("to=\(before)"), "\(zone)")
    }
    let listed = try await trial.trial.ask("/api/people", token: boss).body
    #expect(listed.contains(#""goals":"steps=4000""#))
    // Who is not let in to read sees the zone, and not the goals.
    let clerk = try await HubProgram.token(
      "clerk", trial.trial.program, arguments: ["--endpoint", "people"])
    try await Task.sleep(for: .milliseconds(1100))
    let seen = try await trial.trial.ask("/api/people", token: clerk).body
    #expect(seen.contains("Pago_Pago") && !seen.contains("4000"))
    let refused = try await trial.trial.ask(
      "/api/people/settings", token: clerk, body: #"{"person":"ann","goals":"steps=1"}"#)
    #expect(refused.status == 403)
    try await trial.trial.clear()
  }

  private static func today(in zone: String, daysAgo: Int = 0) throws -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let parts = calendar.dateComponents(
      [.year, .month, .day], from: Date(timeIntervalSinceNow: Double(-86_400 * daysAgo)))
    return String(
      format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }
}
