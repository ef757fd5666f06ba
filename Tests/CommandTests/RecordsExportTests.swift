import Foundation
import Subprocess
import TestSupport
import Testing

/// A server of records: Tests/Peers/record_receiver.py, with a world of its own for each value.
struct RecordServer {
  struct Log: Decodable {
    let rows: [String: [String: [String: Value]]]
    let taken: Int
    let refused: Int
    let large: Int
    let keys: [String]
  }

  enum Value: Decodable, Hashable {
    case number(Double)
    case text(String)
    case flag(Bool)
    case null

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let flag = try? value.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try value.decode(String.self))
      }
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
  func sum(_ run: Program.Run, _ member: String) throws -> Int {
    try run.json().values.reduce(0) { total, value in
      total + ((value as? [String: Any])?[member] as? Int ?? 0)
    }
  }

  @Test func `R56: a run cut short goes on where it stopped, and doubles nothing`() async throws {
    var program = try Program()
    let export = try await GeneratedExport(program, ["--days", "40"])
    let server = try RecordServer()
    program.environment["S3HEALTH_DEVICE_TOKEN"] = IngestServer.token
    let command = [
      "export", "records", "--input", export.zip, "--server", server.url, "--timezone",
      export.timeZoneName, "--attempts", "1", "--output", "json",
    ]
    try await server.allow(2)
    try await program.run(command, ends: 69, saying: "run the same command again")
    let cut = try await server.log()
    #expect(cut.taken == 2)
    // Requests of 500 were too large for this server, and were halved.
    #expect(cut.large > 0)

    try await server.allow(-1)
    let second = try await program.run(command, ends: 0)
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
    #expect(second.errors.contains("note: left out steps, active_energy_kcal"))
    #expect(log.rows["health-metrics"]?.keys.contains { $0.contains("Step") } == false)

    // What the server was told is not told again, unless everything is asked for.
    let next = try await program.run(command, ends: 0)
    #expect(try sum(next, "received") == 0)
    #expect(try sum(next, "sent_before") == rows)
    #expect(try await server.log().taken == log.taken)
    let third = try await program.run(command + ["--all"], ends: 0)
    #expect(try sum(third, "inserted") == 0)
    #expect(try sum(third, "duplicates") == rows)
    #expect(Set(try await server.log().keys.map { $0.prefix(36) }).count == 2)
  }

  @Test
  func
    `R56: a failing server is asked again; a wrong token ends the run`()
    async throws
  {
    var program = try Program()
    let export = try await GeneratedExport(program, ["--days", "3"])
    let server = try RecordServer()
    let command = [
      "export", "records", "--input", export.zip, "--server", server.url, "--attempts", "2",
    ]
    try await program.run(command, ends: 64, saying: "s3health init --server")
    program.environment["S3HEALTH_DEVICE_TOKEN"] = "another-token"
    let wrong = try await program.run(command, ends: 77)
    #expect(!wrong.errors.contains("another-token"))
    program.environment["S3HEALTH_DEVICE_TOKEN"] = IngestServer.token
    try await server.allow(0)
    try await program.run(command, ends: 69, saying: "trying again in 1 s")
    #expect(try await server.log().refused == 2)
  }

  /// The command that posts to a server, without its input.
  func command(_ server: RecordServer) -> [String] {
    ["export", "records", "--server", server.url, "--timezone", "Europe/Berlin", "--input"]
  }
}
