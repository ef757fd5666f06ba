import Foundation
import TestSupport
import Testing

/// Further days of the past (R36, R37).
extension HistoryCommandTests {
  @Test func `R36 a moment before the first revision has no data, and a wrong one is refused`()
    async throws
  {
    let (program, store, ids) = try history()
    try await program.fails(
      ["get", "--as-of", "2026-02-08T17:59:59Z"] + store, as: .dataNotFound,
      saying: "had no readable revision at 2026-02-08T17:59:59Z", ids[0], "--history")
    // The end of that day in Berlin is 23:00 UTC of it.
    try await program.succeeds(["get", "--as-of", "2026-02-08"] + store)
    for wrong in ["then", "2026-02-30", "2026-02-08T10:00:00", "all", ""] {
      try await program.refuses(["get", "--as-of", wrong] + store, saying: "not a valid time")
    }
    for other in [["--history"], ["--revision", ids[0]]] {
      try await program.run(
        ["get", "--as-of", "today"] + other + store, ends: 64, saying: "can't be used together")
    }
  }

  @Test func `R37 diff shows why a number is missing, and compares invalid days`() async throws {
    let (program, store, ids) = try history()
    try await program.succeeds(
      ["get", "--diff", "--revision", ids[0], "--revision", ids[2]] + store, saying: "R9",
      printing: "  heart rate variability   - (not authorised) -> 48.25 ms\n",
      "8,000 -> 8,002 steps  (+2)", "+ revision \(ids[2])  made 2026-02-10T06:00:00Z  not valid")
    // The other way round is the other way round.
    try await program.succeeds(
      ["get", "--diff", "--revision", ids[2], "--revision", ids[0]] + store,
      printing: "8,002 steps -> 8,000  (-2)")
  }

  @Test func `R37, R42 diff shows an optional metric in one line, as others`() async throws {
    let program = try Program()
    for metrics in [#"{"steps":7,"weight":80.5}"#, #"{"steps":7,"weight":81,"vo2_max":41}"#] {
      try await program.put(#"{"date":"2026-02-08","metrics":\#(metrics)}"#)
    }
    let lines = try await program.succeeds(["get", "--diff", "2026-02-08"]).output
      .split(separator: "\n").map(String.init)
    #expect(
      lines.dropFirst(3) == [
        "  VO2 max                  nothing -> 41 mL/(kg·min)",
        "  weight                   80.5 kg -> 81 kg  (+0.5)",
      ], "\(lines)")
  }
}

/// Further ranges, and what is shown of them.
extension GetRangeTests {
  @Test func `dates that are given twice are refused`() async throws {
    let program = try await programWithDays()
    for more in [["2026-02-07"], ["3d"], ["--from", "2026-02-01"], ["--date", "today"]] {
      let run = try await program.run(["get", "2026-02-08"] + more)
      #expect(run.exitCode == 64 && run.output.isEmpty, "\(run.output)")
    }
  }

  @Test func `the greatest number that a document can have is shown as that number`() async throws {
    try await program.put(#"{"date":"2026-02-05","metrics":{"steps":1.5e308}}"#)
    let run = try await program.succeeds(["get", "2026-02-05..2026-02-06"])
    #expect(run.output.contains("1.5e+308") && !run.output.contains("inf"), "\(run.output)")
  }

  @Test func `if the last days have no data, commands name the store's days`() async throws {
    for date in ["2020-05-01", "2020-05-03"] {
      try await program.put(payload(date, steps: 7))
    }
    for arguments in [["get", "30d"], ["get", "30d", "-o", "json"], ["get", "--summary"]] {
      let run = try await program.succeeds(arguments)
      #expect(run.errors.hasSuffix("; the store has 2020-05-01 to 2020-05-03\n"))
    }
    #expect(try await program.succeeds(["get", "2020-04-30..2020-05-02"]).errors.isEmpty)
    #expect(try await program.succeeds(["get", "2020-05-02..2020-05-02"]).errors.isEmpty)
    let report = try await program.succeeds([
      "report", "--html", program.home.appending(path: "page.html").path,
    ])
    #expect(report.errors == "note: no dates given: the page shows 2020-05-01 to 2020-05-03\n")
    #expect(report.output.contains("3 days: 2 with data, 1 missing"))
  }

  @Test func `many days whose newest revision is nonsense are one line`() async throws {
    let data = program.defaultStore.appending(path: "health/v0/data/2026/01")
    for day in 10...31 {
      let folder = data.appending(path: "\(day)/revisions")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("{".utf8).write(to: folder.appending(path: "202601\(day)T100000Z-7F3A2C4D.json"))
    }
    let run = try await program.succeeds(["get", "2026-01-10..2026-01-31"])
    let notes = run.errors.split(separator: "\n")
    #expect(notes.count == 1, "\(run.errors)")
    #expect(run.errors.hasPrefix("note: 2026-01-10 to 2026-01-31 (22 days): skipped revisions: "))
  }

  @Test func `a day shows the metrics asked for, and many fit the window`() async throws {
    let program = try await programWithDays()
    let one = try await program.succeeds(["get", "2026-02-08", "--metrics", "steps"]).output
    #expect(one.contains("8,432") && one.split(separator: "\n").count == 2, "\(one)")
    try await program.put(
      #"{"metrics": {"weight_latest": 70.2, "weight_latest_time": 450}}"#, ["--date", "2026-02-09"])
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
    try await program.run(
      command + ["--to", "2026-02-01"], ends: 66, saying: "no days up to 2026-02-01")
  }

  @Test func `verify without dates takes the store's days up to yesterday`() async throws {
    let program = try await programWithDays()
    let run = try await program.run("verify", "-o", "json")
    let json = try run.json()
    #expect(json["from"] as? String == "2026-02-03")
    let missing = try #require(json["missing_dates"] as? [String])
    let date = try #require(json["to"] as? String)
    #expect(missing.last == date && date > "2026-11-01")
    let words = "no dates given: verifying all days of the store, 2026-02-03 to \(date)"
    #expect(run.errors.contains(words))
    // A day held after yesterday is held, too.
    let tomorrow = "9999-12-30"
    let far = try await program.run("verify", "--from", tomorrow, "--to", tomorrow)
    #expect(far.errors.isEmpty, "dates that were given are not repeated")

    let empty = try Program()
    try await empty.fails(["verify"], as: .dataNotFound, saying: "holds no days yet")
  }

  @Test func `report without dates shows 366 days at most, from the first held`() async throws {
    let program = try await programWithDays()
    let page = program.home.appending(path: "page.html").path
    let run = try await program.succeeds(["report", "--html", page, "-o", "json"])
    let json = try run.json()
    let days = try #require(json["days"] as? Int)
    #expect(days <= 366)
    let first = try #require(json["from"] as? String)
    #expect(first == "2026-02-03" || days == 366, "\(json)")
    #expect(run.errors.contains("the page shows \(first) to "))
  }
}

/// What commands say of a store without days, and of dates that a store does not reach.
@Suite(.process) struct HeldDaysTests {
  static let commands = [
    ["get"], ["get", "yesterday"], ["get", "7d"], ["get", "7d", "-o", "json"],
    ["get", "2026-01-02", "--history"], ["get", "--explain"], ["get", "--as-of", "2026-01-02"],
    ["ls"], ["ls", "7d"], ["runs"], ["undo"], ["verify"], ["verify", "30d"],
    ["verify", "2026-01-01..2026-01-05", "--allow-missing"],
    ["get", "--summary"], ["get", "--summary", "30d"], ["report", "--html", "-"],
    ["report", "30d", "--html", "-"], ["export", "csv"],
    ["export", "json", "30d"], ["export", "openmetrics", "30d"], ["get", "--diff"],
    ["get", "--diff", "2026-01-02"],
  ]

  @Test(arguments: commands)
  func `R40: a store without days is one error of all commands`(command: [String]) async throws {
    let program = try Program()
    let run = try await program.run(
      command + ["--store", try program.folder("empty").path], ends: 66)
    #expect(run.errors.hasPrefix("s3health: the store holds no days yet\n"))
    #expect(run.output.isEmpty || run.output.hasPrefix(#"{"error":"#), "\(run.output)")
  }

  @Test func `get without a date shows the newest day, and no mistyped future one`() async throws {
    let program = try Program()
    for (date, steps) in [("2026-02-05", 5), ("2026-02-08", 8), ("2999-01-01", 9)] {
      try await program.succeeds(
        ["put", "--input", "-", "--allow-future"], input: payload(date, steps: steps))
    }
    let shown = try await program.succeeds(["get", "-o", "json"]).json()
    #expect(shown["date"] as? String == "2026-02-08")
    let history = try await program.succeeds(["get", "--history", "-o", "json"]).json()
    #expect(history["date"] as? String == "2026-02-08")
    #expect(try await program.succeeds(["get", "--explain"]).output.contains("2026-02-08"))
    try await program.succeeds(
      ["put", "--date", "today", "--input", "-"],
      input: #"{"metrics":{"steps":12}}"#)
    let today = try await program.succeeds(["get", "-o", "json"]).json()
    #expect((today["metrics"] as? [String: Any])?["steps"] as? Double == 12)
  }

  @Test func `a date without data is told with the days that there are`() async throws {
    let program = try Program()
    for date in ["2026-02-05", "2026-02-08"] {
      try await program.put(payload(date))
    }
    for command in [["get", "yesterday"], ["get", "2026-02-06", "--history"], ["get", "today"]] {
      try await program.run(
        command, ends: 66, saying: "\n  the store has 2026-02-05 to 2026-02-08\n")
    }
  }

  @Test func `R35: the last days begin with the store, unless asked for`() async throws {
    let program = try Program(["S3HEALTH_TIMEZONE": "UTC"])
    func put(_ date: String) async throws {
      try await program.succeeds(
        ["put", "--date", date, "--input", "-"], input: #"{"metrics":{"steps":7}}"#)
    }
    // The first day of a new store is not over.
    try await put("today")
    let verify = ["verify", "30d"]
    try await program.succeeds(verify, printing: "1 day: ")
    try await put("yesterday")
    let quiet = try await program.succeeds(verify + ["--quiet"])
    #expect(quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet.output)\(quiet.errors)")
    let begun = try await program.succeeds(verify, printing: "1 day: 1 complete")
    let from = try #require(
      begun.errors.firstMatch(of: #/the store begins on .*; (\S+\.\.) checks/#))
    let asked = try await program.run("verify", String(from.1))
    #expect(asked.exitCode == 1 && asked.output.contains("29 missing"), "\(asked.output)")
    // A gap after the first day is missing.
    try await put("2026-01-02")
    try await program.run(verify, ends: 1, printing: "29 missing")
  }
}

/// What else a summary shows.
extension SummaryCommandTests {
  @Test func `R33, R41: a damaged day is said to be so, a day not over once`() async throws {
    let program = try Program()
    let zone = ["--timezone", "Pacific/Kiritimati"]
    for date in ["yesterday", "today"] {
      try await program.succeeds(
        ["put", "--date", date, "--input", "-"] + zone,
        input: #"{"metrics":{"steps":500}}"#)
    }
    let store = program.defaultStore
    let names = try FileManager.default.subpathsOfDirectory(atPath: store.path)
    for name in names where name.contains("/revisions/") && name.hasSuffix(".json") {
      let file = store.appending(path: name)
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      try FileManager.default.removeItem(at: file)
      try Data(text.replacing(#""steps":500"#, with: #""steps":501"#).utf8).write(to: file)
    }
    let output = try await program.succeeds(
      ["get", "--summary", "yesterday..today", "--metrics", "steps"] + zone
    ).output
    let notes = output.split(separator: "\n").filter { $0.contains("counted") }
    #expect(notes.count == 2, "\(output)")
    #expect(notes.first?.hasPrefix("not over, not counted: ") == true, "\(output)")
    #expect(notes.last?.hasPrefix("damaged, counted: ") == true, "\(output)")
    #expect(notes.first?.suffix(10) != notes.last?.suffix(10))
  }

  @Test func `a change that is too small to be shown has no sign`() async throws {
    let program = try Program()
    let days = [8: 434.02, 9: 434].map { day, minutes in
      #"{"date":"2026-02-0\#(day)","metrics":{"sleep_asleep_minutes":\#(minutes)}}"#
    }
    try await program.succeeds(
      ["put", "--date", "all", "--input", "-"],
      input: #"{"days":[\#(days.joined(separator: ","))]}"#)
    let output = try await program.succeeds(
      ["get", "--summary", "2026-02-09", "--compare", "--metrics", "sleep_asleep_minutes"]
    ).output
    #expect(output.contains("  0 min") && output.contains("  0 %"), "\(output)")
  }

  @Test func `get and summary show the settings' units, documents stay as they are`() async throws {
    var program = try Program()
    let days = (1...2).map { day in
      #"{"date":"2026-02-0\#(day)","metrics":{"weight":\#(70 + day),"body_temperature":36.\#(day)}}"#
    }
    try await program.succeeds(
      ["put", "--date", "all", "--input", "-"],
      input: #"{"days":[\#(days.joined(separator: ","))]}"#)
    let stored = try await program.succeeds(["get", "2026-02-02", "--output", "json"]).output
    program.environment["S3HEALTH_UNITS"] = "lb, °F"
    let day = try await program.succeeds(["get", "2026-02-02"]).output
    #expect(day.contains("158.7 lb") && day.contains("97.2 °F"))
    let range = try await program.succeeds(
      ["get", "2026-02-01..2026-02-02", "--metrics", "weight"]
    ).output
    #expect(range.contains("weight (lb)") && range.contains("156.5") && range.contains("158.7"))
    let summary = try await program.succeeds(
      ["get", "--summary", "2026-02-02", "--compare", "--metrics", "weight,body_temperature"]
    ).output
    // A change of 1 kg is one of 2.2 lb, and one of 0.1 °C one of 0.2 °F: no zero is added.
    #expect(summary.contains("weight, lb") && summary.contains("+2.2"))
    #expect(summary.contains("body temperature, °F") && summary.contains("+0.2"))
    #expect(try await program.succeeds(["get", "2026-02-02", "--output", "json"]).output == stored)
  }

  @Test func `without dates a summary is of the 28 days up to yesterday`() async throws {
    let program = try await filled()
    let all = try await program.succeeds(["get", "--summary", "--output", "json"]).json()
    let same = try await program.succeeds(["get", "--summary", "28d", "--output", "json"]).json()
    #expect(timeless(all) == timeless(same))
    for (word, options) in [
      ("2026-02-01..2026-02-09", ["--from", "2026-02-01", "--to", "2026-02-09"]),
      ("2026-02-09", ["--from", "2026-02-09", "--to", "2026-02-09"]),
    ] {
      let short = try await program.succeeds(["get", "--summary", word, "--output", "json"]).json()
      let long = try await program.succeeds(["get", "--summary", "--output", "json"] + options)
        .json()
      #expect(timeless(short) == timeless(long), "\(word)")
    }
    for (arguments, words) in [
      (["2020..2026"], "at most 366"), (["--by", "day"], "--by"),
      (["--metrics", "step"], "did you mean 'steps'?"),
      (["--from", "2026-02-09", "--to", "2026-02-08"], "R33"), (["7x"], "7x"),
      (["7d", "--to", "today"], "given twice"),
    ] {
      let run = try await program.run(["get", "--summary"] + arguments)
      #expect(run.exitCode == 64, "\(arguments)")
      #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
    }
  }
}
