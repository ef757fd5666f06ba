import Foundation
import HealthModel
import TestSupport
import Testing

/// Sessions, streams and resumption of `/mcp`, by the real program (R53).
@Suite(.process) struct AgentSessionEndpointTests {
  private static let events = "Accept: application/json, text/event-stream"

  private static func hello(_ version: String = "2025-11-25") -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\#(version)","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#
  }

  /// A long call that wants to hear of its progress.
  private static let long = AgentTrial.call(
    "health.read_range_metrics",
    #"{"start_date":"2025-03-01","end_date":"2026-02-28","format":"compact"}"#,
    #","_meta":{"progressToken":"p"}"#)

  /// Begins a session.
  private func begin(_ agents: AgentTrial, _ version: String = "2025-11-25") async throws -> String
  {
    let answer = try await agents.post(Self.hello(version))
    return "Mcp-Session-Id: " + (try #require(answer.headers["mcp-session-id"]))
  }

  /// The ids of the events of a stream, and their messages; null for an event without one.
  private func events(_ body: String) throws -> [(id: String, message: JSONValue)] {
    try body.split(separator: "\n\n").map { event in
      func field(_ name: String) -> String {
        event.split(separator: "\n").first { $0.hasPrefix(name) }
          .map { String($0.dropFirst(name.count).drop { $0 == " " }) } ?? ""
      }
      let data = field("data:")
      return (field("id:"), data.isEmpty ? .null : try JSONValue(parsing: Array(data.utf8)))
    }
  }

  /// Asks with GET or DELETE.
  private func ask(
    _ method: String, _ agents: AgentTrial, _ fields: [String], token: String? = nil
  ) async throws -> CurlAnswer {
    try await agents.trial.ask(
      "/mcp",
      arguments: [
        "--request", method, "--max-time", "30",
        "-H", "Authorization: Bearer \(token ?? agents.token)",
      ] + fields.flatMap { ["-H", $0] })
  }

  @Test func `R53: a session is its agent's alone, and ends for good`() async throws {
    let agents = try await AgentTrial()
    let program = agents.trial.program
    let other = try await HubProgram.token("other", program, arguments: ["--endpoint", "agents"])
    for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
      let session = try await begin(agents, version)
      #expect(session.contains("_\(version)_"))
      #expect(try await agents.post(AgentTrial.ping, [session]).status == 200)
      // A session knows its revision: a tool has an output schema since 2025-06-18.
      let list = try await agents.post(
        #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, [session])
      #expect(list.body.contains("outputSchema") == (version > "2025-03-26"))
      let foreign = try await agents.trial.ask(
        "/mcp", body: AgentTrial.ping,
        arguments: ["-H", "Authorization: Bearer \(other)", "-H", "Content-Type: application/json"]
          + ["-H", session])
      #expect(foreign.status == 404)
      for method in ["GET", "DELETE"] {
        let answer = try await ask(method, agents, [session, Self.events], token: other)
        #expect(answer.status == 404, "\(method)")
      }
      #expect(try await agents.post(AgentTrial.ping, [session + "0"]).status == 404)
      #expect(try await agents.post(AgentTrial.ping, [session, session]).status == 404)
      #expect(try await ask("DELETE", agents, [session]).status == 204)
      #expect(try await agents.post(AgentTrial.ping, [session]).status == 404)
      #expect(try await ask("DELETE", agents, [session]).status == 404)
      #expect(try await ask("GET", agents, [session, Self.events]).status == 404)
    }
    // Without a token the answer does not show whether a session exists.
    let session = try await begin(agents)
    let strange = try await agents.trial.ask(
      "/mcp", body: AgentTrial.ping,
      arguments: ["-H", "Content-Type: application/json", "-H", session])
    #expect(strange.status == 401)
    // A session is optional, and 2026-07-28 has none.
    #expect(try await agents.post(AgentTrial.ping).status == 200)
    let modern = "MCP-Protocol-Version: 2026-07-28"
    for method in ["GET", "DELETE"] {
      for fields in [[], [session, modern]] {
        let answer = try await ask(method, agents, fields + [Self.events])
        #expect((answer.status, answer.headers["allow"]) == (405, "POST"), "\(method) \(fields)")
      }
      #expect(
        try await ask(method, agents, [session, "MCP-Protocol-Version: 1999-01-01"]).status == 400)
      #expect(
        try await ask(method, agents, [session, "Origin: https://evil.example"]).status == 403)
    }
    #expect(try await ask("GET", agents, [session, "Accept: application/json"]).status == 406)
    let discover =
      #"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#
    let discovered = try await agents.post(
      discover, [modern, "Mcp-Method: server/discover", "Mcp-Session-Id: made-up"])
    #expect(discovered.status == 200 && discovered.headers["mcp-session-id"] == nil)
    // A session goes with its token.
    try await HubProgram.run(program, ["token", "revoke", "claude"])
    #expect(try await until { try await agents.post(AgentTrial.ping, [session]).status == 401 })
    let log = agents.trial.hub.log
    #expect(!log.contains("s3s_") && !log.contains(agents.token))
    try await agents.trial.clear()
  }

  @Test func `R53: two servers of a store know the same sessions, and a restarted one, too`()
    async throws
  {
    let agents = try await AgentTrial()
    let (program, store) = (agents.trial.program, agents.trial.store.path)
    var second = try await HubProgram(program, store: store)
    func ping(_ session: String) async throws -> Int {
      try await CurlAnswer(
        second.url + "/mcp", body: Array(AgentTrial.ping.utf8),
        ["-H", "Authorization: Bearer \(agents.token)", "-H", "Content-Type: application/json"]
          + ["-H", session]
      ).status
    }
    let sessions = [try await begin(agents), try await begin(agents), try await begin(agents)]
    for session in sessions { #expect(try await ping(session) == 200) }
    #expect(try await ask("DELETE", agents, [sessions[0]]).status == 204)
    #expect(try await until { try await ping(sessions[0]) == 404 })
    #expect(try await ping(sessions[1]) == 200)
    try await second.end(by: SIGKILL)
    second = try await HubProgram(program, store: store)
    #expect(try await ping(sessions[0]) == 404)
    #expect(try await ping(sessions[1]) == 200)
    // The stream of a call that one server began goes on at the other.
    let answer = try await agents.post(Self.long, [Self.events, sessions[1]])
    let sent = try events(answer.body)
    #expect(sent.first?.message == .null && sent.last?.message["id"] == 7)
    #expect(Set(sent.map(\.id)).count == sent.count, "each id is of one event")
    for index in [0, 1, sent.count - 2] {
      let rest = try await CurlAnswer(
        second.url + "/mcp", token: nil, body: nil,
        ["-H", "Authorization: Bearer \(agents.token)", "-H", Self.events, "-H", sessions[1]]
          + ["-H", "Last-Event-ID: \(sent[index].id)"])
      #expect(rest.status == 200)
      let found = try events(rest.body)
      #expect(found.first?.id == sent[index].id, "it begins where the other was lost")
      let done = sent[index].message["params"]?["progress"]?.numberValue ?? 0
      for (_, message) in found.dropFirst().dropLast() {
        #expect(message["params"]?["progress"]?.numberValue ?? 0 > done)
      }
      #expect(found.last?.message["result"]?["structuredContent"]?["coverage"] != nil)
      #expect(
        found.last?.message["result"]?["structuredContent"]?["days"]
          == sent.last?.message["result"]?["structuredContent"]?["days"])
    }
    // No other agent can resume it, and nothing follows the answer.
    let other = try await HubProgram.token("other", program, arguments: ["--endpoint", "agents"])
    let place = "Last-Event-ID: \(sent[0].id)"
    for (fields, token) in [
      ([sessions[2], place], nil), ([place], nil), ([place], other),
      ([sessions[1], place + "0"], nil), ([sessions[1], "Last-Event-ID: 1"], nil),
      ([sessions[1], "Last-Event-ID: " + String(repeating: "x", count: 7000)], nil),
      ([sessions[1], "Last-Event-ID: \(sent.last?.id ?? "")"], nil),
    ] as [([String], String?)] {
      #expect(
        try await ask("GET", agents, fields + [Self.events], token: token).status == 400,
        "\(fields)")
    }
    #expect(
      try await ask("GET", agents, [sessions[0], place, Self.events]).status == 404)
    try await second.end(by: SIGKILL)
    try await agents.trial.clear()
  }

  @Test func `R53: a stream that is held open ends with its session, and with the server`()
    async throws
  {
    let agents = try await AgentTrial()
    let (session, lasting) = (try await begin(agents), try await begin(agents))
    async let first = ask("GET", agents, [session, Self.events])
    try await Task.sleep(for: .seconds(1))
    #expect(try await ask("DELETE", agents, [session]).status == 204)
    #expect(try await first.body == ": open\n\n")
    // Four of a session; a HEAD holds none.
    let head = try await ask("HEAD", agents, [lasting, Self.events, "Connection: close"])
    #expect(head.status == 200)
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<4 {
        group.addTask { try await ask("GET", agents, [lasting, Self.events]).body }
      }
      #expect(try await until { agents.trial.hub.log.matches(of: #/ GET \/mcp 200/#).count == 5 })
      let fifth = try await ask("GET", agents, [lasting, Self.events])
      #expect((fifth.status, fifth.headers["retry-after"]) == (429, "30"))
      #expect(try await agents.post(AgentTrial.ping, [lasting]).status == 200)
      let begun = ContinuousClock.now
      try await agents.trial.hub.end(by: SIGTERM)
      #expect(ContinuousClock.now - begun < .seconds(10))
      for try await body in group { #expect(body == ": open\n\n") }
    }
    try await agents.trial.clear()
  }

  @Test func `R53: a call of a session is cancelled by another request`() async throws {
    let program = try Program()
    let token = try await HubProgram.token("a", program, arguments: ["--endpoint", "agents"])
    let hub = try await HubProgram.onSilentStore(program)
    func post(_ body: String, _ fields: [String]) async throws -> CurlAnswer {
      try await CurlAnswer(
        hub.url + "/mcp", body: Array(body.utf8),
        ["-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/json"]
          + fields.flatMap { ["-H", $0] })
    }
    let answer = try await post(Self.hello(), [])
    let id = try #require(answer.headers["mcp-session-id"])
    // The store answers nothing, so the session can't be looked for: it is taken all the same.
    let session = "Mcp-Session-Id: \(id)"
    let begun = ContinuousClock.now
    async let streamed = post(Self.long, [session, Self.events])
    async let plain = post(
      Self.long.replacing(#""id":7"#, with: #""id":"8""#), [session, "Accept: application/json"])
    try await Task.sleep(for: .seconds(8))
    for id in ["9", #""7""#, "8", "7", #""8""#] {
      let cancel =
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#
      #expect(try await post(cancel, [session]).status == 202)
    }
    #expect(try await plain.status == 202)
    let rest = try events(try await streamed.body)
    #expect(rest.map(\.message) == [.null, .null], "nothing answers it")
    #expect(ContinuousClock.now - begun < .seconds(40), "the calls were stopped")
    let after = try await CurlAnswer(
      hub.url + "/mcp", token: nil, body: nil,
      ["-H", "Authorization: Bearer \(token)", "-H", Self.events, "-H", session]
        + ["-H", "Last-Event-ID: \(rest.last?.id ?? "")"])
    #expect(after.status == 400, "who has cancelled does not ask again")
    try await hub.end(by: SIGKILL)
    program.removeHome()
  }

  @Test(arguments: AgentEndpointTests.drivers.filter { !$0.isWithoutSession })
  func `R53: a client whose stream is cut asks for the rest, and gets it`(
    driver: AgentEndpointTests.Driver
  ) async throws {
    struct Greeting: Decodable { let port: Int }
    let agents = try await AgentTrial()
    let port = try PeerServer.start(
      "mcp_cut.py", arguments: ["\(agents.trial.hub.port)"], saying: Greeting.self
    ).port
    let report = try JSONValue(
      parsing: try await PeerPython.run(
        driver.script,
        arguments: driver.arguments + ["http://127.0.0.1:\(port)/mcp", agents.token],
        in: driver.venv))
    #expect(report["progress"]?.arrayValue?.last == [365, 365])
    #expect(report["answers"]?.objectValue?.count == 18)
    let log = agents.trial.hub.log
    // One stream for what the server may say, and one for the rest of the answer.
    #expect(log.matches(of: #/GET \/mcp 200/#).count >= 2, "\(log)")
    #expect(log.contains("DELETE /mcp 204"), "\(log)")
    try await agents.trial.clear()
  }
}
