import Foundation
import TestSupport
import Testing

/// `get` of several days, and the dates that commands take where none are given.
@Suite(.process) struct GetRangeTests {
  let program: Program

  init() throws { program = try Program() }

  func programWithDays() async throws -> Program {
    for (date, steps) in [("2026-02-03", 3), ("2026-02-04", 4), ("2026-02-08", 8432)] {
      try await program.put(payload(date, steps: steps))
    }
    let folder = try program.folder(
      ".local/share/s3health/store/health/v0/data/2026/02/07/revisions")
    try Data("{}".utf8).write(to: folder.appending(path: "20260208T100000Z-7F3A2C4D.json"))
    return program
  }

  @Test func `R10: a day with a revision and no number does not count as data`() async throws {
    let program = try await programWithDays()
    try await program.put(#"{"date":"2026-02-05","metrics":{"steps":null}}"#)
    let run = try await program.succeeds(["get", "2026-02-03..2026-02-06"])
    #expect(run.output.hasSuffix("\n4 days: 2 with data, 1 without a number, 1 missing\n"))
  }

  @Test func `a range is a table, and one document with every date accounted for`() async throws {
    let program = try await programWithDays()
    let range = ["get", "2026-02-01..2026-02-08"]
    let text = try await program.succeeds(range)
    let lines = text.output.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(text.output)")
    #expect(lines[1] == "2026-02-01 to 2026-02-02 (2 days)  missing", "\(text.output)")
    #expect(lines[2].hasPrefix("2026-02-03       3        -"))
    #expect(lines[4] == "2026-02-05 to 2026-02-06 (2 days)  missing")
    #expect(lines[5] == "2026-02-07  no readable revision")
    #expect(lines[6].hasPrefix("2026-02-08   8,432"))
    #expect(lines.last == "8 days: 3 with data, 4 missing, 1 without a readable revision")
    #expect(text.errors.contains("2026-02-07: skipped revision 20260208T100000Z-7F3A2C4D"))
    let quiet = try await program.succeeds(range + ["--quiet"])
    #expect(quiet.errors.isEmpty && quiet.output == text.output)

    let json = try await program.succeeds(range + ["-o", "json"]).json()
    let days = try #require(json["days"] as? [[String: Any]])
    #expect(
      days.compactMap { $0["date"] as? String } == ["2026-02-03", "2026-02-04", "2026-02-08"])
    let single = try await program.succeeds(["get", "2026-02-08", "-o", "json"]).json()
    #expect(NSDictionary(dictionary: try #require(days.last)) == NSDictionary(dictionary: single))
    #expect(
      json["missing_dates"] as? [String]
        == ["2026-02-01", "2026-02-02", "2026-02-05", "2026-02-06"])
    #expect(json["invalid_dates"] as? [String] == ["2026-02-07"])
  }

  @Test func `R41 a range names days that do not conform, and the same words once`() async throws {
    let program = try await programWithDays()
    let data = program.defaultStore.appending(path: "health/v0/data/2026/02")
    for day in ["03", "04", "08"] {
      let folder = data.appending(path: day + "/revisions")
      let name = try #require(try contents(of: folder).keys.first)
      let file = folder.appending(path: name)
      let text = try String(contentsOf: file, encoding: .utf8)
      try Data(text.replacing(#""steps":"count""#, with: #""steps":"steps""#).utf8).write(to: file)
    }
    let range = ["get", "2026-02-03..2026-02-08"]
    for format in ["text", "json"] {
      let run = try await program.succeeds(
        range + ["-o", format],
        saying:
          "note: 2026-02-03 to 2026-02-04, 2026-02-08 (3 days): revisions that do not conform: ")
      #expect(run.errors.components(separatedBy: "[R9]").count == 2)
      #expect(run.errors.contains("note: 2026-02-07: skipped revision "))
      #expect(try await program.succeeds(range + ["-o", format, "-q"]).errors.isEmpty)
    }
    // One day is named with its revision, in the words that a single date has.
    let one = try await program.succeeds(["get", "2026-02-03..2026-02-03"])
    let single = try await program.succeeds(["get", "2026-02-03"])
    #expect(single.errors.hasPrefix("note: revision "))
    #expect(one.errors == single.errors.replacing("note: ", with: "note: 2026-02-03: "))
  }

  @Test func `the last days are those that are over, and today where it is shown`() async throws {
    var program = try await programWithDays()
    program.environment["S3HEALTH_TIMEZONE"] = "UTC"
    func extent(_ command: String...) async throws -> [String?] {
      let json = try await program.run(command + ["-o", "json"]).json()
      return ["from", "to", "start_date", "end_date"].compactMap { json[$0] }.map { $0 as? String }
    }
    for command in [["get", "30d"], ["ls", "30d"], ["report", "30d", "--html", "p.html"]] {
      var here = program
      here.workingDirectory = program.home.path
      let json = try await here.run(command + ["-o", "json"]).json()
      #expect(json["from"] as? String == date(30) && json["to"] as? String == date(0), "\(json)")
    }
    #expect(try await extent("get", "30d", "--summary") == [date(30), date(1)])
    let text = try await program.succeeds(["get", "30d"]).output
    #expect(text.contains("the last 30 days that are over, and today\n"))
    let weeks = try await program.succeeds(["get", "60w", "-o", "json"]).json()
    // More than 366 dates, which is what was asked for.
    let (missing, days) = (weeks["missing_dates"] as? [String], weeks["days"] as? [Any])
    #expect((missing?.count ?? 0) + (days?.count ?? 0) + 1 >= 420)
    for wrong in ["0d", "d", "3m", "999999999d", "3 d", "2026-13", "26", "-3d"] {
      #expect(try await program.run("get", "--", wrong).exitCode == 64, "\(wrong)")
    }
  }

  @Test(arguments: [
    ("2026-02", ["2026-02-07", "2026-02-08"]), ("2026-02-08..", ["2026-02-08", "2026-03-01"]),
    ("..2026-02-07", ["2026-02-07"]), ("2026-02-08", ["2026-02-08"]),
    ("2026-02-08..2026-03", ["2026-02-08", "2026-03-01"]),
    ("all", ["2026-02-07", "2026-02-08", "2026-03-01"]),
  ])
  func `put, import and runs take the same words for days`(
    dates: String, expected: [String]
  ) async throws {
    let program = try Program()
    let rows = ["2026-02-07", "2026-02-08", "2026-03-01"].map {
      #"{"date":"\#($0) 10:00:00 +0100","qty":100}"#
    }
    let file = try program.file("rows.json", stepPayload(rows.joined(separator: ",")))
    for command in [["put", "--input", file], ["import", file]] {
      let run = try await program.succeeds(command + ["--date", dates, "--dry-run", "-o", "json"])
      #expect(try run.results().compactMap { $0["date"] as? String } == expected, "\(run.output)")
    }
    try await program.succeeds(["put", "--date", dates, file])
    let runs = try await program.succeeds(["runs", "--since", dates, "-o", "json"])
    #expect((try runs.json()["runs"] as? [Any])?.count == 1)
    #expect(try await program.succeeds(["runs"]).output != "")
  }

  @Test func `a month, a year and all are ranges like others`() async throws {
    let program = try await programWithDays()
    func days(_ word: String) async throws -> String {
      let json = try await program.succeeds(["get", word, "-o", "json"]).json()
      let count = (json["days"] as? [Any])?.count ?? 0
      return "\(json["from"] ?? "") to \(json["to"] ?? ""): \(count)"
    }
    #expect(try await days("2026-02") == "2026-02-01 to 2026-02-28: 3")
    #expect(try await days("2024-02") == "2024-02-01 to 2024-02-29: 0")
    #expect(try await days("2025") == "2025-01-01 to 2025-12-31: 0")
    #expect(try await days("all") == "2026-02-03 to 2026-02-08: 3")
    #expect(try await days("2025-12..2026-02") == "2025-12-01 to 2026-02-28: 3")
    #expect(try await days("2026-02-04..2026-02") == "2026-02-04 to 2026-02-28: 2")
    #expect(try await days("2026-01..2026-02-03") == "2026-01-01 to 2026-02-03: 1")
    let verified = try await program.run("verify", "2026-02", "-o", "json").json()
    #expect(verified["to"] as? String == "2026-02-28" && verified["ok_days"] as? Int == 3)
    #expect(try await program.run("verify", "all").exitCode == 1)
    for command in [["export", "csv", "2026-02"], ["export", "csv", "all"]] {
      #expect(try await program.succeeds(command).output.split(separator: "\n").count == 4)
    }
    #expect(try await program.succeeds(["get", "--summary", "all"]).output.contains("6 days"))
    let years = try await program.succeeds(["get", "--summary", "800d"]).output
    #expect(years.contains("(800 days)"), "\(years)")
  }

  @Test func `a day that is not over says so, and its numbers are those so far`() async throws {
    for (date, steps) in [("yesterday", 9000), ("today", 400)] {
      try await program.succeeds(
        ["put", "--date", date, "--input", "-", "--timezone", "Pacific/Kiritimati"],
        input: #"{"metrics":{"steps":\#(steps),"sleep_asleep_minutes":415.8}}"#)
    }
    let zone = ["--timezone", "Pacific/Kiritimati"]
    let today = try await program.succeeds(["get", "today"] + zone).output
    #expect(today.contains("so far: the day is not over"))
    #expect(today.contains(" 6 h 56 min\n"))
    let before = try await program.succeeds(["get", "yesterday"] + zone).output
    #expect(!before.contains("so far"))
    let table = try await program.succeeds(["get", "1d"] + zone).output
      .split(separator: "\n").map(String.init)
    #expect(table.allSatisfy { $0.count <= 80 }, "\(table)")
    #expect(table[0].hasSuffix("the last day that is over, and today"))
    #expect(!table[2].hasSuffix("*"))
    #expect(table[3].hasSuffix("*"))
    #expect(table.last == "* the day is not over: its numbers so far")
    let json = try await program.succeeds(["get", "1d", "-o", "json"] + zone).json()
    let notOver = json["days_not_over"] as? [String]
    #expect(notOver?.count == 1)
    let rows = try await program.succeeds(
      ["export", "csv", "--metrics", "steps", "1d"] + zone
    ).output.split(separator: "\n")
    #expect(rows[0] == "date,timezone,steps,day_over,partial")
    #expect(rows[1].hasSuffix(",9000,true,"))
    #expect(rows[2].hasSuffix(",400,false,steps"))
    let lines = try await program.succeeds(["export", "json", "1d"] + zone).output
      .split(separator: "\n")
    #expect(lines[0].contains(#""day_over":true"#))
    #expect(lines[1].contains(#""day_over":false"#))
    try await program.succeeds(
      ["verify", "--from", "yesterday", "--to", "today"] + zone,
      printing: "2 days: 1 complete, 1 so far (not over)")
  }

  @Test func `a day whose data was captured before it was over says so`() async throws {
    for (date, captured) in [("2026-02-08", "08T11:00:00Z"), ("2026-02-07", "08T00:00:00Z")] {
      let document =
        #"{"captured_at":"2026-02-\#(captured)","metrics":{"steps":20},"timezone":"Etc/UTC"}"#
      try await program.succeeds(["put", "--date", date, "--input", "-"], input: document)
    }
    let half = try await program.succeeds(["get", "2026-02-08"]).output
    #expect(half.contains("  captured at 11:00, of a part of the day\n"))
    let whole = try await program.succeeds(["get", "2026-02-07"]).output
    #expect(!whole.contains("captured"))
    let both = "2026-02-07..2026-02-08"
    let table = try await program.succeeds(["get", both]).output
    let row = "\n            captured at 11:00\n"
    #expect(table.components(separatedBy: row).count == 2)
    let dates = try await program.succeeds(["get", both, "-o", "json"]).json()["partial_dates"]
    #expect(dates as? [String: String] == ["2026-02-08": "2026-02-08T11:00:00+00:00"])
    let summary = try await program.succeeds(["get", "--summary", both, "--metrics", "steps"])
      .output
    #expect(summary.contains("of a part of the day, not counted: 2026-02-08 captured at 11:00\n"))
    #expect(summary.contains("steps      1    20      20     20    20\n"))
    let verified = try await program.succeeds(["verify", "2026-02-07..2026-02-08"]).output
    #expect(verified.hasSuffix("2 days: 1 complete, 1 partial, 1 note\n"))
    #expect(verified.contains("partial [R33]: captured at 11:00"))
    try await program.succeeds(
      ["export", "csv", "--metrics", "steps"],
      saying: "2026-02-08: captured at 11:00, of a part of the day")
    // A payload does not say when it was made, but it was before its file was written.
    let rows =
      #"{"date":"2026-02-05 00:00:00 +0000","qty":9},{"date":"2026-02-06 00:00:00 +0000","qty":9}"#
    let file = try program.file("in/a.json", stepPayload(rows))
    let evening = try #require(ISO8601DateFormatter().date(from: "2026-02-06T20:00:00Z"))
    try setModified(file, evening)
    try await program.succeeds(["import", file, "--timezone", "Etc/UTC"])
    let posted = try await program.succeeds(["get", "2026-02-06"]).output
    #expect(posted.contains("  captured at 20:00, of a part of the day\n"))
    let before = try await program.succeeds(["get", "2026-02-05"]).output
    #expect(!before.contains("captured"))
  }
}
