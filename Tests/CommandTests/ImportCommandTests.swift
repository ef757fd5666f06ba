import Foundation
import TestSupport
import Testing

/// What `import` publishes, from which sources, and what it says.
@Suite(.process) struct ImportCommandTests {
  let program: Program

  init() throws { program = try Program() }

  /// The outcomes of a run's days by date.
  func outcomes(_ run: Program.Run) throws -> [String: String] {
    let results = try run.results()
    return Dictionary(
      uniqueKeysWithValues: results.compactMap { result in
        guard let date = result["date"] as? String, let word = result["outcome"] as? String else {
          return nil
        }
        return (date, word)
      })
  }

  /// An export of the given records, made in Paris on the evening of 2024-06-15.
  func export(_ records: String..., exported: String = "2024-06-15 20:30:00 +0200")
    -> [UInt8]
  {
    SmallExport.bytes(made: exported, records)
  }

  func steps(_ date: String, _ count: Int, clock: String = "10:00") -> String {
    SmallExport.record(
      "StepCount", count, from: "\(date) \(clock):00 +0200", to: "\(date) \(clock):30 +0200")
  }

  @Test func `a day on which nothing was worn has no data, and none is missing`() async throws {
    let file = try program.file(
      "export.xml", export(steps("2024-06-10", 100), steps("2024-06-13", 300)))
    let run = try await program.succeeds(["import", file, "--output", "json"])
    #expect(try run.json()["days_without_data"] as? Int == 2)
    let empty = try await program.day("2024-06-11")
    let status = try #require(empty["metric_status"] as? [String: String])
    #expect(Set(status.values) == ["no_data"])
    // R8: the data was read when the export was made.
    #expect(empty["captured_at"] as? String == "2024-06-15T18:30:00Z")
    try await program.succeeds(["verify", "2024-06-10..2024-06-13"])
  }

  @Test func `the day of the export is published only where it is asked for`() async throws {
    let file = try program.file(
      "export.xml",
      export(steps("2024-06-14", 100), steps("2024-06-15", 50), steps("2024-06-20", 7)))
    try await program.succeeds(
      ["import", file], printing: "2024-06-15, which was not over when the export was made",
      "2024-06-20, dated after the export")
    #expect(try await program.run("get", "2024-06-15").exitCode == 66)
    let asked = try await program.succeeds([
      "import", file, "--to", "2024-06-15", "--output", "json",
    ])
    #expect(try outcomes(asked) == ["2024-06-14": "unchanged", "2024-06-15": "published"])
    let put = try await program.succeeds([
      "put", "--date", "2024-06-15", "--input", file, "--output", "json",
    ])
    #expect(try outcomes(put) == ["2024-06-15": "unchanged"])
  }

  @Test func `a dry run shows the days as a table and writes nothing`() async throws {
    let first = try program.file("first.xml", export(steps("2024-06-13", 100)))
    try await program.succeeds(["import", first])
    let before = try contents(of: program.defaultStore)
    let file = try program.file(
      "export.xml",
      export(steps("2024-06-12", 12345), steps("2024-06-13", 100), steps("2024-06-14", 9)))
    let run = try await program.succeeds(["import", file, "--dry-run"])
    let lines = run.output.split(separator: "\n")
    let rows = lines.filter { $0.hasPrefix("2024-06") }
    #expect(rows.count == 3 && rows.first?.contains("12,345") == true)
    for line in ["new               2024-06-12", "unchanged         2024-06-13"] {
      #expect(lines.contains { $0 == line }, "\(run.output)")
    }
    #expect(lines.dropFirst().allSatisfy { $0.count <= 80 }, "\(run.output)")
    #expect(
      run.output.contains("3 days: 2 would be published new, 1 unchanged; nothing was written"))
    let document = try await program.succeeds(["import", file, "--dry-run", "--output", "json"])
    let results = try document.results()
    #expect((results.first?["metrics"] as? [String: Any])?["steps"] as? Int == 12345)
    #expect(try contents(of: program.defaultStore) == before)
  }

  @Test func `R19: dates in the future need --allow-future, asked for or not`() async throws {
    let made = "2150-06-20 20:30:00 +0200"
    let file = try program.file("export.xml", export(steps("2150-06-10", 100), exported: made))
    let payload = try program.file(
      "payload.json", stepPayload(#"{"date":"2150-06-10 00:00:00 +0200","qty":5}"#))
    let day = ["--from", "2150-06-10", "--to", "2150-06-10"]
    for command in [["import", file] + day, ["import", file], ["import", payload]] {
      try await program.fails(
        command, as: .dataNotFound, saying: "2150-06-10, which is in the future", "--allow-future")
    }
    #expect(try contents(of: program.defaultStore).isEmpty)
    let both = try program.file(
      "both.xml", export(steps("2024-06-10", 100), steps("2150-06-10", 100), exported: made))
    let range = ["--from", "2024-06-10", "--to", "2150-06-12", "--output", "json"]
    let run = try await program.succeeds(["import", both] + range)
    #expect(try outcomes(run).keys.sorted() == ["2024-06-10"])
    let allowed = try await program.succeeds(
      ["import", file, "--allow-future", "--output", "json"] + day)
    #expect(try outcomes(allowed).keys.sorted() == ["2150-06-10"])
  }

  @Test func `a folder of payloads is one source, and what is not one is reported`() async throws {
    func payload(_ date: String, _ steps: Int) -> String {
      stepPayload(#"{"date":"\#(date) 00:00:00 +0100","qty":\#(steps),"source":"Watch|iPhone"}"#)
    }
    // The second and the tenth export of a day: the later one, as people count, has the last word.
    _ = try program.file("payloads/day 10.json", payload("2026-02-08", 9000))
    _ = try program.file("payloads/day 2.json", payload("2026-02-08", 4000))
    _ = try program.file("payloads/day 11.json", payload("2026-02-10", 500))
    _ = try program.file("payloads/other.json", #"{"hello": "world"}"#)
    _ = try program.file("payloads/read me.txt", "hello")
    _ = try program.file("payloads/.hidden.json", "{")
    let folder = program.home.path + "/payloads"
    try await program.succeeds(
      ["import", folder], saying: "other.json is not a Health Auto Export payload and was left out",
      "read me.txt", printing: "2 days: 2 published")
    #expect(try await program.steps("2026-02-08") == 9000)
    // The 9th is not reported: a payload may just not cover it.
    #expect(try await program.run("get", "2026-02-09").exitCode == 66)
    let put = try await program.succeeds([
      "put", "--date", "all", "--input", folder, "--output", "json",
    ])
    #expect(try outcomes(put) == ["2026-02-08": "unchanged", "2026-02-10": "unchanged"])
  }
}
