import Foundation
import TestSupport
import Testing

/// `s3healthd db`: the tables in PostgreSQL, from the command line (R56).
@Suite(.process, .database) struct DatabaseCommandTests {
  /// s3healthd in the same home and store as s3health.
  private func daemon(_ program: Program, _ database: PostgresServer.Database) -> Program {
    let path =
      ProcessInfo.processInfo.environment["S3HEALTHD_BINARY"] ?? BuiltProgram.path("s3healthd")
    var daemon = program
    // The path of s3health, which is appended, is passed over.
    daemon.wrapper = ["/bin/sh", "-c", "shift; exec \"$0\" \"$@\"", path]
    daemon.environment["S3HEALTH_POSTGRES"] = database.url
    return daemon
  }

  private func counts(_ run: Program.Run, _ kind: String) throws -> [Int] {
    let counts = try #require(try run.json()[kind] as? [String: Int])
    return ["received", "inserted", "duplicates"].compactMap { counts[$0] }
  }

  @Test func `R56: a source's days, workouts and sleep are loaded and compared`() async throws {
    let program = try Program()
    let database = try await PostgresServer.shared().database()
    let daemon = daemon(program, database)
    let export = try await GeneratedExport(program, ["--days", "6"])
    let zone = ["--timezone", export.timeZoneName]
    let early = try await daemon.run("db", "load")
    #expect(early.exitCode == 66)
    #expect(early.errors.contains("s3healthd db create"))
    #expect(try await daemon.run("db", "create").exitCode == 0)
    #expect(try await daemon.run("db", "create").output.contains("present  ios_apple_health_sleep"))
    #expect(try await program.run(["import", export.zip] + zone).exitCode == 0)

    let load = ["db", "load", "--input", export.zip, "--output", "json"] + zone
    let first = try await daemon.run(load, ends: 0)
    #expect(try first.json()["days"] as? Int == export.dates.count)
    let (metrics, sleep) = (try counts(first, "metrics"), try counts(first, "sleep"))
    #expect(metrics[0] > 30 && metrics[1] == metrics[0] && metrics[2] == 0)
    #expect(sleep[0] > 20 && sleep[1] == sleep[0] && sleep[2] == 0)
    let again = try await daemon.run(load)
    #expect(try counts(again, "metrics") == [metrics[0], 0, metrics[0]])
    #expect(try counts(again, "sleep") == [sleep[0], 0, sleep[0]])

    // What each day says, read by others: the source's truth is in minutes, the rows in hours.
    let date = export.dates[2]
    let truth = try #require(export.days[date])
    let rows = try await database.sql(
      "SELECT value FROM ios_apple_health_metrics "
        + "WHERE healthkit_uuid = '\(date)_Sleep Analysis [Asleep] (hr)'",
      "SELECT count(*) FROM ios_apple_health_metrics WHERE date = '\(date)T00:00:00Z'",
      "SELECT count(DISTINCT timezone) FROM ios_apple_health_metrics")
    let hours = try #require(Double(rows[0][0][0]))
    #expect(abs(hours * 60 - truth.asleep) < 0.01)
    #expect(rows[2] == [["1"]])

    let last = try #require(export.dates.last)
    let compare = ["db", "compare", "--days", "30", "--to", last]
    let missing = try await daemon.run(compare, ends: 66)
    #expect(!missing.errors.contains("db create"))
    _ = try await database.sql(
      "CREATE TABLE apple_health_metrics AS "
        + "SELECT id, date, type, value, unit, timezone FROM ios_apple_health_metrics",
      "CREATE TABLE apple_health_workouts AS SELECT id, type, start_time, end_time, "
        + "duration_seconds, timezone, metrics FROM ios_apple_health_workouts",
      "CREATE TABLE apple_health_sleep AS "
        + "SELECT id, start_time, end_time, source, qty, value FROM ios_apple_health_sleep")
    try await daemon.run(compare, ends: 0, printing: "no differences")
    _ = try await database.sql(
      "DELETE FROM ios_apple_health_metrics WHERE date = '\(date)T00:00:00Z'")
    let differs = try await daemon.run(compare + ["--output", "json"], ends: 1)
    let differences = try #require(try differs.json()["differences"] as? [[String: Any]])
    #expect("\(differences.count)" == rows[1][0][0])
    #expect(differences.allSatisfy { $0["date"] as? String == date })
    #expect(differences.allSatisfy { $0["reason"] as? String == "fewer" })
    // Rows that were deleted do not count as duplicates.
    let filled = try counts(try await daemon.run(load), "metrics")
    #expect(filled == [metrics[0], differences.count, metrics[0] - differences.count])
    #expect(try await daemon.run(compare).exitCode == 0)
    _ = try await database.sql("TRUNCATE ios_apple_health_metrics")
    let rebuilt = try await daemon.run("db", "rebuild", "--output", "json")
    #expect(try counts(rebuilt, "metrics") == [metrics[0], metrics[0], 0])
  }

  @Test func `R56: a password as an argument is refused, and no output shows one`() async throws {
    let program = try Program()
    let server = try PostgresServer.shared()
    let database = try await server.database()
    let daemon = daemon(program, database)
    let run = try await daemon.run("db", "create", "--postgres", database.url)
    #expect(run.exitCode == 64)
    #expect(run.errors.contains("~/.pgpass"))
    // libpq's own file of passwords serves.
    let file = program.home.appending(path: "passwords")
    try "127.0.0.1:\(server.port):*:*:\(server.password)\n".write(
      to: file, atomically: true, encoding: .utf8)
    try setMode(file.path, 0o600)
    var other = daemon
    other.environment["S3HEALTH_POSTGRES"] = nil
    let none = try await other.run("db", "create")
    #expect(none.exitCode == 64)
    #expect(none.errors.contains("no database is named"))
    other.environment["PGPASSFILE"] = file.path
    let url = "postgresql://\(database.role)@127.0.0.1:\(server.port)/\(database.name)"
    let created = try await other.run("db", "create", "--postgres", url)
    #expect(created.exitCode == 0, "\(created.errors)")
    for text in [run, none, created].map({ $0.output + $0.errors }) {
      #expect(!text.contains(server.password))
      #expect(!text.contains("w%25rd"))
    }
  }
}
