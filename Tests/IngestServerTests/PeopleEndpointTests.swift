import Foundation
import HealthModel
import TestSupport
import Testing

/// A hub of several people, by the real program: whose token reaches what (R65).
@Suite(.process) struct PeopleEndpointTests {
  /// Ann, Bob and the store's own; all of the same device.
  struct People {
    let trial: HubTrial
    var tokens: [String: String] = [:]

    init(arguments: [String] = []) async throws {
      trial = try await HubTrial(arguments: arguments)
      for person in ["ann", "bob"] {
        tokens[person] = try await token("\(person)-phone", person, ["--device", HubTrial.device])
      }
      tokens["own"] = trial.token
    }

    func token(_ name: String, _ person: String, _ more: [String]) async throws -> String {
      try await HubProgram.token(name, trial.program, arguments: ["--person", person] + more)
    }

    /// A token for the administration of people.
    func boss() async throws -> String {
      try await HubProgram.token("boss", trial.program, arguments: ["--endpoint", "people"])
    }

    /// Puts a file in the place of a person's folder.
    func obstruct(_ person: String) throws -> URL {
      let folder = trial.store.appending(path: "people")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let obstacle = folder.appending(path: person)
      try Data("not a folder".utf8).write(to: obstacle)
      return obstacle
    }

    /// What lies in the store but for the locks of a folder.
    func files() throws -> Set<String> {
      Set(
        try FileManager.default.subpathsOfDirectory(atPath: trial.store.path).filter {
          !$0.hasPrefix(".s3health")
        })
    }

    func steps(_ folder: String) async throws -> Int? {
      let output = try await trial.program.run(
        ["get", "2026-02-08", "-o", "json", "--store", trial.store.path + folder])
      return (try? JSONValue(parsing: Array(output.output.utf8)))?["metrics"]?["steps"]?.numberValue
        .map { Int($0) }
    }

    /// Posts steps for each, and waits for the days.
    func postAll() async throws -> Bool {
      for (person, count) in [("own", 6967), ("ann", 4711), ("bob", 5813)] {
        let answer = try await trial.ask(
          "/api/ingest", token: tokens[person], body: HubTrial.body([count]))
        #expect(answer.status == 200, "\(answer.body)")
      }
      return try await until {
        let found = [
          try await steps("/people/ann"), try await steps("/people/bob"), try await steps(""),
        ]
        return found == [4711, 5813, 6967]
      }
    }
  }

  static func question() -> String {
    AgentTrial.call("health.read_daily_metrics", #"{"date":"2026-02-08"}"#)
  }

  static func agentFields(_ token: String) -> [String] {
    ["-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/json"]
  }

  @Test func `R65: what each sends becomes their own days, and nobody else's`() async throws {
    let people = try await People()
    #expect(try await people.postAll())
    let files = try people.files()
    #expect(files.contains { $0.hasPrefix("people/ann/streams/v0/") })
    #expect(people.trial.hub.log.contains("device=ann-phone person=ann received=1"))
    // Agents and pages show what each is.
    for (person, count, others) in [("ann", 4711, "5,813"), ("bob", 5813, "4,711")] {
      let paste = try await HubProgram.run(
        people.trial.program,
        [
          "mcp-url", people.trial.hub.url, "--new-token", "\(person)-agent", "--person", person,
          "-o", "json",
        ])
      let header = try JSONValue(parsing: Array(paste.utf8))["header"]?.stringValue ?? ""
      let agent = String(header.split(separator: " ").last ?? "")
      let page = try await people.token("\(person)-page", person, ["--endpoint", "dashboard"])
      let answer = try await people.trial.ask(
        "/mcp", body: Self.question(), arguments: Self.agentFields(agent))
      #expect(answer.body.contains("steps\\\":\(count)"))
      let jar = people.trial.program.home.appending(path: "\(person).jar").path
      let signedIn = try await people.trial.ask(
        "/sign-in", body: "token=\(page)", arguments: OAuthTrial.form + ["-c", jar, "-b", jar])
      #expect(signedIn.status == 303)
      for path in ["/day/2026-02-08", "/metric/steps?span=all"] {
        let html = try await people.trial.ask(path, arguments: ["-b", jar]).body
        #expect(html.contains(count == 4711 ? "4,711" : "5,813"), "\(path)")
        #expect(!html.contains(others) && !html.contains("6,967"), "\(path)")
      }
      // The log of the page names nobody else's tokens.
      let status = try await people.trial.ask("/status", arguments: ["-b", jar]).body
      #expect(status.contains("\(person)-phone"))
      #expect(!status.contains(person == "ann" ? "bob-phone" : "ann-phone"))
    }
  }

  @Test func `R65: no endpoint writes outside the person's prefix`() async throws {
    let people = try await People()
    let all = try await people.token(
      "all", "ann",
      ["ingest", "health-auto-export", "overland", "owntracks"].flatMap { ["--endpoint", $0] }
        + ["--device", HubTrial.device])
    let before = try people.files()
    let payload = stepPayload(#"{"date":"2026-02-08 10:00:00 +0100","qty":42,"source":"w"}"#)
    let point = """
      {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},
      "properties":{"timestamp":"2026-02-08T10:00:00Z"}}]}
      """
    let message = #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1770544800,"tid":"a"}"#
    for (path, body) in [
      ("/api/ingest", HubTrial.body([1])), ("/health-auto-export", payload), ("/overland", point),
      ("/owntracks", message),
    ] {
      let answer = try await people.trial.ask(
        path, token: all, body: body, arguments: ["-H", "Content-Type: application/json"])
      #expect(answer.status == 200, "\(path) \(answer.body)")
    }
    #expect(try await until { try await people.steps("/people/ann") != nil })
    let new = try people.files().subtracting(before)
    let outside = new.filter {
      $0 != "people" && $0 != "people/ann" && !$0.hasPrefix("people/ann/")
    }
    #expect(new.count > 8 && outside.isEmpty, "\(outside)")
  }

  @Test func `R65: an administrator sees which days there are, and reads no value`() async throws {
    let people = try await People()
    #expect(try await people.postAll())
    let boss = try await people.boss()
    let list = try await people.trial.ask("/api/people", token: boss)
    #expect(
      try JSONValue(parsing: Array(list.body.utf8)) == [
        "people": [
          [
            "person": "ann", "days": 1, "first_date": "2026-02-08", "last_date": "2026-02-08",
            "tokens": ["ann-phone"],
          ],
          [
            "person": "bob", "days": 1, "first_date": "2026-02-08", "last_date": "2026-02-08",
            "tokens": ["bob-phone"],
          ],
        ]
      ])
    for path in ["/mcp", "/api/ingest"] {
      let answer = try await people.trial.ask(
        path, body: Self.question(), arguments: Self.agentFields(boss))
      #expect(answer.status == 403)
    }
    let signIn = try await people.trial.ask(
      "/sign-in", body: "token=\(boss)", arguments: OAuthTrial.form)
    #expect(signIn.status == 403)

    func post(_ path: String, _ body: String, _ token: String = boss) async throws -> CurlAnswer {
      try await people.trial.ask(path, token: token, body: body)
    }
    let added = try await post("/api/people", #"{"person":"cid"}"#)
    let secret = try #require(added.json["token"] as? String)
    #expect(added.status == 201 && added.json["endpoints"] as? [String] == ["ingest"])
    let device = try #require(added.json["device_id"] as? String)
    #expect(try people.files().contains("people/cid/person.json"))
    let stored = try await post("/api/ingest", HubTrial.body([7], device: device), secret)
    #expect(stored.status == 200)
    #expect(try people.files().contains { $0.hasPrefix("people/cid/streams/") })
    // Nobody lets themselves in to read, or makes others administrators.
    for endpoint in ["dashboard", "agents", "people"] {
      let answer = try await post("/api/people", #"{"person":"ann","endpoints":["\#(endpoint)"]}"#)
      #expect(answer.code == "out_of_scope", "\(endpoint)")
    }
    for body in [
      "", "[]", "{}", #"{"person":"../ann"}"#, #"{"person":"Ann"}"#, #"{"person":"ann","x":1}"#,
      #"{"person":"ann","name":"a b"}"#, #"{"person":"ann","device_id":"7"}"#,
      #"{"person":"ann","endpoints":[]}"#, #"{"person":"ann","endpoints":["root"]}"#,
      #"{"person":"ann","endpoints":"ingest"}"#, #"{"person":"ann","endpoints":null}"#,
      #"{"person":"ann","name":7}"#, #"{"person":"ann","name":null}"#,
    ] {
      #expect(try await post("/api/people", body).status == 400, "\(body)")
    }
    for query in ["after=Ann", "after=", "after=a&after=b", "after=%zz", "before=a"] {
      let answer = try await people.trial.ask("/api/people?\(query)", token: boss)
      #expect(answer.code == "invalid_query" && answer.status == 400, "\(query)")
    }
    let long = String(repeating: "z", count: 63)
    #expect(try await post("/api/people", #"{"person":"\#(long)"}"#).status == 201)
    let taken = try await post("/api/people", #"{"person":"ann","name":"bob-phone"}"#)
    #expect(taken.status == 409 && taken.code == "name_taken")
    #expect(try await post("/api/people", #"{"person":"eve"}"#, secret).status == 403)

    let removed = try await post("/api/people/remove", #"{"person":"ann"}"#)
    #expect(removed.json["revoked"] as? Int == 1)
    #expect(
      try await post("/api/ingest", HubTrial.body([9]), people.tokens["ann"] ?? "").status == 401)
    #expect(
      try await post("/api/ingest", HubTrial.body([9]), people.tokens["bob"] ?? "").status == 200)
    #expect(try await people.steps("/people/ann") == 4711)
    // Who has no token any more is still there, with the days.
    let after = try await people.trial.ask("/api/people?after=a", token: boss).json["people"]
    let first = (after as? [[String: Any]])?.first
    #expect(first?["person"] as? String == "ann" && first?["days"] as? Int == 1)
    #expect((first?["tokens"] as? [String])?.isEmpty == true)
    #expect(try await post("/api/people/remove", #"{"person":"ann"}"#).status == 404)
  }

  @Test func `R65: people's days that wait at a kill are made by the next server`() async throws {
    var people = try await People()
    // A batch whose day nobody has made: its marker lies in the store, as a killed server leaves it.
    let answer = try await people.trial.ask(
      "/api/ingest", token: people.tokens["bob"], body: HubTrial.body([5]))
    #expect(answer.status == 200)
    try await people.trial.hub.end(by: SIGKILL)
    let markers = try people.files().filter { $0.hasPrefix("people/bob/streams/v0/.pending/") }
    #expect(try await people.steps("/people/bob") == nil && !markers.isEmpty)
    let next = try await HubProgram(people.trial.program, store: people.trial.store.path)
    #expect(try await until { try await people.steps("/people/bob") == 5 })
    try await next.end(by: SIGTERM)
    people.tokens = [:]
  }
}
