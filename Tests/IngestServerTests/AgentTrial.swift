import Foundation
import HealthModel
import TestSupport
import Testing

/// A hub with one published day, and a token for agents.
struct AgentTrial {
  let trial: HubTrial
  let token: String

  static let payload = """
    {"date": "2026-02-08", "metrics": {"steps": 8432, "resting_hr_avg": 58.5, "hrv_sdnn_avg": null},
     "status": {"hrv_sdnn_avg": "unauthorized"}}
    """

  init(arguments: [String] = []) async throws {
    trial = try await HubTrial(arguments: arguments)
    let put = try await trial.program.run(
      ["put", "--input", "-", "--store", trial.store.path], input: Self.payload)
    try #require(put.exitCode == 0, "\(put.errors)")
    token = try await HubProgram.token(
      "claude", trial.program, arguments: ["--endpoint", "agents"])
  }

  var url: String { trial.hub.url + "/mcp" }

  /// Posts a message with the token.
  func post(
    _ body: String, path: String = "/mcp", _ fields: [String] = []
  ) async throws -> CurlAnswer {
    try await trial.ask(
      path, body: body,
      arguments: ["-H", "Authorization: Bearer \(token)"]
        + (fields.contains { $0.lowercased().hasPrefix("content-type") }
          ? [] : ["-H", "Content-Type: application/json"])
        + fields.flatMap { ["-H", $0] })
  }

  static let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#

  /// A call of a tool, with what else its parameters have.
  static func call(_ tool: String, _ arguments: String, _ more: String = "") -> String {
    #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)\#(more)}}"#
  }
}

extension HubProgram {
  /// A hub whose bucket takes connections and answers nothing.
  static func onSilentStore(_ program: Program) async throws -> HubProgram {
    try await HubProgram(
      program, store: "s3://bucket/me",
      arguments: ["--endpoint-url", try HostileStore().endpoint("mute"), "--region", "us-east-1"],
      environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"])
  }
}
