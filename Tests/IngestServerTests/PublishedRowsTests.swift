import Foundation
import TestSupport
import Testing

/// The rows of the days that the server publishes, in a real PostgreSQL.
@Suite(.process, .database) struct PublishedRowsTests {
  /// A body with one measurement of the heart.
  private func body(_ beats: Int, minute: Int) -> String {
    let sample = """
      {"uuid":"00000000-0000-4000-8000-0000000000\(minute)","unit":"count/min","value":\(beats),\
      "sample_type":"HKQuantityTypeIdentifierHeartRate","timestamp":"2026-02-08T10:\(minute):00Z"}
      """
    return HubTrial.body(of: [sample], session: "s-\(minute)")
  }

  private func highest(_ database: PostgresServer.Database) async throws -> [String] {
    try await database.sql(
      """
      SELECT value FROM ios_apple_health_metrics
      WHERE healthkit_uuid = '2026-02-08_Heart Rate [Max] (bpm)'
      """
    )[0].map { $0[0] }
  }

  @Test func `R56: a published day reaches the tables, also after an outage`() async throws {
    let postgres = try PostgresServer()
    let database = try await postgres.database()
    let environment = ["S3HEALTH_POSTGRES": database.url]
    var trial = try await HubTrial(
      arguments: ["--metrics-listen", "127.0.0.1:0"], environment: environment)
    trial.program.environment = environment
    // Without its tables a database is not ready.
    let unready = try await trial.ask("/readyz")
    #expect((unready.status, unready.json["tables"] as? String) == (503, "missing"))
    func post(_ beats: Int, minute: Int) async throws -> Int {
      try await trial.ask("/api/ingest", token: trial.token, body: body(beats, minute: minute))
        .status
    }
    // The answer says what to do.
    #expect((unready.json["remedy"] as? String)?.contains("s3healthd db create") == true)
    #expect(trial.hub.log.contains("warning: the database lacks tables"))
    #expect(try await post(80, minute: 59) == 200)
    #expect(
      try await until {
        trial.hub.log.split(separator: "\n").contains {
          $0.contains("2026-02-08 is not in the database yet") && $0.contains("s3healthd db create")
        }
      })
    let row =
      #"{"healthkit_uuid":"2026-02-08_X","date":"2026-02-08T00:00:00Z","type":"X","value":1}"#
    let refused = try await trial.ask(
      "/api/ingest/health-metrics", token: trial.token, body: #"{"records":[\#(row)]}"#)
    #expect(refused.status == 503 && refused.body.contains("s3healthd db create"))
    try await HubProgram.run(trial.program, ["db", "create"])
    #expect(try await until { try await trial.ask("/readyz").status == 200 })
    func published() async throws -> Double? {
      let day = try await trial.program.run(
        "get", "2026-02-08", "--store", trial.store.path, "-o", "json")
      let metrics = (try? day.json())?["metrics"] as? [String: Any]
      return metrics?["heart_rate_max"] as? Double
    }

    #expect(try await post(90, minute: 10) == 200)
    #expect(try await until { try await highest(database) == ["90"] })
    #expect(try await until { try trial.markers().isEmpty })

    // Without the database days are published as before.
    try postgres.stop()
    #expect(try await post(110, minute: 11) == 200)
    #expect(try await until { try await published() == 110 })
    #expect(try await until { trial.hub.log.contains("2026-02-08 is not in the database yet") })
    var ready: CurlAnswer?
    #expect(
      try await until {
        ready = try await trial.ask("/readyz")
        return ready?.status == 503 && ready?.json["table_days_waiting"] as? Int == 1
      })
    #expect(ready?.json["tables"] as? String == "unreachable")
    #expect(!(try trial.markers().isEmpty), "the marker stays until the rows are there")
    let metrics = try await CurlAnswer(
      "http://127.0.0.1:\(try #require(trial.hub.metricsPort))/metrics")
    #expect(metrics.body.contains("\ns3healthd_table_days_waiting 1\n"))
    #expect(metrics.body.contains("s3healthd_table_days_total{outcome=\"failed\"}"))
    try postgres.start()
    #expect(try await until { try await highest(database) == ["110"] })
    #expect(try await until { trial.hub.log.contains("2026-02-08 is in the database") })
    #expect(try await until { try trial.markers().isEmpty })

    // A server that ends before the rows are there leaves the marker to the next one.
    try postgres.stop()
    #expect(try await post(130, minute: 12) == 200)
    #expect(try await until { try await published() == 130 })
    try await trial.hub.end(by: SIGKILL)
    try postgres.start()
    trial = try await trial.restarted(environment: environment)
    #expect(try await until { try await highest(database) == ["130"] })
    // What a server that was killed leaves goes when it is older than any create can be.
    #expect(!(try trial.markers().isEmpty), "its batch might still arrive")
    try await trial.hub.end(by: SIGKILL)
    for marker in try trial.markers() {
      try setModified(
        trial.store.appending(path: marker).path, Date(timeIntervalSinceNow: -21 * 60))
    }
    trial = try await trial.restarted(environment: environment)
    #expect(try await until { try trial.markers().isEmpty })
    #expect(try await highest(database) == ["130"])
  }
}
