import Foundation
import HealthModel
import MCPServer
import StoreTesting
import TestSupport
import Testing

/// Answers over HTTP, held against their schemas and against pandas (Tests/Peers/mcp_answers.py).
@Suite(.process) struct AgentAnswerTests {
  /// Days of two years with gaps, and each metric on some of them.
  private static func payload() throws -> [UInt8] {
    var random = SplitMix64(seed: 35)
    let keys = ["steps", "resting_hr_avg", "sleep_asleep_minutes", "weight", "vo2_max"]
    var days: [[String: Any]] = []
    for offset in 0..<730 where Int.random(in: 0..<5, using: &random) > 0 {
      let date = Date(timeIntervalSince1970: 1_704_067_200 + Double(offset) * 86_400)
      var metrics: [String: Any] = [:]
      for key in keys where Int.random(in: 0..<3, using: &random) > 0 {
        let number = Int.random(in: 20_000..<100_000, using: &random)
        metrics[key] = key == "steps" ? number as Any : Double(number) / 1000
      }
      days.append([
        "date": String(date.formatted(.iso8601).prefix(10)), "timezone": "Europe/Berlin",
        "metrics": metrics,
      ])
    }
    return Array(try JSONSerialization.data(withJSONObject: ["days": days]))
  }

  @Test func `R53: answers over HTTP fit the schemas, with the figures of pandas`() async throws {
    let count = "5000"
    let agents = try await AgentTrial(arguments: ["--rate-limit", "0"])
    let (program, store) = (agents.trial.program, agents.trial.store.path)
    let put = try await program.run(
      ["put", "--input", "-", "--date", "all", "--store", store], input: try Self.payload())
    try #require(put.exitCode == 0, "\(put.errors)")
    let table = program.home.appending(path: "days.csv").path
    let export = try await program.run(
      ["export", "csv", "--store", store, "--from", "2023-01-01", "--to", "2026-12-31"]
        + ["--out", table])
    try #require(export.exitCode == 0, "\(export.errors)")
    let report = try await PeerPython.report(
      "mcp_answers.py", [agents.url, agents.token, table, count, "1"])
    #expect(report["problems"] == .array([]))
    #expect(report["answers"]?.numberValue.map { "\(Int($0))" } == count)
    #expect((report["figures"]?.numberValue ?? 0) > 1000)
    #expect((report["errors"]?.numberValue ?? 0) > 1)
  }
}

/// What else `/mcp` does for its clients (R53).
extension AgentEndpointTests {
  @Test func `R53: progress comes as events, and the answer as the last of them`() async throws {
    let agents = try await AgentTrial()
    let arguments = #"{"start_date":"2025-03-01","end_date":"2026-02-28"}"#
    let wanted = AgentTrial.call(
      "health.read_range_metrics", arguments, #","_meta":{"progressToken":"p"}"#)
    let both = ["Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2025-11-25"]
    let answer = try await agents.post(wanted, both)
    #expect(answer.status == 200 && answer.headers["content-type"] == "text/event-stream")
    #expect(answer.headers["mcp-session-id"] == nil && !answer.body.contains("id: "))
    let events = answer.body.split(separator: "\n\n").compactMap {
      $0.split(separator: "\n").first { $0.hasPrefix("data: ") }?.dropFirst(6)
    }
    let messages = try events.map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(messages.dropLast().allSatisfy { $0["method"] == "notifications/progress" })
    #expect(messages.last?["id"] == 7)
    // Who does not take events, or asks for no progress, gets the same as JSON.
    let plain = try await agents.post(wanted, ["MCP-Protocol-Version: 2025-11-25"])
    #expect(plain.headers["content-type"] == "application/json")
    let same = try JSONValue(parsing: Array(plain.body.utf8))
    #expect(same.withoutAge == messages.last?.withoutAge)
    // A fault that is known at once has its own status.
    let fault = try await agents.post(
      AgentTrial.call("health.write", "{}", #","_meta":{"progressToken":"p"}"#), both)
    #expect(fault.headers["content-type"] == "application/json")
    // The connection is good for another request.
    let twice = try await CurlAnswer(
      agents.url, body: Array(wanted.utf8),
      ["-H", "Authorization: Bearer \(agents.token)", "-H", "Content-Type: application/json"]
        + both.flatMap { ["-H", $0] } + ["--write-out", "%{num_connects}", agents.url])
    #expect(twice.status == 200)
    let names = try await agents.post(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, path: "/mcp?tool_names=underscore")
    #expect(names.body.contains(#""name":"health_list_metrics""#))
    #expect(!names.body.contains(#""name":"health.list_metrics""#))
  }

  @Test func `R53: mcp-url prints what a client needs, with a token that works`() async throws {
    let agents = try await AgentTrial()
    let program = agents.trial.program
    let output = try await HubProgram.run(
      program, ["mcp-url", agents.trial.hub.url + "/", "--new-token", "laptop", "-o", "json"])
    let value = try JSONValue(parsing: Array(output.utf8))
    #expect(value["url"]?.stringValue == "\(agents.url)?tool_names=underscore")
    let header = try #require(value["header"]?.stringValue)
    #expect(
      value["server"]?["headers"]?["Authorization"]?.stringValue == String(header.dropFirst(15)))
    let answer = try await agents.trial.ask(
      "/mcp?tool_names=underscore", body: AgentTrial.ping,
      arguments: ["-H", header, "-H", "Content-Type: application/json"])
    #expect(answer.status == 200)
    let text = try await HubProgram.run(program, ["mcp-url", "https://health.home"])
    #expect(text.contains(#""Authorization": "Bearer TOKEN""#))
    let start = try #require(text.firstIndex(of: "{"))
    #expect(throws: Never.self) { try JSONValue(parsing: Array(text[start...].utf8)) }
    await #expect(throws: HubProgram.Failure.self) {
      try await HubProgram.run(program, ["mcp-url", "health.home"])
    }
    await #expect(throws: HubProgram.Failure.self) {
      try await HubProgram.run(
        program, ["mcp-url", "https://health.home", "--new-token", "laptop"])
    }
  }
}
