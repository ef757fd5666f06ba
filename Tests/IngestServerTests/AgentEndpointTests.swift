import Foundation
import HealthModel
import MCPServer
import TestSupport
import Testing

@testable import IngestServer

/// `/mcp` of the real program, as clients that people have drive it, and as no honest client would
/// (R53).
@Suite(.process) struct AgentEndpointTests {
  struct Driver: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let venv: PeerPython.Venv
    /// How it begins; see mcp_client.py.
    var mode = "auto"
  }

  static let drivers = [
    Driver(testDescription: "mcp 1", venv: .mcp1, mode: "legacy"),
    Driver(testDescription: "mcp 2, legacy", venv: .peers, mode: "legacy"),
    Driver(testDescription: "mcp 2, auto", venv: .peers),
    Driver(testDescription: "mcp 2, 2026-07-28", venv: .peers, mode: "2026-07-28"),
    Driver(testDescription: "fastmcp", venv: .fastmcp),
    Driver(testDescription: "fastmcp, legacy", venv: .fastmcp, mode: "legacy"),
  ].filter(\.venv.isInThisRun)

  @Test(arguments: drivers)
  func `R53: a client gets over HTTP what it gets over stdio`(driver: Driver) async throws {
    let agents = try await AgentTrial()
    func run(_ arguments: [String]) async throws -> JSONValue {
      try await PeerPython.report("mcp_client.py", [driver.mode] + arguments, in: driver.venv)
    }
    let remote = try await run([agents.url, agents.token])
    let local = try await run([
      Program.path, "mcp", "--store", agents.trial.store.path, "--timezone", "Europe/Berlin",
    ])
    for member in ["version", "server", "tools", "unknown_tool"] {
      #expect(remote[member] == local[member], "\(member)")
    }
    let (there, here) = (
      remote["answers"]?.objectValue ?? [:], local["answers"]?.objectValue ?? [:]
    )
    #expect(there.count == 18)
    for (name, answer) in there { #expect(answer.withoutAge == here[name]?.withoutAge, "\(name)") }
    #expect(remote["together"]?.arrayValue?.count == 60)
    let last = remote["progress"]?.arrayValue?.last
    #expect(last == [365, 365])
    let unexpected = remote["unexpected"]?.arrayValue ?? []
    #expect(unexpected.allSatisfy { $0.stringValue?.contains("ProgressNotification(") == true })
    let log = agents.trial.hub.log
    #expect(!log.contains(agents.token))
    // There are no sessions, and a client that would hold a stream open does without.
    #expect(!log.contains("GET /mcp 200") && !log.contains("DELETE /mcp 2"), "\(log)")
  }

  @Test func `R53: only an agent's token is taken, and a revoked one is refused`() async throws {
    let agents = try await AgentTrial()
    let (trial, token) = (agents.trial, agents.token)
    #expect(try await agents.post(AgentTrial.ping).status == 200)
    let json = ["-H", "Content-Type: application/json"]
    func status(_ path: String, _ arguments: [String]) async throws -> Int {
      try await trial.ask(path, body: AgentTrial.ping, arguments: json + arguments).status
    }
    #expect(try await status("/mcp", []) == 401)
    #expect(try await status("/mcp?token=\(token)", []) == 401)
    #expect(try await status("/mcp", ["-H", "Authorization: Bearer \(token)x"]) == 401)
    // A phone's token reads nothing, and an agent's token stores and shows nothing.
    #expect(try await status("/mcp", ["-H", "Authorization: Bearer \(trial.token)"]) == 403)
    for path in ["/api/ingest", "/overland", "/owntracks", "/health-auto-export"] {
      #expect(try await status(path, ["-H", "Authorization: Bearer \(token)"]) == 403)
    }
    try await HubProgram.run(trial.program, ["token", "revoke", "claude"])
    #expect(try await until { try await agents.post(AgentTrial.ping).status == 401 })
  }

  @Test func `R53: requests that no honest client sends get their status`() async throws {
    let agents = try await AgentTrial()
    let trial = agents.trial
    let cases: [(String, [String], Int)] = [
      (AgentTrial.ping, ["Origin: https://evil.example"], 403),
      (AgentTrial.ping, ["Origin: null"], 403),
      (AgentTrial.ping, ["Origin: \(trial.hub.url)"], 200),
      (AgentTrial.ping, ["Content-Type: text/plain"], 415),
      (AgentTrial.ping, ["Content-Type: application/x-www-form-urlencoded"], 415),
      (AgentTrial.ping, ["Content-Type: application/json; charset=utf-8"], 200),
      (AgentTrial.ping, ["Accept: text/html"], 406),
      (AgentTrial.ping, ["Accept: text/event-stream, application/json;q=0.9"], 200),
      (AgentTrial.ping, ["MCP-Protocol-Version: 1999-01-01"], 400),
      (AgentTrial.ping, ["MCP-Protocol-Version: 2026-07-28"], 400),
      // There are no sessions: what a client says of one is not looked at.
      (AgentTrial.ping, ["Mcp-Session-Id: made-up"], 200),
      ("", [], 400), ("{", [], 400), (#"{"a":1,"a":2}"#, [], 400), ("[]", [], 400),
      (String(repeating: "[", count: 100_000), [], 400),
      (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, [], 400),
      (#"{"jsonrpc":"2.0","method":"\u001b[31mevil\n"}"#, [], 202),
    ]
    for (body, fields, status) in cases {
      let answer = try await agents.post(body, fields)
      #expect(answer.status == status, "\(body.prefix(80)) \(fields): \(answer.body)")
    }
    let large = "\"" + String(repeating: "x", count: 1 << 20) + "\""
    #expect(try await agents.post(large).status == 413)
    #expect(try await agents.post(AgentTrial.ping, path: "/mcp?tool_names=no").status == 400)
    for method in ["GET", "DELETE", "PUT"] {
      let answer = try await trial.raw(
        "\(method) /mcp HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(agents.token)\r\n"
          + "Accept: text/event-stream\r\nLast-Event-ID: 1\r\n\r\n")
      #expect(
        answer.hasPrefix("HTTP/1.1 405 ") && answer.contains("\r\nAllow: POST\r\n"), "\(answer)")
    }
    let log = trial.hub.log
    #expect(!log.contains("evil") && !log.contains(agents.token) && !log.contains("made-up"))
    #expect(try await agents.post(AgentTrial.ping).status == 200)
    #expect(try trial.batches() == [])
  }

  @Test func `R53: a call ends when its client leaves, and its place is free`() async throws {
    let program = try Program()
    let token = try await HubProgram.token("a", program, arguments: ["--endpoint", "agents"])
    let hub = try await HubProgram.onSilentStore(program)
    func leave(_ more: String, _ accept: String) async throws {
      let body = AgentTrial.call("health.list_metrics", "{}", more)
      _ = try await CurlAnswer(
        hub.url + "/mcp", body: Array(body.utf8),
        ["-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/json"]
          + ["-H", "Accept: \(accept)", "--max-time", "2"])
    }
    // As many as may run: the next one would wait for them.
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          try await leave(#","_meta":{"progressToken":1}"#, "application/json, text/event-stream")
        }
      }
      try await group.waitForAll()
    }
    try await Task.sleep(for: .seconds(1))
    try await leave("", "application/json")
    // A call that had still waited would be answered by 503.
    let line = #/POST /mcp 200 device=a bytes=\d+ ms=[123]\d\d\d\b/#
    #expect(try await until { hub.log.contains(line) }, "\(hub.log)")
    #expect(!hub.log.contains(" 503 "))
    try await hub.end(by: SIGKILL)
  }
}

extension JSONValue {
  /// The value without what passes with time.
  var withoutAge: JSONValue {
    switch self {
    case .object(let members):
      .object(
        members.filter { $0.key != "age_seconds" && $0.key != "text" }.mapValues(\.withoutAge))
    case .array(let elements): .array(elements.map(\.withoutAge))
    default: self
    }
  }
}

/// Places for agents' requests, without a server.
@Suite(.unit) struct WorkQueueTests {
  @Test func `R53: one token can't take the places of the others, and the oldest runs next`() {
    var queue = WorkQueue(.init(running: 3, runningOfOne: 2, waiting: 3, waitingOfOne: 2))
    #expect([1, 2].map { queue.enter($0, of: "a") } == [.runs, .runs])
    #expect([3, 4, 5].map { queue.enter($0, of: "a") } == [.waits, .waits, .full])
    #expect(queue.enter(6, of: "b") == .runs)
    #expect([7, 8].map { queue.enter($0, of: "b") } == [.waits, .full])
    // Three run: the next one of b's waits behind those of a's, which have no room.
    #expect(queue.leave("b") == 7)
    #expect(queue.leave("a") == 3)
    queue.giveUp(4)
    #expect(queue.leave("a") == nil)
    #expect(queue.leave("a") == nil)
    #expect(queue.enter(9, of: "a") == .runs)
  }

  @Test func `R53: who waits for a place gets the next one, or none once it is cancelled`() async {
    let places = WorkPlaces()
    var held: [WorkPlaces.Held?] = []
    for _ in 0..<8 { held.append(await places.enter("a")) }
    #expect(!held.contains { $0 == nil })
    let gone = Task { await places.enter("a") != nil }
    let next = Task { await places.enter("a") != nil }
    gone.cancel()
    #expect(await gone.value == false)
    held.removeLast()
    #expect(await next.value)
  }
}
