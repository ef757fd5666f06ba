import Foundation
import Subprocess
import TestSupport
import Testing

@testable import IngestServer

/// s3healthd as a person starts it, with a folder as its store.
private final class RunningServer {
  struct Answer {
    let status: Int
    let headers: String
    let json: [String: Any]

    var counts: [Int?] {
      ["received", "inserted", "duplicates"].map { json[$0] as? Int }
    }
  }

  struct Run {
    let exitCode: Int
    let output: String
    let errors: String

    func json() throws -> [String: Any] {
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
    }
  }

  static let path =
    ProcessInfo.processInfo.environment["S3HEALTHD_BINARY"] ?? BuiltProgram.path("s3healthd")

  let home: URL
  /// The folder that is the store.
  private let store: String
  private let database: String?
  private(set) var token = ""
  private var process = Process()
  private var port = ""

  /// - Parameter other: the server whose store this one has too.
  init(_ database: String?, besides other: RunningServer? = nil) async throws {
    home = URL(filePath: NSTemporaryDirectory()).appending(path: "s3healthd-\(UUID())")
    store = other?.store ?? home.path + "/store"
    self.database = database
    try FileManager.default.createDirectory(
      at: URL(filePath: home.path + "/store"), withIntermediateDirectories: true)
    let added = try await run(
      ["token", "add", "phone", "--device", "5e3a1d0c-7b42-4f6e-9a51-d40e8c27b100", "-o", "json"])
    token = try #require(try added.json()["token"] as? String)
    try start()
  }

  /// Ends it by SIGKILL, and starts it again at once.
  func killAndStart() throws {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try start()
  }

  private func start() throws {
    (process, port) = (Process(), "")
    process.executableURL = URL(filePath: Self.path)
    process.arguments = ["serve", "--listen", "127.0.0.1:0", "--timezone", "Europe/Berlin"]
    process.environment = variables(database)
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var text = ""
    while port.isEmpty {
      let piece = errors.fileHandleForReading.availableData
      try #require(!piece.isEmpty, "s3healthd has ended: \(text)")
      text += String(decoding: piece, as: UTF8.self)
      if let match = text.firstMatch(of: #/listening on http://127\.0\.0\.1:(\d+)/#) {
        port = String(match.1)
      }
    }
    // The log goes on: the pipe must not fill up.
    errors.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: home)
  }

  private func variables(_ database: String?) -> [String: String] {
    var variables = [
      "HOME": home.path, "PATH": "/usr/bin:/bin", "S3HEALTH_STORE": store,
      "AWS_EC2_METADATA_DISABLED": "true",
    ]
    variables["S3HEALTH_POSTGRES"] = database
    return variables
  }

  /// Runs a command of s3healthd in the same home.
  func run(_ arguments: [String], database: String? = nil) async throws -> Run {
    let result = try await Subprocess.run(
      .path(.init(Self.path)), arguments: .init(arguments),
      environment: .custom(
        Dictionary(
          uniqueKeysWithValues: variables(database).map { (.init(stringLiteral: $0), $1) })),
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    guard case .exited(let code) = result.terminationStatus else {
      throw CancellationError()
    }
    return Run(
      exitCode: Int(code), output: result.standardOutput, errors: result.standardError)
  }

  func post(
    _ kind: String, _ body: String, key: String? = nil, token: String? = nil
  ) async throws -> Answer {
    var arguments = [
      "--silent", "--show-error", "--max-time", "60", "--include", "--data-binary", "@-",
      "--header", "Authorization: Bearer \(token ?? self.token)",
    ]
    if let key { arguments += ["--header", "Idempotency-Key: \(key)"] }
    arguments.append("http://127.0.0.1:\(port)/api/ingest/health-\(kind)")
    let result = try await Subprocess.run(
      .name("curl"), arguments: .init(arguments), input: .string(body),
      output: .string(limit: 1 << 20), error: .string(limit: 4096))
    try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
    let parts = result.standardOutput.split(separator: "\r\n\r\n", maxSplits: 1)
    let head = String(try #require(parts.first))
    let status = try #require(head.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    let json = try JSONSerialization.jsonObject(with: Data((parts.last ?? "").utf8))
    return Answer(status: status, headers: head.lowercased(), json: json as? [String: Any] ?? [:])
  }

  /// The objects of posted records.
  var objects: [String] {
    let folder = home.appending(path: "store/streams/v0/health_records").path
    return (FileManager.default.subpaths(atPath: folder) ?? []).filter { $0.hasSuffix(".json.gz") }
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

  @Test
  func
    `R56: posted records are in the bucket and in the tables, and each is counted`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let server = try await RunningServer(database.url)
    #expect(try await server.run(["db", "create"], database: database.url).exitCode == 0)
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
    let stored = server.objects.count
    #expect(stored == 6)

    let refused = try await server.post("metrics", weight(1501))
    #expect(refused.status == 400)
    let error = try #require(refused.json["error"] as? [String: Any])
    let faults = try #require(error["faults"] as? [[String: String]])
    #expect(faults.map { $0["pointer"] } == ["/records/0/value"])
    #expect(try await server.post("metrics", weight(170), token: "wrong").status == 401)
    #expect(try await server.post("metrics", weight(170), key: "").status == 200)
    #expect(server.objects.count == stored + 1)

    let found = try await rows(database)
    #expect(found[0].count == 1)
    #expect(found[0][0][3] == "170")
    #expect(found[1].count == 1)
    #expect(found[1][0][0] == "\"0d0a5c1e-0000-5000-8000-000000000001\"")
    #expect(found[2].count == 510)
    #expect(found[2][0][1] == "\"2026-01-15T01:00:00.500000Z\"")
  }

  @Test
  func `R46, R56: of two servers that are killed between, the value acknowledged last stands`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let first = try await RunningServer(database.url)
    #expect(try await first.run(["db", "create"], database: database.url).exitCode == 0)
    let servers = [first, try await RunningServer(database.url, besides: first)]
    let values = [175.2, 180, 175.2, 171, 172, 171, 173, 174]
    for (number, value) in values.enumerated() {
      let server = servers[number % 2]
      // Without a key, so that a value that comes back has to count, too.
      #expect(try await server.post("metrics", weight(value)).status == 200)
      #expect(try await rows(database)[0].map { Double($0[3]) } == [value])
      if number % 3 == 2 { try server.killAndStart() }
    }
    #expect(first.objects.count == values.count)
    // What is sent again under its key is what it was.
    for (server, value) in zip(servers, [190.0, 191]) {
      #expect(try await server.post("metrics", weight(value), key: "k \(value)").status == 200)
    }
    #expect(try await servers[1].post("metrics", weight(190), key: "k 190.0").status == 200)
    let last = try await rows(database)
    #expect(last[0].map { $0[3] } == ["191"])
    let other = try await PostgresServer.shared().database()
    let rebuilt = try await first.run(["db", "rebuild"], database: other.url)
    #expect(rebuilt.exitCode == 0, "\(rebuilt.errors)")
    #expect(try await rows(other) == last)
    // The order goes on behind what the rebuild has found.
    #expect(
      try await other.sql("SELECT count(*) FROM s3health_receipts WHERE last_order > 0") == [
        [["1"]]
      ])
  }

  @Test func `R56: a value that is null is a row without one, and the newest word counts`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let server = try await RunningServer(database.url)
    #expect(try await server.run(["db", "create"], database: database.url).exitCode == 0)
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
    #expect(try await server.run(["db", "rebuild"], database: other.url).exitCode == 0)
    #expect(try await rows(other) == last)
  }

  @Test func `R56: without a database the endpoints say so, and store nothing`() async throws {
    let server = try await RunningServer(nil)
    let answer = try await server.post("metrics", weight(175.2))
    #expect(answer.status == 404)
    #expect((answer.json["error"] as? [String: Any])?["code"] as? String == "no_database")
    #expect(server.objects.isEmpty)
  }

  @Test(
    "While the database is down nothing is acknowledged; a retry can't overtake; a rebuild is equal"
  )
  func survivesDatabase() async throws {
    let postgres = try PostgresServer()
    let database = try await postgres.database()
    let server = try await RunningServer(database.url)
    #expect(try await server.run(["db", "create"], database: database.url).exitCode == 0)
    #expect(try await server.post("metrics", weight(170), key: "a").counts == [1, 1, 0])
    try postgres.stop()
    let down = try await server.post("metrics", weight(171), key: "b")
    #expect(down.status == 503)
    #expect(down.headers.contains("\r\nretry-after: "))
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
    let rebuilt = try await server.run(["db", "rebuild", "-o", "json"], database: other.url)
    #expect(rebuilt.exitCode == 0, "\(rebuilt.errors)")
    #expect(try rebuilt.json()["batches"] as? Int == 5)
    #expect(try await rows(other) == before)
    // A second time nothing is new.
    let again = try await server.run(["db", "rebuild", "-o", "json"], database: other.url)
    #expect((try again.json()["metrics"] as? [String: Any])?["inserted"] as? Int == 0)
    #expect(try await rows(other) == before)
  }
}
