import Foundation
import TestSupport
import Testing

/// The main job, as the README shows it, on the embedded default store.
@Suite(.process) struct MainJobTests {
  private let payload = Array(
    """
    {"date": "2026-02-08", "metrics": {"steps": 8432, "resting_hr_avg": 58.5, "hrv_sdnn_avg": null},
     "status": {"hrv_sdnn_avg": "unauthorized"}}
    """.utf8)

  @Test func `put publishes a day, get prints it, verify finds it sound`() async throws {
    let program = try Program()
    defer { program.removeHome() }

    let put = try await program.run("put", "--input", "-", "--output", "json", input: payload)
    #expect(put.exitCode == 0, "\(put.errors)")
    let results = try #require(try put.json()["results"] as? [[String: Any]])
    #expect(results.map { $0["outcome"] as? String } == ["published"])

    let get = try await program.run("get", "2026-02-08", "--output", "json")
    #expect(get.exitCode == 0, "\(get.errors)")
    let metrics = try #require(try get.json()["metrics"] as? [String: Any])
    #expect(metrics["steps"] as? Double == 8432)
    #expect(metrics["hrv_sdnn_avg"] is NSNull)
    let status = try #require(try get.json()["metric_status"] as? [String: String])
    #expect(status["hrv_sdnn_avg"] == "unauthorized")
    #expect(status["stand_hours"] == "no_data")

    let verify = try await program.run("verify", "--from", "2026-02-08", "--to", "2026-02-08")
    #expect(verify.exitCode == 0, "\(verify.output)")
    #expect(verify.output.contains("1 day: 1 complete"))
  }

  @Test func `the same data published again is unchanged and writes no revision (R20)`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let first = try await program.run("put", "--input", "-", input: payload)
    let second = try await program.run("put", "--input", "-", input: payload)
    #expect(first.output.hasPrefix("published"))
    #expect(second.output.hasPrefix("unchanged"))
    let history = try await program.run("get", "2026-02-08", "--history")
    #expect(history.output.split(separator: "\n").count == 1)
  }

  @Test func `verify exits with 1 for a missing date, and with 0 where that is allowed`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    _ = try await program.run("put", "--input", "-", input: payload)
    let range = ["verify", "--from", "2026-02-07", "--to", "2026-02-08"]
    let strict = try await program.run(range + ["--output", "json"])
    #expect(strict.exitCode == 1)
    #expect(try strict.json()["missing_dates"] as? [String] == ["2026-02-07"])
    let lenient = try await program.run(range + ["--allow-missing"])
    #expect(lenient.exitCode == 0)
  }

  @Test func `a dry run says what it would do and leaves the store empty`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let dry = try await program.run("put", "--input", "-", "--dry-run", input: payload)
    #expect(dry.exitCode == 0)
    #expect(dry.output.hasPrefix("would publish  2026-02-08"))
    let get = try await program.run("get", "2026-02-08")
    #expect(get.exitCode == 66)
    #expect(get.errors.hasPrefix("s3health: the store holds no days yet\n"), "\(get.errors)")
  }
}
