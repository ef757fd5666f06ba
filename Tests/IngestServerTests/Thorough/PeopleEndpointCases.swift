import Foundation
import HealthModel
import TestSupport
import Testing

/// What else an administrator and a killed server do (R65).
extension PeopleEndpointTests {
  @Test func `R65: a request that is refused because of the token's name changes nothing`()
    async throws
  {
    let people = try await People()
    let boss = try await people.boss()
    func post(_ path: String, _ body: String) async throws -> CurlAnswer {
      try await people.trial.ask(path, token: boss, body: body)
    }
    let set = try await post(
      "/api/people/settings", #"{"person":"ann","timezone":"Europe/Berlin"}"#)
    #expect(set.status == 200)
    let before = try people.files()
    for person in ["ann", "zoe"] {
      let taken = try await post(
        "/api/people", #"{"person":"\#(person)","name":"bob-phone","timezone":"Asia/Tokyo"}"#)
      #expect(taken.status == 409 && taken.code == "name_taken", "\(taken.body)")
    }
    let list = try await people.trial.ask("/api/people", token: boss).json["people"]
    let rows = try #require(list as? [[String: Any]])
    #expect(rows.map { $0["person"] as? String } == ["ann", "bob"])
    #expect(rows.first?["timezone"] as? String == "Europe/Berlin")
    #expect(try people.files() == before)
    try await people.trial.clear()
  }

  @Test func `R65: a person who can't be added leaves no token, so the request can be repeated`()
    async throws
  {
    let people = try await People()
    let boss = try await people.boss()
    let obstacle = try people.obstruct("zoe")
    let body = #"{"person":"zoe","name":"zoe-phone"}"#
    let refused = try await people.trial.ask("/api/people", token: boss, body: body)
    #expect(refused.status == 503, "\(refused.body)")
    try FileManager.default.removeItem(at: obstacle)
    let added = try await people.trial.ask("/api/people", token: boss, body: body)
    #expect(added.status == 201, "\(added.body)")
    try await people.trial.clear()
  }

  @Test func `R65: a person whose folder is a file is not reported as a person without days`()
    async throws
  {
    let people = try await People()
    let boss = try await people.boss()
    _ = try people.obstruct("ann")
    try await Task.sleep(for: .milliseconds(1100))
    let list = try await people.trial.ask("/api/people", token: boss).json["people"]
    let rows = try #require(list as? [[String: Any]])
    #expect(rows.map { $0["person"] as? String } == ["ann", "bob"])
    #expect((rows[0]["error"] as? [String: Any])?["code"] as? String == "STORAGE_UNAVAILABLE")
    #expect(rows[0]["days"] == nil)
    #expect(rows[1]["days"] as? Int == 0)
    try await people.trial.clear()
  }

  @Test func `R65: an agent that a person lets in reads that person's days`() async throws {
    let trial = try await OAuthTrial(arguments: [])
    let person = try await HubProgram.token(
      "ann-page", trial.trial.program, arguments: ["--person", "ann", "--endpoint", "dashboard"])
    let phone = try await HubProgram.token(
      "ann-phone", trial.trial.program, arguments: ["--person", "ann", "--device", HubTrial.device])
    try await Task.sleep(for: .milliseconds(1100))
    let posted = try await trial.trial.ask(
      "/api/ingest", token: phone, body: HubTrial.body([111]))
    #expect(posted.status == 200)
    let ann = OAuthTrial(trial.agents, person: person, client: trial.client)
    for (asked, count) in [(ann, 111), (trial, 8432)] {
      let token = try await asked.tokens().access
      let isShown = try await until {
        try await trial.trial.ask(
          "/mcp", body: Self.question(), arguments: Self.agentFields(token)
        ).body.contains("steps\\\":\(count)")
      }
      #expect(isShown, "\(asked.person)")
    }
    #expect(trial.trial.hub.log.contains("person=ann"))
    try await trial.clear()
  }
}
