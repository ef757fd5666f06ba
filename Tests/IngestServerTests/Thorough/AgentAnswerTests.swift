import Foundation
import HealthModel
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

  @Test
  func `R53: what is answered over HTTP fits the schemas, and its figures are those of pandas`()
    async throws
  {
    let count = "\(TestDepth.full(5000, usual: 120))"
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
    let output = try await PeerPython.run(
      "mcp_answers.py", arguments: [agents.url, agents.token, table, count, "1"])
    let report = try JSONValue(parsing: output)
    #expect(report["problems"] == .array([]))
    #expect(report["answers"]?.numberValue.map { "\(Int($0))" } == count)
    #expect((report["figures"]?.numberValue ?? 0) > 1000)
    #expect((report["errors"]?.numberValue ?? 0) > 1)
    try await agents.trial.clear()
  }
}
