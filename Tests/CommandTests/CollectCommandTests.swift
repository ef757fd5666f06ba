import Foundation
import TestSupport
import Testing

/// `collect`: a collector's run (R49).
@Suite(.server) struct CollectCommandTests {
  func outcomes(_ run: Program.Run) throws -> [String] {
    let results = try run.results()
    return results.map { "\($0["date"] ?? "") \($0["outcome"] ?? "")" }
  }

  func program() throws -> Program { try Program(["S3HEALTH_TIMEZONE": "UTC"]) }

  @Test func `today and the seven days before are published, and only once (R49)`() async throws {
    let program = try program()
    _ = try program.file("in/a.json", watchSteps([0: 10, 7: 70, 8: 80]))
    _ = try program.file(".config/s3health/config", "source = ../../in\n")
    let first = try await program.succeeds(["collect", "-o", "json"])
    #expect(try outcomes(first) == [8, 7, 0].map { "\(date($0)) published" })
    let second = try await program.succeeds(
      ["collect"], printing: "nothing has changed: no revision was written")
    let note = "note: \(date(8)) is in the store and not compared again; --catch-up 8 compares it\n"
    #expect(second.errors == note)
    let changed = try program.file("in/b.json", watchSteps([0: 25]))
    #expect(!changed.isEmpty)
    let third = try await program.succeeds(["collect", "-o", "json"])
    #expect(try outcomes(third) == ["\(date(7)) unchanged", "\(date(0)) published"])
    // As the project's card writes it.
    let put = try await program.succeeds(["put", "--date", "today"])
    #expect(put.output.hasPrefix("unchanged"))
  }

  @Test func `without a source, or with an old one, the error says what to do`() async throws {
    var program = try program()
    try await program.refuses(
      ["collect"], saying: "no source is configured", "source = PATH",
      "S3HEALTH_SOURCE", "--input")
    program.environment["S3HEALTH_SOURCE"] = try program.file("old.json", watchSteps([30: 5]))
    let old = try await program.succeeds(["collect"])
    #expect(old.output.hasPrefix("published  \(date(30))"))
    let again = try await program.succeeds(["collect"])
    #expect(again.output == "nothing has changed: no revision was written\n")
    #expect(again.errors.contains("\(date(30)) is in the store"))
    program.environment["S3HEALTH_SOURCE"] = "streams"
    try await program.fails(
      ["collect"], as: .dataNotFound, saying: "no samples", "s3health raw sync")
    try await program.refuses(
      ["put", "--date", "today"], saying: "streams", "s3health collect",
      "S3HEALTH_SOURCE")
  }

  @Test func `a folder's payloads go through the outbox to the same days (R55)`() async throws {
    let program = try program()
    let folder = program.home.appending(path: "payloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for age in 1...3 {
      try Data(watchSteps([age: age * 1000])).write(to: folder.appending(path: "\(age).json"))
    }
    let collect = ["collect", "--queue", "--input", folder.path]
    #expect(try await program.succeeds(collect).output.hasPrefix("queued 3 payloads"))
    #expect(try await program.succeeds(collect).output.hasPrefix("nothing is new"))
    try await program.succeeds(["raw", "sync"], printing: "payloads", "3 requests")
    let derived = try await program.succeeds(["collect", "--from-streams", "-o", "json"])
    #expect(try outcomes(derived).sorted() == [3, 2, 1].map { "\(date($0)) published" }.sorted())
    #expect(try await program.steps(date(2)) == 2000)
    let status = try await program.run(["status", "-o", "json"]).json()
    #expect((status["stream_counts"] as? [String: Int])?["payloads"] == 0, "\(status)")
  }

  @Test func `an old copy of the folder replaces nothing of a newer one (R19, R20)`() async throws {
    // Both files were written after the day's end, whatever the time is now.
    let program = try program()
    func collect(_ name: String, _ steps: Int, secondsAgo: Double, _ options: [String] = [])
      async throws -> [String]
    {
      let file = try program.file(name, watchSteps([2: steps]))
      try setModified(file, Date(timeIntervalSinceNow: -secondsAgo))
      return try outcomes(
        try await program.succeeds(["collect", "-o", "json", "--input", file] + options))
    }
    #expect(try await collect("a/a.json", 12_000, secondsAgo: 600) == ["\(date(2)) published"])
    #expect(try await collect("b/a.json", 9000, secondsAgo: 3600) == ["\(date(2)) unchanged"])
    #expect(try await collect("a/a.json", 12_000, secondsAgo: 600) == ["\(date(2)) unchanged"])
    #expect(try await collect("b/a.json", 12_100, secondsAgo: 60) == ["\(date(2)) published"])
    let forced = try await collect("b/a.json", 9000, secondsAgo: 3600, ["--force"])
    #expect(forced == ["\(date(2)) published"])
    #expect(try await program.steps(date(2)) == 9000)
  }

  @Test func `a sample deleted days later leaves its day and the stream (R44, R47)`() async throws {
    let program = try program()
    func uuid(_ number: Int) -> String { "9E0C55A1-7D1B-4B6A-9A30-00000000000\(number)" }
    func queue(_ number: Int, _ members: String) async throws {
      let entry =
        #"{"sample_type":"HKQuantityTypeIdentifierStepCount","uuid":"\#(uuid(number))",\#(members)}"#
      try await program.succeeds(["raw", "add", "--stream", "healthkit"], input: entry)
    }
    func steps() async throws -> Double? {
      _ = try await program.succeeds(["raw", "sync"])
      _ = try await program.succeeds(["collect", "--from-streams"])
      return try await program.steps(date(10))
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
      ["raw", "cat", "--stream", "healthkit", "--from", date(12), "--to", date(0)],
      printing: uuid(1).lowercased())
    #expect(!printed.output.contains(uuid(2).lowercased()))
  }

  @Test(arguments: TestServer.one)
  func `two collects at once leave one figure for each day (R49)`(server: TestServer) async throws {
    var program = try self.program().on(server)
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
    #expect(try await program.steps(date(1), store) == 10)
    try await program.succeeds(
      ["collect", "--from-streams"] + store, printing: "nothing has changed")
  }
}

/// Which days of its source `collect` publishes, and what becomes of files that it can't read (R49).
@Suite(.process) struct CollectedSourceTests {
  private let tests = CollectCommandTests()

  @Test func `R49: each day the store lacks is published, and a hole is filled`() async throws {
    var program = try tests.program()
    program.environment["S3HEALTH_SOURCE"] = try program.file(
      "in.json", watchSteps(Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, 100 + $0) })))
    let days = program.defaultStore.appending(path: "health/v0/data")
    #expect(try await program.succeeds(["collect"]).output.contains("20 days: 20 published new"))
    let hole = date(12).replacing("-", with: "/")
    try FileManager.default.removeItem(at: days.appending(path: hole))
    let filled = try await program.succeeds(["collect", "-o", "json"])
    #expect(
      try tests.outcomes(filled).filter { $0.hasSuffix("published") } == ["\(date(12)) published"])
    #expect(try tests.outcomes(filled).count == 9)
    let notes = try #require(try filled.json()["notes"] as? [String])
    let held = "\(date(19)) to \(date(8)) (11 days) are in the store"
    #expect(notes.contains { $0.hasPrefix(held) })
    try await program.succeeds(["verify", "..today"])
  }

  @Test func `R49: a broken file stops no other, and fails the run after an hour`() async throws {
    let program = try tests.program()
    _ = try program.file("in/1.json", watchSteps([1: 1000]))
    _ = try program.file("in/3.json", watchSteps([3: 3000]))
    let folder = program.home.appending(path: "in").path
    let collect = ["collect", "--input", folder, "-o", "json"]
    // Cut off in its rows, so that it has said something before its fault; and empty.
    let cut = try program.file("in/2.json", watchSteps([2: 2000]).dropLast(9).map(\.self))
    let empty = try program.file("in/4.json", [])
    let first = try await program.succeeds(collect)
    #expect(try tests.outcomes(first) == [3, 1].map { "\(date($0)) published" })
    let notes = try #require(try first.json()["notes"] as? [String])
    for file in [cut, empty] {
      #expect(notes.contains { $0.contains(file) && $0.contains("may still be arriving") })
    }
    #expect(try await program.succeeds(["collect", "-q", "--input", folder]).errors.isEmpty)
    for file in [cut, empty] { try setModified(file, Date(timeIntervalSinceNow: -3700)) }
    _ = try program.file("in/5.json", watchSteps([5: 5000]))
    let later = try await program.run(["collect", "-q"] + collect.dropFirst(), ends: 64)
    #expect(try tests.outcomes(later).first == "\(date(5)) published")
    #expect((try later.json()["errors"] as? [Any])?.count == 2)
    for file in [cut, empty] { #expect(later.errors.contains(file)) }
    #expect(try await program.succeeds(["status", "--log"]).output.contains("collect_failed"))
    // Whole again, it counts.
    _ = try program.file("in/2.json", watchSteps([2: 2000]))
    try FileManager.default.removeItem(atPath: empty)
    let whole = try await program.succeeds(collect)
    #expect(try tests.outcomes(whole).contains("\(date(2)) published"))
    // Of a person's import nothing is published while a file is broken.
    _ = try program.file("in/6.json", [])
    try await program.refuses(["import", folder], saying: "6.json")
  }
}
