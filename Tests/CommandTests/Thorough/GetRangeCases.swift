import Foundation
import TestSupport
import Testing

/// Further ranges, and what is shown of them.
extension GetRangeTests {
  @Test func `dates that are given twice are refused`() async throws {
    let program = try await programWithDays()
    defer { program.removeHome() }
    for more in [["2026-02-07"], ["3d"], ["--from", "2026-02-01"], ["--date", "today"]] {
      let run = try await program.run(["get", "2026-02-08"] + more)
      #expect(run.exitCode == 64 && run.output.isEmpty, "\(run.output)")
    }
  }

  @Test func `the greatest number that a document can have is shown as that number`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    try await program.succeeds(
      ["put", "--input", "-"],
      input: Array(#"{"date":"2026-02-05","metrics":{"steps":1.5e308}}"#.utf8))
    let run = try await program.succeeds(["get", "--from", "2026-02-05", "--to", "2026-02-06"])
    #expect(run.output.contains("1.5e+308") && !run.output.contains("inf"), "\(run.output)")
  }

  @Test func `if the last days have no data, commands name the days that the store has`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    for date in ["2020-05-01", "2020-05-03"] {
      try await program.succeeds(
        ["put", "--input", "-"], input: payload(date, steps: 7))
    }
    for arguments in [["get", "30d"], ["get", "30d", "-o", "json"], ["get", "--summary"]] {
      let run = try await program.succeeds(arguments)
      #expect(run.errors.hasSuffix("; the store has 2020-05-01 to 2020-05-03\n"), "\(run.errors)")
    }
    #expect(try await program.succeeds(["get", "2020-04-30..2020-05-02"]).errors.isEmpty)
    #expect(try await program.succeeds(["get", "2020-05-02..2020-05-02"]).errors.isEmpty)
    let report = try await program.succeeds([
      "report", "--html", program.home.appending(path: "page.html").path,
    ])
    #expect(report.errors == "s3health: no dates given: the page shows 2020-05-01 to 2020-05-03\n")
    #expect(report.output.contains("3 days: 2 with data, 1 missing"), "\(report.output)")
  }

  @Test func `many days whose newest revision is nonsense are one line`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let data = program.defaultStore.appending(path: "health/v0/data/2026/01")
    for day in 10...31 {
      let folder = data.appending(path: "\(day)/revisions")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("{".utf8).write(to: folder.appending(path: "202601\(day)T100000Z-7F3A2C4D.json"))
    }
    let run = try await program.succeeds(["get", "--from", "2026-01-10", "--to", "2026-01-31"])
    let notes = run.errors.split(separator: "\n")
    #expect(notes.count == 1, "\(run.errors)")
    #expect(
      run.errors.hasPrefix("note: 2026-01-10 to 2026-01-31 (22 days): skipped revisions: "),
      "\(run.errors)")
  }

  @Test func `a day shows only the metrics that are asked for, and many metrics fit the window`()
    async throws
  {
    let program = try await programWithDays()
    defer { program.removeHome() }
    let one = try await program.succeeds(["get", "2026-02-08", "--metrics", "steps"]).output
    #expect(one.contains("8,432") && one.split(separator: "\n").count == 2, "\(one)")
    let weighed = #"{"metrics": {"weight_latest": 70.2, "weight_latest_time": 450}}"#
    try await program.succeeds(
      ["put", "--date", "2026-02-09", "--input", "-"], input: Array(weighed.utf8))
    let all = try await program.succeeds(["get", "2026-02", "--metrics", "all"]).output
    let lines = all.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(all)")
    #expect(lines.contains { $0.hasPrefix("steps") && $0.contains("8,432") }, "\(all)")
    #expect(
      lines.contains { $0.hasPrefix("time of latest weight ") && $0.contains("07:30") }, "\(all)")
  }

  @Test(arguments: [
    ["get"], ["verify"], ["report", "--html", "-"], ["export", "csv"], ["export", "openmetrics"],
  ])
  func `--to alone begins with the first day that the store holds`(command: [String]) async throws {
    let program = try await programWithDays()
    defer { program.removeHome() }
    let open = try await program.run(command + ["--to", "2026-02-05"])
    let whole = try await program.run(command + ["--from", "2026-02-03", "--to", "2026-02-05"])
    func lines(_ run: Program.Run) -> [Substring] {
      // A page says to the second when it was made.
      run.output.split(separator: "\n").filter { !$0.contains("Made by") }
    }
    #expect(!open.output.isEmpty)
    #expect(open.exitCode == whole.exitCode, "\(open.errors)")
    if command.first != "report" { #expect(lines(open) == lines(whole), "\(open.output)") }
    if command.last != "openmetrics" { #expect(open.output.contains("2026-02-03")) }
    let none = try await program.run(command + ["--to", "2026-02-01"])
    #expect(none.exitCode == 66)
    #expect(none.errors.contains("no days up to 2026-02-01"))
  }

  @Test func `verify without dates takes all days of the store, up to yesterday, and says so`()
    async throws
  {
    let program = try await programWithDays()
    defer { program.removeHome() }
    let run = try await program.run("verify", "-o", "json")
    let json = try run.json()
    #expect(json["from"] as? String == "2026-02-03")
    let missing = try #require(json["missing_dates"] as? [String])
    let date = try #require(json["to"] as? String)
    #expect(missing.last == date && date > "2026-11-01")
    let words = "no dates given: verifying all days of the store, 2026-02-03 to \(date)"
    #expect(run.errors.contains(words), "\(run.errors)")
    // A day held after yesterday is held, too.
    let tomorrow = "9999-12-30"
    let far = try await program.run("verify", "--from", tomorrow, "--to", tomorrow)
    #expect(far.errors.isEmpty, "dates that were given are not repeated")

    let empty = try Program()
    defer { empty.removeHome() }
    try await empty.fails(["verify"], as: .dataNotFound, saying: "holds no days yet")
  }

  @Test func `report without dates shows the last 366 days at most, from the first held`()
    async throws
  {
    let program = try await programWithDays()
    defer { program.removeHome() }
    let page = program.home.appending(path: "page.html").path
    let run = try await program.succeeds(["report", "--html", page, "-o", "json"])
    let json = try run.json()
    let days = try #require(json["days"] as? Int)
    #expect(days <= 366)
    let first = try #require(json["from"] as? String)
    #expect(first == "2026-02-03" || days == 366, "\(json)")
    #expect(run.errors.contains("the page shows \(first) to "), "\(run.errors)")
  }
}
