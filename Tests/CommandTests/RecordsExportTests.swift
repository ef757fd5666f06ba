import Foundation
import Subprocess
import TestSupport
import Testing

/// A server of records: Tests/Peers/record_receiver.py, with a world of its own for each value.
private struct RecordServer {
  struct Log: Decodable {
    let rows: [String: [String: [String: Value]]]
    let taken: Int
    let refused: Int
    let large: Int
    let keys: [String]
  }

  enum Value: Decodable, Hashable {
    case text(String)
    case number(Double)
    case other

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      let text = (try? value.decode(String.self)).map { Self.text($0) }
      self = text ?? (try? value.decode(Double.self)).map { .number($0) } ?? .other
    }
  }

  private struct Ports: Decodable { let port: Int }

  private static let started = Result {
    try PeerServer.start("record_receiver.py", saying: Ports.self)
  }

  private let world = UUID().uuidString
  private let port: Int

  init() throws { port = try Self.started.get().port }

  var url: String { "http://127.0.0.1:\(port)/\(world)/api/ingest" }

  func allow(_ requests: Int) async throws {
    _ = try await curl(["--request", "POST", "--data", "", "allow/\(requests)"])
  }

  func log() async throws -> Log {
    try JSONDecoder().decode(Log.self, from: try await curl(["log"]))
  }

  private func curl(_ arguments: [String]) async throws -> Data {
    let path = "http://127.0.0.1:\(port)/\(world)/\(arguments.last ?? "")"
    let result = try await Subprocess.run(
      .name("curl"),
      arguments: .init(
        ["--silent", "--show-error", "--fail", "--max-time", "60"] + arguments.dropLast() + [path]),
      output: .bytes(limit: 64 << 20), error: .string(limit: 4096))
    try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
    return Data(result.standardOutput)
  }
}

/// `export records` (R56).
@Suite(.process) struct RecordsExportTests {
  private func sum(_ run: Program.Run, _ member: String) throws -> Int {
    try run.json().values.reduce(0) { total, value in
      total + ((value as? [String: Any])?[member] as? Int ?? 0)
    }
  }

  @Test func `R56: a run that was cut short goes on where it stopped, and doubles nothing`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    let export = try await GeneratedExport(program, ["--days", "40"])
    let server = try RecordServer()
    program.environment["S3HEALTH_DEVICE_TOKEN"] = IngestServer.token
    let command = [
      "export", "records", "--input", export.zip, "--server", server.url, "--timezone",
      export.timeZoneName, "--attempts", "1", "--output", "json",
    ]
    try await server.allow(2)
    let first = try await program.run(command)
    #expect(first.exitCode == 69)
    #expect(first.errors.contains("run the same command again"))
    let cut = try await server.log()
    #expect(cut.taken == 2)
    // Requests of 500 were too large for this server, and were halved.
    #expect(cut.large > 0)

    try await server.allow(-1)
    let second = try await program.run(command)
    #expect(second.exitCode == 0, "\(second.errors)")
    let log = try await server.log()
    let rows = log.rows.values.reduce(0) { $0 + $1.count }
    #expect(log.rows["health-metrics"]?.count ?? 0 > 300)
    #expect(log.rows["health-sleep"]?.count ?? 0 > 300)
    #expect(try sum(second, "sent_before") > 0)
    #expect(try sum(second, "sent_before") + sum(second, "received") == rows)
    #expect(try sum(second, "duplicates") == 0)
    // One run, however often it was started: each request has a key of its own.
    #expect(Set(log.keys).count == log.taken)
    #expect(Set(log.keys.map { $0.prefix(36) }).count == 1)

    // The table has 28 types of metrics; what has none is named.
    #expect(second.errors.contains("note: left out steps, active_energy_kcal"), "\(second.errors)")
    #expect(log.rows["health-metrics"]?.keys.contains { $0.contains("Step") } == false)

    // What the server was told is not told again, unless everything is asked for.
    let next = try await program.run(command)
    #expect(next.exitCode == 0)
    #expect(try sum(next, "received") == 0)
    #expect(try sum(next, "sent_before") == rows)
    #expect(try await server.log().taken == log.taken)
    let third = try await program.run(command + ["--all"])
    #expect(third.exitCode == 0)
    #expect(try sum(third, "inserted") == 0)
    #expect(try sum(third, "duplicates") == rows)
    #expect(Set(try await server.log().keys.map { $0.prefix(36) }).count == 2)
  }

  @Test
  func
    `R56: a server that fails for a while is asked again, and a wrong token at once ends the run`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    let export = try await GeneratedExport(program, ["--days", "3"])
    let server = try RecordServer()
    let command = [
      "export", "records", "--input", export.zip, "--server", server.url, "--attempts", "2",
    ]
    let without = try await program.run(command)
    #expect(without.exitCode == 64)
    #expect(without.errors.contains("s3health init --server"))
    program.environment["S3HEALTH_DEVICE_TOKEN"] = "another-token"
    let wrong = try await program.run(command)
    #expect(wrong.exitCode == 77)
    #expect(!wrong.errors.contains("another-token"))
    program.environment["S3HEALTH_DEVICE_TOKEN"] = IngestServer.token
    try await server.allow(0)
    let failed = try await program.run(command)
    #expect(failed.exitCode == 69)
    #expect(failed.errors.contains("trying again in 1 s"))
    #expect(try await server.log().refused == 2)
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

  private func numbers(
    _ server: RecordServer, _ table: String = "health-metrics"
  ) async throws -> [String: RecordServer.Value] {
    try await server.log().rows[table, default: [:]].reduce(into: [:]) { found, row in
      found[String(row.key.prefix(10).suffix(2))] = row.value["value"]
    }
  }

  /// The command that posts to a server, without its input.
  private func command(_ server: RecordServer) -> [String] {
    ["export", "records", "--server", server.url, "--timezone", "Europe/Berlin", "--input"]
  }

  @Test(arguments: [[], ["--all"]])
  func `R56: a number that the export no longer has becomes null, on the export's dates only`(
    more: [String]
  ) async throws {
    var program = try Program()
    defer { program.removeHome() }
    let server = try RecordServer()
    program.environment["S3HEALTH_DEVICE_TOKEN"] = IngestServer.token
    let command = command(server)
    let first = try pulses(program, "a.xml", [10: 50, 11: 51, 12: 52, 13: 53, 14: 54])
    try await program.succeeds(command + [first])
    // Before its first and after its last number an export does not show that there are none (R19).
    let second = try pulses(program, "b.xml", [11: 51, 13: 63])
    let run = try await program.succeeds(command + [second] + more)
    #expect(run.errors.contains("1 number of an earlier run is no longer in the source"))
    let left: [String: RecordServer.Value] = [
      "10": .number(50), "11": .number(51), "12": .other, "13": .number(63), "14": .number(54),
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
      Array(
        #"""
        {"data":{"metrics":[{"name":"resting_heart_rate","units":"bpm","data":[
          {"date":"2024-06-11 00:00:00 +0200","qty":71},
          {"date":"2024-06-13 00:00:00 +0200","qty":73}]}]}}
        """#.utf8))
    try await program.succeeds(command + [payload])
    #expect(try await numbers(server)["12"] == .number(52))
  }

  @Test
  func `R56: an older export takes back nothing of a newer one, unless all of it is asked for`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    let server = try RecordServer()
    program.environment["S3HEALTH_DEVICE_TOKEN"] = IngestServer.token
    let command = command(server)
    let newer = try pulses(program, "newer.xml", [11: 50, 12: 51, 14: 53])
    try await program.succeeds(command + [newer])
    let older = try pulses(
      program, "older.xml", [10: 49, 11: 60, 13: 62], made: "2024-06-20 20:30:00 +0200")
    let run = try await program.succeeds(command + [older])
    #expect(run.errors.contains("left out 1 record for which a newer export"))
    #expect(run.errors.contains("2024-06-25T18:30:00Z"))
    #expect(!run.errors.contains("earlier run"))
    var expected: [String: RecordServer.Value] = [
      "10": .number(49), "11": .number(50), "12": .number(51), "13": .number(62),
      "14": .number(53),
    ]
    #expect(try await numbers(server) == expected)
    // The older one does not become the newest.
    try await program.succeeds(command + [older])
    #expect(try await numbers(server) == expected)
    try await program.succeeds(command + [older, "--all"])
    (expected["11"], expected["12"]) = (.number(60), .other)
    #expect(try await numbers(server) == expected)
  }

  @Test func `R56: what was sent with one person's token is sent with another's, too`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    let server = try RecordServer()
    let command = command(server)
    let ann = try pulses(program, "ann.xml", [10: 60, 11: 61, 12: 62])
    let bob = try pulses(program, "bob.xml", [10: 60, 12: 55])
    for (token, file) in [(IngestServer.token, ann), ("token-of-bob", bob)] {
      program.environment["S3HEALTH_DEVICE_TOKEN"] = token
      let run = try await program.succeeds(command + [file])
      #expect(!run.errors.contains("earlier run"), "\(run.errors)")
    }
    #expect(
      try await numbers(server, "bob health-metrics") == ["10": .number(60), "12": .number(55)])
    #expect(try await numbers(server)["11"] == .number(61))
    // What Ann has sent is still known.
    program.environment["S3HEALTH_DEVICE_TOKEN"] = IngestServer.token
    let again = try await program.succeeds(command + [ann, "--output", "json"])
    #expect(try sum(again, "received") == 0)
  }

  @Test func `R56: records leave this machine only over TLS, or with --allow-plaintext`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    program.environment["S3HEALTH_DEVICE_TOKEN"] = "secret-token"
    let run = try await program.run(
      "export", "records", "--input", "export.zip", "--server", "http://db.example.org")
    #expect(run.exitCode == 64)
    #expect(run.errors.contains("plain http"))
    #expect(!run.errors.contains("secret-token"))
  }
}
