import Foundation
import HealthModel
import TestSupport
import Testing

/// What else an administrator and a killed server do (R65).
extension PeopleEndpointTests {
  @Test func `R65: a person who can't be added leaves no token behind`() async throws {
    let people = try await People()
    let boss = try await people.boss()
    let obstacle = try people.obstruct("zoe")
    let body = #"{"person":"zoe","name":"zoe-phone"}"#
    let refused = try await people.trial.ask("/api/people", token: boss, body: body)
    #expect(refused.status == 503, "\(refused.body)")
    try FileManager.default.removeItem(at: obstacle)
    let added = try await people.trial.ask("/api/people", token: boss, body: body)
    #expect(added.status == 201, "\(added.body)")
  }

  @Test func `R65: a person whose folder is a file is not one without days`() async throws {
    let people = try await People()
    let boss = try await people.boss()
    _ = try people.obstruct("ann")
    let list = try await people.trial.ask("/api/people", token: boss).json["people"]
    let rows = try #require(list as? [[String: Any]])
    #expect(rows.map { $0["person"] as? String } == ["ann", "bob"])
    #expect((rows[0]["error"] as? [String: Any])?["code"] as? String == "STORAGE_UNAVAILABLE")
    #expect(rows[0]["days"] == nil)
    #expect(rows[1]["days"] as? Int == 0)
  }
}

/// Settings that change while a server runs (R65).
extension PersonZoneTests {
  @Test func `R65: while settings can't be read days wait, and nothing is lost`() async throws {
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
  }

  @Test func `R65: an administrator sets a zone; agents and pages follow at once`() async throws {
    var trial = try await Trial()
    try await trial.addToken()
    let boss = try await HubProgram.token(
      "boss", trial.trial.program,
      arguments: ["--endpoint", "people", "--endpoint", "dashboard", "--endpoint", "agents"])
    func ask(_ path: String, _ body: String) async throws -> CurlAnswer {
      try await trial.trial.ask(path, token: boss, body: body)
    }
    // Nobody of that id is there yet.
    #expect(try await ask("/api/people/settings", #"{"person":"eve","units":"lb"}"#).status == 404)
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
    let seen = try await trial.trial.ask("/api/people", token: clerk).body
    #expect(seen.contains("Pago_Pago") && !seen.contains("4000"))
    let refused = try await trial.trial.ask(
      "/api/people/settings", token: clerk, body: #"{"person":"ann","goals":"steps=1"}"#)
    #expect(refused.status == 403)
  }
}
