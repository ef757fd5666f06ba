import Foundation
import TestSupport
import Testing

/// `collect`: a collector's run (R49).
@Suite(.server) struct CollectCommandTests {
  /// Dates in UTC, so many days ago.
  func date(_ daysAgo: Int) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let day = Date().addingTimeInterval(-86_400 * Double(daysAgo))
    let parts = calendar.dateComponents([.year, .month, .day], from: day)
    func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
    return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))"
  }

  func payload(_ steps: [Int: Int]) -> [UInt8] {
    let rows = steps.sorted { $0.key > $1.key }.map {
      #"{"date":"\#(date($0.key)) 00:00:00 +0000","qty":\#($0.value),"source":"W"}"#
    }
    return Array(
      #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[\#(rows.joined(separator: ","))]}]}}"#
        .utf8)
  }

  func outcomes(_ run: Program.Run) throws -> [String] {
    let results = try #require(try run.json()["results"] as? [[String: Any]])
    return results.map { "\($0["date"] ?? "") \($0["outcome"] ?? "")" }
  }

  func program() throws -> Program {
    var program = try Program()
    program.environment["S3HEALTH_TIMEZONE"] = "UTC"
    return program
  }

  @Test func `today and the seven days before it are published, and only once (R49)`()
    async throws
  {
    let program = try program()
    defer { program.removeHome() }
    _ = try program.file("in/a.json", payload([0: 10, 7: 70, 8: 80]))
    _ = try program.file(".config/s3health/config", Array("source = ../../in\n".utf8))
    let first = try await program.succeeds(["collect", "-o", "json"])
    #expect(try outcomes(first) == [8, 7, 0].map { "\(date($0)) published" })
    let second = try await program.succeeds(["collect"])
    #expect(second.output.contains("nothing has changed: no revision was written"))
    let note = "note: \(date(8)) is in the store and not compared again; --catch-up 8 compares it\n"
    #expect(second.errors == note)
    let changed = try program.file("in/b.json", payload([0: 25]))
    #expect(!changed.isEmpty)
    let third = try await program.succeeds(["collect", "-o", "json"])
    #expect(try outcomes(third) == ["\(date(7)) unchanged", "\(date(0)) published"])
    // As the project's card writes it.
    let put = try await program.succeeds(["put", "--date", "today"])
    #expect(put.output.hasPrefix("unchanged"))
  }

  @Test func `without a source, or with an old one, the error says what to do`() async throws {
    var program = try program()
    defer { program.removeHome() }
    try await program.fails(
      ["collect"], as: .invalidArguments, saying: "no source is configured", "source = PATH",
      "S3HEALTH_SOURCE", "--input")
    program.environment["S3HEALTH_SOURCE"] = try program.file("old.json", payload([30: 5]))
    let old = try await program.succeeds(["collect"])
    #expect(old.output.hasPrefix("published  \(date(30))"), "\(old.output)")
    let again = try await program.succeeds(["collect"])
    #expect(again.output == "nothing has changed: no revision was written\n")
    #expect(again.errors.contains("\(date(30)) is in the store"), "\(again.errors)")
    program.environment["S3HEALTH_SOURCE"] = "streams"
    try await program.fails(
      ["collect"], as: .dataNotFound, saying: "no samples", "s3health raw sync")
    try await program.fails(
      ["put", "--date", "today"], as: .invalidArguments, saying: "streams", "s3health collect",
      "S3HEALTH_SOURCE")
  }

  @Test func `payloads of a folder go through the outbox whole into the same days (R55)`()
    async throws
  {
    let program = try program()
    defer { program.removeHome() }
    let folder = program.home.appending(path: "payloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for age in 1...3 {
      try Data(payload([age: age * 1000])).write(to: folder.appending(path: "\(age).json"))
    }
    let collect = ["collect", "--queue", "--input", folder.path]
    #expect(try await program.succeeds(collect).output.hasPrefix("queued 3 payloads"))
    #expect(try await program.succeeds(collect).output.hasPrefix("nothing is new"))
    let synced = try await program.succeeds(["raw", "sync"])
    #expect(synced.output.contains("payloads") && synced.output.contains("3 requests"))
    let derived = try await program.succeeds(["collect", "--from-streams", "-o", "json"])
    #expect(try outcomes(derived).sorted() == [3, 2, 1].map { "\(date($0)) published" }.sorted())
    #expect(try await metrics(program, date(2))["steps"] == 2000)
    let status = try await program.run(["status", "-o", "json"]).json()
    #expect((status["stream_counts"] as? [String: Int])?["payloads"] == 0, "\(status)")
  }

  @Test func `an old copy of the folder does not replace what a newer one said (R19, R20)`()
    async throws
  {
    // Both files were written after the day's end, whatever the time is now.
    let program = try program()
    defer { program.removeHome() }
    func collect(_ name: String, _ steps: Int, secondsAgo: Double, _ options: [String] = [])
      async throws -> [String]
    {
      let file = try program.file(name, payload([2: steps]))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -secondsAgo)], ofItemAtPath: file)
      return try outcomes(
        try await program.succeeds(["collect", "-o", "json", "--input", file] + options))
    }
    #expect(try await collect("a/a.json", 12_000, secondsAgo: 600) == ["\(date(2)) published"])
    #expect(try await collect("b/a.json", 9000, secondsAgo: 3600) == ["\(date(2)) unchanged"])
    #expect(try await collect("a/a.json", 12_000, secondsAgo: 600) == ["\(date(2)) unchanged"])
    #expect(try await collect("b/a.json", 12_100, secondsAgo: 60) == ["\(date(2)) published"])
    let forced = try await collect("b/a.json", 9000, secondsAgo: 3600, ["--force"])
    #expect(forced == ["\(date(2)) published"])
    #expect(try await metrics(program, date(2))["steps"] == 9000)
  }

  /// The eight metrics of a day.
  func metrics(_ program: Program, _ date: String) async throws -> [String: Double] {
    let day = try await program.day(date)
    return (day["metrics"] as? [String: Any] ?? [:]).compactMapValues { $0 as? Double }
  }

  @Test func `a sample that is deleted days later leaves its day and the stream (R44, R47)`()
    async throws
  {
    let program = try program()
    defer { program.removeHome() }
    func uuid(_ number: Int) -> String { "9E0C55A1-7D1B-4B6A-9A30-00000000000\(number)" }
    func queue(_ number: Int, _ members: String) async throws {
      let entry =
        #"{"sample_type":"HKQuantityTypeIdentifierStepCount","uuid":"\#(uuid(number))",\#(members)}"#
      try await program.succeeds(
        ["raw", "add", "--stream", "healthkit"], input: Array(entry.utf8))
    }
    func steps() async throws -> Double? {
      _ = try await program.succeeds(["raw", "sync"])
      _ = try await program.succeeds(["collect", "--from-streams"])
      return try await metrics(program, date(10))["steps"]
    }
    for (number, value) in [(1, 300), (2, 500)] {
      try await queue(
        number,
        #""timestamp":"\#(date(10))T1\#(number):00:00Z","#
          + #""end_timestamp":"\#(date(10))T1\#(number):05:00Z","#
          + #""value":\#(value),"unit":"count","source":"Phone""#)
    }
    #expect(try await steps() == 800)
    // HealthKit gives no more than the id.
    try await queue(2, #""timestamp":"\#(date(0))T00:00:00Z","deleted":true"#)
    #expect(try await steps() == 300)
    let printed = try await program.succeeds(
      ["raw", "cat", "--stream", "healthkit", "--from", date(12), "--to", date(0)])
    #expect(printed.output.contains(uuid(1).lowercased()))
    #expect(!printed.output.contains(uuid(2).lowercased()))
  }

  @Test(arguments: TestServer.one)
  func `two collects at once on a real server leave one figure for each day (R49)`(
    server: TestServer
  ) async throws {
    var program = try self.program().on(server)
    defer { program.removeHome() }
    program.environment["S3HEALTH_TIMEZONE"] = "UTC"
    let store = server.arguments(prefix: "collect/\(UUID())")
    let lines = (0..<4).map { number in
      #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"\#(date(1))T1\#(number):00:00Z","end_timestamp":"\#(date(1))T1\#(number):01:00Z","value":\#(number + 1),"unit":"count"}"#
    }
    let file = try program.file("samples.json", Array(lines.joined(separator: "\n").utf8))
    _ = try await program.succeeds(["raw", "add", "--stream", "healthkit", "--input", file])
    _ = try await program.succeeds(["raw", "sync"] + store)
    let ready = program
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask { _ = try await ready.succeeds(["collect", "--from-streams"] + store) }
      }
      try await group.waitForAll()
    }
    let day = try await program.succeeds(
      ["get", date(1), "-o", "json"] + store
    ).json()
    #expect((day["metrics"] as? [String: Any])?["steps"] as? Double == 10)
    let again = try await program.succeeds(["collect", "--from-streams"] + store)
    #expect(again.output.contains("nothing has changed"))
  }
}
