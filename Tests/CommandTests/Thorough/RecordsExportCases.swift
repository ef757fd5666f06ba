import Foundation
import Subprocess
import TestSupport
import Testing

/// Further runs of `export records` (R56).
extension RecordsExportTests {
  private func numbers(
    _ server: RecordServer, _ table: String = "health-metrics"
  ) async throws -> [String: RecordServer.Value] {
    try await server.log().rows[table, default: [:]].reduce(into: [:]) { found, row in
      found[String(row.key.prefix(10).suffix(2))] = row.value["value"]
    }
  }

  /// An export of resting heart rates, by the day of June 2024.
  private func pulses(
    _ program: Program, _ name: String, _ pulses: [Int: Int],
    made moment: String = "2024-06-25 20:30:00 +0200"
  ) throws -> String {
    try program.export(
      name, made: moment,
      pulses.sorted { $0.key < $1.key }.map { day, pulse in
        SmallExport.record(
          "RestingHeartRate", pulse, unit: "count/min", source: "Watch",
          from: "2024-06-\(day) 10:00:00 +0200")
      })
  }

  @Test(arguments: [[], ["--all"]])
  func `R56: a number the export no longer has is null on its dates`(more: [String]) async throws {
    var program = try Program()
    let server = try RecordServer()
    program.environment["S3HEALTH_DEVICE_TOKEN"] = IngestServer.token
    let command = command(server)
    let first = try pulses(program, "a.xml", [10: 50, 11: 51, 12: 52, 13: 53, 14: 54])
    try await program.succeeds(command + [first])
    // Before its first and after its last number an export does not show that there are none (R19).
    let second = try pulses(program, "b.xml", [11: 51, 13: 63])
    try await program.succeeds(
      command + [second] + more, saying: "1 number of an earlier run is no longer in the source")
    let left: [String: RecordServer.Value] = [
      "10": .number(50), "11": .number(51), "12": .null, "13": .number(63), "14": .number(54),
    ]
    #expect(try await numbers(server) == left)
    // It is sent once, and a number that comes back is sent again.
    let again = try await program.succeeds(command + [second, "--output", "json"])
    #expect(try sum(again, "received") == 0 && !again.errors.contains("earlier run"))
    try await program.succeeds(command + [first])
    #expect(try await numbers(server)["12"] == .number(52))
    // A payload takes nothing away.
    let payload = try program.file(
      "payload.json",
      #"""
      {"data":{"metrics":[{"name":"resting_heart_rate","units":"bpm","data":[
        {"date":"2024-06-11 00:00:00 +0200","qty":71},
        {"date":"2024-06-13 00:00:00 +0200","qty":73}]}]}}
      """#)
    try await program.succeeds(command + [payload])
    #expect(try await numbers(server)["12"] == .number(52))
  }

  @Test func `R56: an older export takes nothing of a newer one back, unless asked`() async throws {
    var program = try Program()
    let server = try RecordServer()
    program.environment["S3HEALTH_DEVICE_TOKEN"] = IngestServer.token
    let command = command(server)
    let newer = try pulses(program, "newer.xml", [11: 50, 12: 51, 14: 53])
    try await program.succeeds(command + [newer])
    let older = try pulses(
      program, "older.xml", [10: 49, 11: 60, 13: 62], made: "2024-06-20 20:30:00 +0200")
    let run = try await program.succeeds(
      command + [older], saying: "left out 1 record for which a newer export",
      "2024-06-25T18:30:00Z")
    #expect(!run.errors.contains("earlier run"))
    var expected: [String: RecordServer.Value] = [
      "10": .number(49), "11": .number(50), "12": .number(51), "13": .number(62), "14": .number(53),
    ]
    #expect(try await numbers(server) == expected)
    // The older one does not become the newest.
    try await program.succeeds(command + [older])
    #expect(try await numbers(server) == expected)
    try await program.succeeds(command + [older, "--all"])
    (expected["11"], expected["12"]) = (.number(60), .null)
    #expect(try await numbers(server) == expected)
  }

  @Test func `R56: what one person's token sent is sent with another's, too`() async throws {
    var program = try Program()
    let server = try RecordServer()
    let command = command(server)
    let ann = try pulses(program, "ann.xml", [10: 60, 11: 61, 12: 62])
    let bob = try pulses(program, "bob.xml", [10: 60, 12: 55])
    for (token, file) in [(IngestServer.token, ann), ("token-of-bob", bob)] {
      program.environment["S3HEALTH_DEVICE_TOKEN"] = token
      let run = try await program.succeeds(command + [file])
      #expect(!run.errors.contains("earlier run"))
    }
    #expect(
      try await numbers(server, "bob health-metrics") == ["10": .number(60), "12": .number(55)])
    #expect(try await numbers(server)["11"] == .number(61))
    // What Ann has sent is still known.
    program.environment["S3HEALTH_DEVICE_TOKEN"] = IngestServer.token
    let again = try await program.succeeds(command + [ann, "--output", "json"])
    #expect(try sum(again, "received") == 0)
  }

  @Test func `R56: records leave over TLS alone, or with --allow-plaintext`() async throws {
    let program = try Program(["S3HEALTH_DEVICE_TOKEN": "secret-token"])
    let run = try await program.run(
      "export", "records", "--input", "export.zip", "--server", "http://db.example.org")
    #expect(run.exitCode == 64)
    #expect(run.errors.contains("plain http"))
    #expect(!run.errors.contains("secret-token"))
  }
}
