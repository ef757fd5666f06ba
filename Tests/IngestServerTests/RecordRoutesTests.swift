import Foundation
import TestSupport
import Testing

@testable import IngestServer

/// A hub with a folder as its store and a database, to which records are posted.
private struct RecordHub {
  private(set) var trial: HubTrial
  private let environment: [String: String]

  /// - Parameter other: the hub whose store this one has too, from a home of its own.
  init(_ database: String?, besides other: RecordHub? = nil) async throws {
    environment = database.map { ["S3HEALTH_POSTGRES": $0] } ?? [:]
    trial = try await HubTrial(environment: environment, store: other?.trial.store)
  }

  /// Ends it by SIGKILL, and starts it again at once.
  mutating func killAndStart() async throws {
    try await trial.hub.end(by: SIGKILL)
    trial = try await trial.restarted(environment: environment)
  }

  /// Runs a command on a database.
  @discardableResult
  func db(_ command: String..., on database: PostgresServer.Database) async throws -> [String: Any]
  {
    var program = trial.program
    program.environment["S3HEALTH_POSTGRES"] = database.url
    program.environment["S3HEALTH_STORE"] = trial.store.path
    let output = try await HubProgram.run(program, ["db"] + command)
    let value = try? JSONSerialization.jsonObject(with: Data(output.utf8))
    return value as? [String: Any] ?? [:]
  }

  func post(
    _ kind: String, _ body: String, key: String? = nil, token: String? = nil
  ) async throws -> CurlAnswer {
    try await trial.ask(
      "/api/ingest/health-\(kind)", token: token ?? trial.token, body: body,
      arguments: key.map { ["--header", "Idempotency-Key: \($0)"] } ?? [])
  }

  /// The objects of posted records.
  var objects: [String] {
    get throws { try trial.batches().filter { $0.hasPrefix("streams/v0/health_records/") } }
  }
}

extension CurlAnswer {
  fileprivate var counts: [Int?] {
    ["received", "inserted", "duplicates"].map { json[$0] as? Int }
  }
}

private func weight(_ value: Double, _ date: String = "2026-01-15") -> String {
  """
  {"records":[{"healthkit_uuid":"\(date)_Weight/Body Mass (lb)","date":"\(date)T00:00:00Z",
  "type":"Weight/Body Mass (lb)","value":\(value),"unit":"lb","timezone":"America/New_York"}]}
  """
}

/// The same with a value that is null.
private let weightIsNull = weight(0).replacing(#""value":0.0"#, with: #""value":null"#)

private func nights(_ numbers: Range<Int>) -> String {
  let records = numbers.map { number in
    """
    {"healthkit_uuid":"0D0A5C1E-0000-5000-8000-\(100_000_000_000 + number)",
    "start_time":"2026-01-15T01:00:00.5Z","end_time":"2026-01-15T02:00:00Z","source":"Watch",
    "qty":0.999,"value":"asleepDeep"}
    """
  }
  return "{\"records\":[\(records.joined(separator: ","))]}"
}

@Suite(.process, .database)
struct RecordRoutesTests {
  private static let tables = [
    "SELECT healthkit_uuid, date, type, value, unit, timezone FROM ios_apple_health_metrics "
      + "ORDER BY healthkit_uuid",
    "SELECT healthkit_uuid, type, start_time, end_time, duration_seconds, timezone, metrics "
      + "FROM ios_apple_health_workouts ORDER BY healthkit_uuid",
    "SELECT healthkit_uuid, start_time, end_time, source, qty, value FROM ios_apple_health_sleep "
      + "ORDER BY healthkit_uuid",
  ]

  private func rows(_ database: PostgresServer.Database) async throws -> [[[String]]] {
    try await database.sql(Self.tables[0], Self.tables[1], Self.tables[2])
  }

  @Test func `R56: posted records are in the bucket and the tables, and counted`() async throws {
    let database = try await PostgresServer.shared().database()
    let server = try await RecordHub(database.url)
    try await server.db("create", on: database)
    #expect(try await server.post("metrics", weight(175.2)).counts == [1, 1, 0])
    #expect(try await server.post("metrics", weight(175.2)).counts == [1, 0, 1])
    let newer = try await server.post("metrics", weight(176))
    #expect(newer.counts == [1, 0, 1])
    #expect(newer.json["updated"] as? Int == 1)
    #expect(try await server.post("sleep", nights(0..<500)).counts == [500, 500, 0])
    #expect(try await server.post("sleep", nights(400..<510)).counts == [110, 10, 100])
    let workout = """
      {"records":[{"healthkit_uuid":"0d0a5c1e-0000-5000-8000-000000000001","type":"Running",
      "start_time":"2026-01-15T08:00:00Z","end_time":"2026-01-15T09:00:00Z",
      "metrics":{"Avg Speed(mi/hr)":6.5}}]}
      """
    #expect(try await server.post("workouts", workout).counts == [1, 1, 0])
    #expect(try await server.post("workouts", "{\"records\":[]}").counts == [0, 0, 0])
    let stored = try server.objects.count
    #expect(stored == 6)

    let refused = try await server.post("metrics", weight(1501))
    #expect(refused.status == 400 && refused.faults.map { $0.suffix(16) } == ["/records/0/value"])
    #expect(try await server.post("metrics", weight(170), token: "wrong").status == 401)
    #expect(try await server.post("metrics", weight(170), key: "").status == 200)
    #expect(try server.objects.count == stored + 1)

    let found = try await rows(database)
    #expect(found[0].count == 1)
    #expect(found[0][0][3] == "170")
    #expect(found[1].count == 1)
    #expect(found[1][0][0] == "\"0d0a5c1e-0000-5000-8000-000000000001\"")
    #expect(found[2].count == 510)
    #expect(found[2][0][1] == "\"2026-01-15T01:00:00.500000Z\"")
  }

  @Test func `R46, R56: of two killed servers the value acknowledged last stands`() async throws {
    let database = try await PostgresServer.shared().database()
    let first = try await RecordHub(database.url)
    try await first.db("create", on: database)
    var servers = [first, try await RecordHub(database.url, besides: first)]
    let values = [175.2, 180, 175.2, 171, 172, 171, 173, 174]
    for (number, value) in values.enumerated() {
      // Without a key, so that a value that comes back has to count, too.
      #expect(try await servers[number % 2].post("metrics", weight(value)).status == 200)
      #expect(try await rows(database)[0].map { Double($0[3]) } == [value])
      if number % 3 == 2 { try await servers[number % 2].killAndStart() }
    }
    #expect(try first.objects.count == values.count)
    // What is sent again under its key is what it was.
    for (server, value) in zip(servers, [190.0, 191]) {
      #expect(try await server.post("metrics", weight(value), key: "k \(value)").status == 200)
    }
    #expect(try await servers[1].post("metrics", weight(190), key: "k 190.0").status == 200)
    let last = try await rows(database)
    #expect(last[0].map { $0[3] } == ["191"])
    let other = try await PostgresServer.shared().database()
    try await first.db("rebuild", on: other)
    #expect(try await rows(other) == last)
    // The order goes on behind what the rebuild has found.
    #expect(
      try await other.sql("SELECT count(*) FROM s3health_receipts WHERE last_order > 0") == [
        [["1"]]
      ])
  }

  @Test func `R56: a null value is a row without one, and the newest word counts`() async throws {
    let database = try await PostgresServer.shared().database()
    let server = try await RecordHub(database.url)
    try await server.db("create", on: database)
    func value() async throws -> [String] { try await rows(database)[0].map { $0[3] } }
    #expect(try await server.post("metrics", weightIsNull).counts == [1, 1, 0])
    #expect(try await value() == ["null"])
    #expect(try await server.post("metrics", weight(175.2)).json["updated"] as? Int == 1)
    #expect(try await value() == ["175.2"])
    #expect(try await server.post("metrics", weightIsNull).json["updated"] as? Int == 1)
    #expect(try await value() == ["null"])
    let unknown = """
      {"records":[{"healthkit_uuid":"0d0a5c1e-0000-5000-8000-000000000001",
      "start_time":"2026-01-15T00:00:00Z","end_time":"2026-01-15T07:00:00Z","value":null}]}
      """
    #expect(try await server.post("sleep", unknown).counts == [1, 1, 0])
    let last = try await rows(database)
    #expect(last[2].map { $0[5] } == ["null"])
    let other = try await PostgresServer.shared().database()
    try await server.db("rebuild", on: other)
    #expect(try await rows(other) == last)
  }

  @Test func `R56: without a database the endpoints say so, and store nothing`() async throws {
    let server = try await RecordHub(nil)
    let answer = try await server.post("metrics", weight(175.2))
    #expect((answer.status, answer.code) == (404, "no_database"))
    #expect(try server.objects.isEmpty)
  }

  @Test(
    "While the database is down nothing is acknowledged; a retry can't overtake; a rebuild is equal"
  )
  func survivesDatabase() async throws {
    let postgres = try PostgresServer()
    let database = try await postgres.database()
    let server = try await RecordHub(database.url)
    try await server.db("create", on: database)
    #expect(try await server.post("metrics", weight(170), key: "a").counts == [1, 1, 0])
    try postgres.stop()
    let down = try await server.post("metrics", weight(171), key: "b")
    #expect(down.status == 503)
    #expect(down.headers["retry-after"] != nil)
    #expect(down.json["received"] == nil)
    #expect(try await server.post("sleep", nights(0..<3), key: "c").status == 503)
    try postgres.start()
    try await Task.sleep(for: .seconds(1.2))
    #expect(try await server.post("metrics", weight(172), key: "d").counts == [1, 0, 1])
    // The batch of the bad minute was received before: it is older.
    #expect(try await server.post("metrics", weight(171), key: "b").counts == [1, 0, 1])
    #expect(try await server.post("sleep", nights(0..<3), key: "c").counts == [3, 3, 0])
    #expect(try await server.post("metrics", weight(160, "2026-01-16")).counts == [1, 1, 0])
    let before = try await rows(database)
    #expect(before[0].map { $0[3] } == ["172", "160"])

    let other = try await postgres.database()
    #expect(try await server.db("rebuild", "-o", "json", on: other)["batches"] as? Int == 5)
    #expect(try await rows(other) == before)
    // A second time nothing is new.
    let again = try await server.db("rebuild", "-o", "json", on: other)["metrics"] as? [String: Any]
    #expect(again?["inserted"] as? Int == 0)
    #expect(try await rows(other) == before)
  }
}
