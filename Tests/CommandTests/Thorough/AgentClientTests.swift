import Foundation
import TestSupport
import Testing

/// `s3health mcp` as independent clients drive it, every byte recorded and held against the public
/// shapes (R50 to R53).
@Suite(.server) struct AgentClientTests {
  struct Driver: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let venv: PeerPython.Venv
    /// How it begins; see mcp_client.py.
    var mode = "auto"
    /// The revision that it must have spoken.
    var version = "2026-07-28"
  }

  static let drivers = [
    Driver(testDescription: "mcp 1", venv: .mcp1, mode: "legacy", version: "2025-11-25"),
    Driver(testDescription: "mcp 2, legacy", venv: .peers, mode: "legacy", version: "2025-11-25"),
    Driver(testDescription: "mcp 2, auto", venv: .peers),
    Driver(testDescription: "mcp 2, 2026-07-28", venv: .peers, mode: "2026-07-28"),
    Driver(testDescription: "fastmcp", venv: .fastmcp),
  ].filter(\.venv.isInThisRun)

  private static let tools = [
    "read_daily_metrics", "read_range_metrics", "list_metrics", "summarize_range",
  ]

  private static let payload = Array(
    """
    {"date": "2026-02-08", "metrics": {"steps": 8432, "resting_hr_avg": 58.5, "hrv_sdnn_avg": null},
     "status": {"hrv_sdnn_avg": "unauthorized"}}
    """.utf8)

  @Test(arguments: drivers)
  func `an independent client gets what a folder holds`(driver: Driver) async throws {
    let program = try Program()
    try await drive(driver, program, store: [])
  }

  @Test(arguments: TestServer.one)
  func `an independent client gets what a bucket holds`(server: TestServer) async throws {
    let program = try Program().on(server)
    for driver in Self.drivers where ["mcp 1", "mcp 2, auto"].contains(driver.testDescription) {
      try await drive(driver, program, store: server.arguments())
    }
  }

  @Test(arguments: drivers.filter { ["mcp 1", "mcp 2, 2026-07-28"].contains($0.testDescription) })
  func `tools have underscores if asked for, and stdout no logs`(driver: Driver) async throws {
    let program = try Program()
    try await drive(
      driver, program, store: [], flags: ["--tool-names", "underscore", "--verbose"],
      tools: Self.tools.map { "health_\($0)" })
  }

  private func drive(
    _ driver: Driver, _ program: Program, store: [String], flags: [String] = [],
    tools: [String] = tools.map { "health.\($0)" }
  ) async throws {
    try await program.put(Self.payload, store)
    let record = program.home.appending(path: ".record-\(UUID())")
    let client = try program.driven(
      by: "mcp_client.py", [driver.mode], in: driver.venv, record: record.path)
    let run = try await client.run(["mcp"] + store + flags)
    try #require(run.exitCode == 0, "\(run.errors)")
    let report = try run.json()
    #expect(report["tools"] as? [String] == tools)
    #expect(report["unknown_tool"] as? Int == -32602)
    #expect((report["unexpected"] as? [Any])?.isEmpty == true, "\(report)")
    if let version = report["version"] { #expect(version as? String == driver.version) }
    try checkAnswers(report)

    let data = try Data(contentsOf: record)
    let shapes = try await AgentRun.shapes(of: data)
    #expect(shapes["\(driver.version) tools/call"] == 78, "\(shapes)")
    #expect(shapes["fits its schema"] == 78)
    #expect(shapes["nulls explained"] == 68)
    #expect(String(decoding: data, as: UTF8.self).contains(#"{"exit": 0}"#))
  }

  private func checkAnswers(_ report: [String: Any]) throws {
    let answers = try #require(report["answers"] as? [String: [String: Any]])
    func found(_ name: String) throws -> [String: Any] {
      let answer = try #require(answers[name])
      #expect(answer["error"] as? Bool == false, "\(answer)")
      return try #require(answer["structured"] as? [String: Any])
    }
    for name in ["day", "day_underscore"] {
      let metrics = try #require(try found(name)["metrics"] as? [String: Any])
      #expect(metrics["steps"] as? Double == 8432)
      #expect(metrics["resting_hr_avg"] as? Double == 58.5)
      #expect(metrics["hrv_sdnn_avg"] is NSNull)
      let reasons = try #require(try found(name)["null_reasons"] as? [String: String])
      #expect(reasons["hrv_sdnn_avg"] == "unauthorized")
      #expect(reasons["stand_hours"] == "no_data")
      #expect(try found(name)["freshness"] is [String: Any])
    }
    let compact = try found("compact")
    #expect(compact["columns"] as? [String] == ["hrv_sdnn_avg", "steps"])
    let days = try #require(compact["days"] as? [String: [Any]])
    #expect(days["2026-02-08"]?.last as? Double == 8432)
    #expect(days["2026-02-08"]?.first is NSNull)
    let coverage = try #require(compact["coverage"] as? [String: Any])
    #expect(coverage["missing"] as? [String] == ["2026-02-05/2026-02-07", "2026-02-09"])
    #expect(try found("empty_range")["freshness"] is NSNull)
    for name in ["list", "list_all"] {
      let listed = try #require(try found(name)["metrics"] as? [String: [String: Any]])
      #expect(Set(listed.keys) == ["steps", "resting_hr_avg"])
      #expect(listed["steps"]?["first_date"] as? String == "2026-02-08")
      #expect((try found(name)["held"] as? [String: Any])?["days"] as? Int == 1)
    }
    let summed = try #require(try found("summary")["metrics"] as? [String: [String: Any]])
    #expect(summed["steps"]?["mean"] as? Double == 8432)
    #expect(summed["steps"]?["days"] as? Int == 1)
    let change = try #require(try found("summary")["change"] as? [String: [String: Any]])
    #expect(change["steps"]?["mean"] is NSNull)
    for (name, code) in [
      "missing_day": "DATA_NOT_FOUND", "today": "DATA_NOT_FOUND", "bad_date": "INVALID_ARGUMENTS",
      "bad_zone": "INVALID_ARGUMENTS", "no_date": "INVALID_ARGUMENTS",
      "unknown_argument": "INVALID_ARGUMENTS", "too_long": "INVALID_ARGUMENTS",
      "backwards": "INVALID_ARGUMENTS", "bad_period": "INVALID_ARGUMENTS",
      "unknown_metric": "INVALID_ARGUMENTS",
    ] {
      let answer = try #require(answers[name])
      #expect(answer["error"] as? Bool == true)
      let error = (answer["structured"] as? [String: Any])?["error"] as? [String: Any]
      #expect(error?["code"] as? String == code, "\(name): \(answer)")
    }
    let together = try #require(report["together"] as? [[String: Any]])
    #expect(together.count == 60)
    for answer in together {
      let metrics = (answer["structured"] as? [String: Any])?["metrics"] as? [String: Any]
      #expect(metrics?["steps"] as? Double == 8432)
    }
  }
}
