import Foundation
import TestSupport
import Testing

/// Further exports that are older than what is stored (R19, R20).
extension OlderDataTests {
  /// A payload of some dates, with an hour's steps and the sleep from 22:00 as far as they reach.
  private func nights(_ first: Int, _ last: Int, steps: Int = 100, wakes hour: Int = 6) -> [UInt8] {
    func moment(_ hours: Int) -> String {
      let (day, hour) = (hours / 24, hours % 24)
      return "2026-02-\(day < 10 ? "0" : "")\(day) \(hour < 10 ? "0" : "")\(hour):00:00 +0100"
    }
    var (walks, sleeps): ([String], [String]) = ([], [])
    for day in first...last {
      walks.append(#"{"date": "\#(moment(day * 24 + 9))", "qty": \#(steps)}"#)
    }
    for night in first...last + 1 {
      for start in (night * 24 - 2)..<(night * 24 + hour)
      where start >= first * 24 && start < (last + 1) * 24 {
        sleeps.append(
          #"{"startDate": "\#(moment(start))", "endDate": "\#(moment(start + 1))", "value": "\#(start % 2 == 0 ? "Core" : "REM")", "source": "Watch"}"#
        )
      }
    }
    return Array(
      #"""
      {"data": {"metrics": [
        {"name": "step_count", "units": "count", "data": [\#(walks.joined(separator: ","))]},
        {"name": "sleep_analysis", "units": "hr", "data": [\#(sleeps.joined(separator: ","))]}]}}
      """#.utf8)
  }

  /// Imports three days, and returns the steps of the last two.
  private func importThreeDays(_ program: Program) async throws -> [String: Int] {
    let days = ["2026-02-05": 5, "2026-02-06": 6]
    let first = try program.file(
      "first.xml",
      export(exported: "2026-02-09 20:00:00", steps: days.merging(["2026-02-04": 4]) { $1 }))
    _ = try await program.succeeds(["import", first])
    return days
  }

  @Test func `R19, R20 a payload from midnight on does not shorten the night`() async throws {
    let program = try Program()
    func put(_ payload: [UInt8], _ options: String...) async throws -> String {
      try await program.succeeds(
        ["put", "--date", "all", "--input", "-", "--timezone", "Europe/Berlin"] + options,
        input: payload
      ).output
    }
    func night(_ date: String) async throws -> [Double?] {
      let metrics = try await program.day(date)["metrics"] as? [String: Any]
      return ["sleep_asleep_minutes", "sleep_rem_minutes"].map { metrics?[$0] as? Double }
    }
    _ = try await put(nights(7, 8))
    #expect(try await night("2026-02-08") == [480, 240])
    // The next day's export has the night from midnight on. All else of it counts.
    let next = try await put(nights(8, 9, steps: 90))
    #expect(next.contains("numbers of this source not shown"))
    #expect(try await night("2026-02-08") == [480, 240])
    #expect(try await program.steps("2026-02-08") == 90)
    // A night inside is corrected.
    _ = try await put(nights(8, 9, steps: 90, wakes: 4))
    #expect(try await night("2026-02-08") == [480, 240])
    #expect(try await night("2026-02-09") == [360, 180])
    // After the last date there is only what was slept before midnight; of one date alone, what was slept after.
    _ = try await put(nights(4, 7))
    #expect(try await night("2026-02-08") == [480, 240])
    _ = try await put(nights(8, 8))
    #expect(try await night("2026-02-08") == [480, 240])
    _ = try await put(nights(8, 9), "--force")
    #expect(try await night("2026-02-08") == [360, 180])
  }

  @Test(arguments: [StoryWay.put, .import, .collect])
  func `R19: what reaches over a payload's first midnight takes nothing from the day before`(
    way: StoryWay
  ) async throws {
    let story = try Story()
    func row(_ from: Int, _ to: Int, _ members: String) -> String {
      #"{"start": "\#(Story.moment(from))", "end": "\#(Story.moment(to))", \#(members)}"#
    }
    func payload(_ walks: String..., sleeps: String..., at hour: Int) -> Telling {
      .payload(
        #"{"name": "step_count", "units": "count", "data": [\#(walks.joined(separator: ","))]}"#,
        #"{"name": "sleep_analysis", "units": "hr", "data": [\#(sleeps.joined(separator: ","))]}"#,
        at: hour, by: way)
    }
    let late = row(23, 25, #""qty": 200"#)
    let overMidnight = row(-1, 1, #""value": "Core""#)
    // The app exports yesterday and today, on two days.
    try await story.tell(
      payload(
        row(9, 10, #""qty": 4000"#), late, sleeps: row(-2, -1, #""value": "REM""#), overMidnight,
        row(1, 6, #""value": "Core""#), at: 25))
    let whole: [String: Double?] = ["steps": 4100, "sleep_asleep_minutes": 480]
    #expect(try await story.numbers(Array(whole.keys)) == whole)
    try await story.tell(
      payload(
        row(9, 10, #""qty": 4000"#), late, row(33, 34, #""qty": 10"#), sleeps: overMidnight,
        row(1, 6, #""value": "Core""#), at: 34))
    #expect(try await story.numbers(Array(whole.keys)) == whole)
    try await story.tell(payload(late, row(33, 34, #""qty": 10"#), sleeps: "", at: 58))
    #expect(try await story.numbers(Array(whole.keys)) == whole)
    #expect(try await story.steps(on: "2026-02-09") == 110)
  }

  @Test(arguments: [
    Telling.night(22..<30),
    """
    {"name": "active_energy", "units": "kcal", "data": [{"start": "\(Story.moment(23))", \
    "end": "\(Story.moment(25))", "qty": 20}]}
    """,
  ])
  func `R19: the night or walk of a later file does not make the day before whole`(
    also: String
  ) async throws {
    let story = try Story()
    try story.file("f/1.json", .payload(Telling.steps([12: 4000]), at: 20, by: .collect))
    try story.file("f/2.json", .payload(Telling.steps([33: 500]), also, at: 34, by: .collect))
    try await story.read(story.program.home.appending(path: "f").path, by: .collect)
    #expect(try await story.run(["get", Story.date]).output.contains("captured at 20:00"))
  }

  @Test func `R19: a number that a newer revision only keeps has its own age`() async throws {
    let program = try Program().asOneCollector()
    let days = try await importThreeDays(program)
    // A weight is entered now. That does not make the steps of the day newer.
    let weight = Array(#"{"date":"2026-02-04","metrics":{"weight":70}}"#.utf8)
    try await program.put(weight)
    let second = try program.file(
      "second.xml", export(exported: "2026-02-10 20:00:00", steps: days))
    try await program.succeeds(
      ["import", second], saying: "the store has 1 day with data that this export does not have")
    _ = try await program.succeeds(["import", second, "--confirm-deletions"])
    #expect(try await program.steps("2026-02-04") == nil)
    let left = try await program.day("2026-02-04")["metrics"] as? [String: Any]
    #expect(left?["weight"] as? Double == 70)
    let again = try await program.succeeds(["import", second, "--confirm-deletions"])
    #expect(!again.errors.contains("the store has"))
  }

  @Test func `R19: a date whose samples give no number is not a day of the export`() async throws {
    let program = try Program().asOneCollector()
    let days = try await importThreeDays(program)
    // The sleep of this evening belongs to the next day.
    let evening = """
      <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" \
      startDate="2026-02-04 22:00:00 +0100" endDate="2026-02-04 23:00:00 +0100" \
      value="HKCategoryValueSleepAnalysisAsleepCore"/>
      </HealthData>
      """
    let text = String(decoding: export(exported: "2026-02-10 20:00:00", steps: days), as: UTF8.self)
    let second = try program.file(
      "second.xml", Array(text.replacing("</HealthData>", with: evening).utf8))
    let run = try await program.succeeds(["import", second])
    #expect(
      run.errors.contains(
        "the store has 1 day with data that this export does not have (2026-02-04; the export has "
          + "data from 2026-02-05 to 2026-02-06)"), "\(run.errors)")
    #expect(try await program.steps("2026-02-04") == 4)
    _ = try await program.succeeds(["import", second, "--confirm-deletions"])
    #expect(try await program.steps("2026-02-04") == nil)
  }

  @Test func `R19: an import of some metrics takes none of the others away`() async throws {
    let program = try Program().asOneCollector()
    let text = String(
      decoding: export(
        exported: "2026-02-20 20:00:00", steps: ["2026-02-01": 100, "2026-02-05": 5]),
      as: UTF8.self)
    // The newest day has a weight alone.
    let weight = """
      <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scale" unit="kg" \
      startDate="2026-02-09 10:00:00 +0100" endDate="2026-02-09 10:00:00 +0100" value="81"/>
      </HealthData>
      """
    let file = try program.file(
      "export.xml", Array(text.replacing("</HealthData>", with: weight).utf8))
    _ = try await program.succeeds(["import", file])
    let run = try await program.succeeds(["import", file, "--metrics", "v0", "--confirm-deletions"])
    #expect(!run.errors.contains("the store has"))
    let day = try await program.day("2026-02-09")
    #expect((day["metrics"] as? [String: Any])?["weight"] as? Double == 81)
  }
}
