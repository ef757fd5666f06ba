import Foundation
import TestSupport
import Testing

/// R20: what one run said is withdrawn as a whole, and nothing is deleted.
@Suite(.server) struct UndoTests {
  /// A store with a home, and exports of two people whose source has one name.
  struct Household {
    let program: Program
    let store: [String]

    init(_ program: Program, _ store: [String]) { (self.program, self.store) = (program, store) }

    static func inFolder() throws -> Household {
      let program = try Program()
      return Household(program, ["--store", try program.folder("store").path])
    }

    static let dates = (2...9).map { "2026-02-0\($0)" }

    /// An export with steps on some days, made on 2026-02-10.
    func export(_ name: String, _ steps: [(String, Int)], hour: Int = 20) throws -> String {
      try program.file(
        name,
        SmallExport.bytes(
          made: "2026-02-10 \(hour < 10 ? "0" : "")\(hour):00:00 +0100",
          steps.map { SmallExport.record("StepCount", $1, from: "\($0) 10:00:00 +0100") }))
    }

    @discardableResult
    func run(_ arguments: [String], input: [UInt8] = []) async throws -> [String: Any] {
      try await program.succeeds(arguments + ["--output", "json"] + store, input: input).json()
    }

    /// Publishes, and returns the run.
    func publish(_ arguments: [String], input: [UInt8] = []) async throws -> String {
      try #require(try await run(arguments, input: input)["run"] as? String)
    }

    /// The steps of each day; nil where it has none.
    func steps() async throws -> [Int?] {
      let range = "\(Self.dates[0])..\(Self.dates[Self.dates.count - 1])"
      let days = try await run(["get", range])["days"] as? [[String: Any]] ?? []
      let found = Dictionary(
        uniqueKeysWithValues: days.map {
          ($0["date"] as? String ?? "", ($0["metrics"] as? [String: Any])?["steps"] as? Int)
        })
      return Self.dates.map { found[$0] ?? nil }
    }

    func runs() async throws -> [[String: Any]] {
      try await run(["runs", "--since", "all"])["runs"] as? [[String: Any]] ?? []
    }

    func verify() async throws {
      try await program.succeeds(
        ["verify", "--from", Self.dates[0], "--to", Self.dates[7], "--deep", "--allow-missing"]
          + store)
    }
  }

  /// The partner's export, imported by mistake, and then all that a person may do.
  func story(_ house: Household) async throws {
    let mine = try house.export("mine.xml", Household.dates.prefix(5).map { ($0, 8000) }, hour: 19)
    let his = try house.export("his.xml", Household.dates.suffix(6).map { ($0, 5000) })
    let own = [Int?](repeating: 8000, count: 5) + [nil, nil, nil]
    let both = [Int?](repeating: 8000, count: 2) + [Int?](repeating: 5000, count: 6)
    let first = try await house.publish(["import", mine])
    #expect(try await house.steps() == own)
    let mistake = try await house.publish(["import", his])
    #expect(try await house.steps() == both)
    let listed = try await house.runs()
    #expect(listed.map { $0["run"] as? String } == [mistake, first])
    #expect(listed.map { $0["days"] as? Int } == [6, 5])
    #expect(listed.first?["sources"] as? [String] == ["apple_health_export"])

    try await house.program.run(["undo"] + house.store, ends: 64, saying: "--yes")
    try await house.program.succeeds(
      ["undo", "--dry-run"] + house.store, printing: "steps 5,000 -> 8,000", "a day without data")
    #expect(try await house.steps() == both)
    let before = try await house.program.revisions(Household.dates[3], house.store)
    #expect(try await house.run(["undo", "--yes"])["run"] as? String == mistake)
    #expect(try await house.steps() == own)
    try await house.program.succeeds(
      ["verify", "\(Household.dates[0])..\(Household.dates[7])"] + house.store,
      printing: "8 days: 5 complete, 3 without a number")
    #expect(try await house.program.revisions(Household.dates[3], house.store) == before + 1)
    #expect(try await house.runs().first?["undone_days"] as? Int == 6)
    // The same again changes nothing, nor does the same export, and that is said. The run before is not undone
    // because somebody asks twice.
    try await house.run(["undo", mistake, "--yes"])
    try await house.program.run(
      ["undo", "--yes"] + house.store, ends: 66, saying: "\(mistake), is undone already")
    try await house.program.run(
      ["import", his] + house.store, ends: 0,
      saying: "run \(mistake) said of 6 days is not shown", "\(mistake) --restore")
    #expect(try await house.steps() == own)
    #expect(try await house.program.revisions(Household.dates[3], house.store) == before + 1)
    // Older data that comes later counts as if the run had not been.
    let older = try house.export("older.xml", [(Household.dates[6], 700)], hour: 10)
    try await house.run(["import", older])
    #expect(try await house.steps()[6] == 700)
    // The undo is undone, and done again.
    try await house.run(["undo", "--restore", "--yes"])
    #expect(try await house.steps() == both)
    try await house.run(["undo", mistake, "--yes"])
    #expect(try await house.steps() == own.enumerated().map { $0.offset == 6 ? 700 : $0.element })
    try await house.run(["import", his, "--force"])
    #expect(try await house.steps() == both)
    try await house.verify()
  }

  @Test func `R20 a run is undone, restored and undone again in a folder`() async throws {
    let house = try Household.inFolder()
    try await story(house)
  }

  @Test func `R20 an undo that was killed goes on where it ended`() async throws {
    let server = try HostileStore()
    let house = Household(try Program().onHostile(), server.store("honest"))
    let his = try house.export("his.xml", Household.dates.map { ($0, 5000) })
    let mistake = try await house.publish(["import", his])
    let killed = try house.program.interrupted(
      by: server, at: "PUT", "2026/02/04/latest.json", with: "SIGKILL")
    _ = try await killed.run(["undo", mistake, "--yes"] + house.store)
    let undone = try #require(try await house.runs().first?["undone_days"] as? Int)
    #expect(undone < 8)
    try await house.run(["undo", "--yes"])
    #expect(try await house.steps() == [Int?](repeating: nil, count: 8))
    #expect(try await house.runs().map { $0["undone_days"] as? Int } == [8])
    #expect(try await house.program.revisions(Household.dates[0], house.store) == 2)
    try await house.verify()
  }

  @Test func `another person's data is doubted when it is imported (R19)`() async throws {
    let house = try Household.inFolder()
    let mine = try house.export("mine.xml", Household.dates.map { ($0, 8000) }, hour: 18)
    let his = try house.export(
      "his.xml", Household.dates.enumerated().map { ($1, 5000 + $0) }, hour: 19)
    let more = try house.export(
      "more.xml", Household.dates.enumerated().map { ($1, $0 < 2 ? 8100 : 8000) })
    try await house.program.succeeds(["import", mine] + house.store)
    let usual = try await house.program.succeeds(["import", more] + house.store)
    #expect(!usual.errors.contains("another person"))
    try await house.program.succeeds(
      ["import", his, "--force"] + house.store, saying: "another person's data", "s3health undo")
    try await house.program.succeeds(
      ["get", Household.dates[0], "--explain"] + house.store, printing: ", run ")
  }

  /// An undone payload, then a later one, another zone, and the undo taken back.
  func rawDataStays(undone way: StoryWay) async throws {
    let story = try Story()
    try await story.tell(.payload(Telling.steps([9: 100]), at: 32, by: way))
    // 23:00 in Berlin is on the next date in Singapore.
    try await story.tell(.payload(Telling.steps([10: 5000, 23: 600]), at: 33, by: way))
    #expect(try await story.steps() == 5700)
    let runs = try #require(
      try await story.run(["runs", "--since", "all", "-o", "json"]).json()["runs"]
        as? [[String: Any]])
    let last = try #require(runs.first?["run"] as? String)
    try await story.program.succeeds(
      ["undo", last, "--yes"] + story.store, saying: "the raw data of the run counts no more",
      printing: "is undone on 1 day")
    #expect(try await story.steps() == 100)
    try await story.tell(.payload(Telling.steps([11: 7]), at: 34, by: way))
    #expect(try await story.steps() == 107)
    try await story.run(["raw", "zones", "Asia/Singapore"])
    #expect(try await story.steps() == 107)
    #expect(try await story.steps(on: "2026-02-09") == nil)
    #expect(try await story.findings() == [])
    try await story.run(["undo", last, "--restore", "--yes"])
    try await story.derive()
    #expect(try await story.steps() == 5107)
    #expect(try await story.steps(on: "2026-02-09") == 600)
  }

  @Test func `R43, R49 what was uploaded in an undone run stays away, whatever comes after it`()
    async throws
  {
    try await rawDataStays(undone: .queue)
  }

  @Test func `R20 an import that another run has done already names it`()
    async throws
  {
    let house = try Household.inFolder()
    let mine = try house.export("mine.xml", Household.dates.map { ($0, 8000) })
    let first = try await house.publish(["import", mine])
    try await house.program.succeeds(
      ["import", mine] + house.store, saying: "run \(first) has said the same of 8 days",
      "\(first) takes it away for both")
    // An import in two halves, each by another run.
    let more = try house.export(
      "more.xml", Household.dates.map { ($0, $0 == Household.dates[0] ? 8100 : 8000) }, hour: 21)
    try await house.program.succeeds(["import", more, "--to", Household.dates[3]] + house.store)
    let both = try await house.program.succeeds(["import", more] + house.store)
    #expect(both.errors.contains("has said the same of"), "\(both.errors)")
  }

  @Test func `another person's data is doubted whoever's came first, and in another zone (R19)`()
    async throws
  {
    func people() throws -> (Household, mine: String, his: String) {
      let house = try Household.inFolder()
      func export(_ name: String, _ hour: Int, _ base: Double) throws -> String {
        try house.program.file(
          name,
          SmallExport.bytes(
            made: "2026-02-10 \(hour):00:00 +0100",
            Household.dates.enumerated().flatMap { place, date in
              [
                SmallExport.record(
                  "StepCount", Int(base) * 100 + place, from: "\(date) 12:00:00 +0100"),
                SmallExport.record(
                  "BodyMass", base + Double(place) / 10, unit: "kg", from: "\(date) 12:00:00 +0100"),
              ]
            }))
      }
      return (house, try export("mine.xml", 18, 81), try export("his.xml", 19, 70))
    }
    // One's own is the older one, and is not shown: that is the harm.
    let (first, mine, his) = try people()
    let theirs = try await first.publish(["import", his])
    try await first.program.succeeds(
      ["import", mine] + first.store, saying: "another person's data",
      "if that was, s3health undo", "\(theirs) withdraws that")
    // His zone is another one, so no sum can be compared.
    let abroad = ["--timezone", "America/New_York"]
    let (second, own, other) = try people()
    try await second.program.succeeds(["import", own] + second.store)
    try await second.program.succeeds(
      ["import", other] + abroad + second.store, saying: "another person's data")
    // One's own data in another zone is one's own.
    let (third, same, _) = try people()
    try await third.program.succeeds(["import", same] + third.store)
    let corrected = try await third.program.succeeds(["import", same] + abroad + third.store)
    #expect(!corrected.errors.contains("another person"), "\(corrected.errors)")
  }

  @Test func `another person's data is doubted where only other sources have spoken (R19)`()
    async throws
  {
    func doubts(_ beats: [Int]) async throws -> Bool {
      let house = try Household.inFolder()
      let days = Household.dates.map {
        #"{"date":"\#($0)","metrics":{"resting_hr_avg":50,"hrv_sdnn_avg":60,"steps":9000}}"#
      }
      let input = Array(#"{"days":[\#(days.joined(separator: ","))]}"#.utf8)
      try await house.run(["put", "--date", "all", "--input", "-"], input: input)
      let export = try house.program.file(
        "export.xml",
        SmallExport.bytes(
          made: "2026-02-10 20:00:00 +0100",
          Household.dates.enumerated().flatMap { place, date in
            [
              SmallExport.record("StepCount", 3000, from: "\(date) 10:00:00 +0100"),
              SmallExport.record(
                "RestingHeartRate", Double(beats[place % beats.count]), unit: "count/min",
                from: "\(date) 10:00:00 +0100"),
              SmallExport.record(
                "HeartRateVariabilitySDNN", Double(beats[place % beats.count] + 10), unit: "ms",
                from: "\(date) 10:00:00 +0100"),
            ]
          }))
      return try await house.program.succeeds(["import", export] + house.store).errors
        .contains("far from those of other sources: if this is another person's data")
    }
    // One's own second source differs a little, on some days much, and sums up otherwise.
    #expect(try await !doubts([50, 51, 49, 52, 50, 60]))
    #expect(try await doubts([62, 66, 50, 59, 70, 44]))
  }

  @Test func `R20, R64 the command that is printed undoes the run of a person in a given store`()
    async throws
  {
    let house = try Household.inFolder()
    let given = house.store + ["--person", "ann"]
    func printed(_ pattern: Regex<(Substring, Substring)>, in text: String) throws -> [String] {
      try #require(text.firstMatch(of: pattern)).1.split(separator: " ").map(String.init)
    }
    let his = try house.export("his.xml", Household.dates.map { ($0, 5000) })
    let run = try await house.program.succeeds(
      ["import", his] + given, saying: "note: ann is new in this store")
    let undo = try printed(#/s3health (undo .*) withdraws it/#, in: run.errors)
    try await house.program.run(["undo"] + house.store, ends: 66, saying: "it holds people")
    try await house.program.run(
      ["runs", "--person", "anna"] + house.store, ends: 66, saying: "unknown person anna")
    let undone = try await house.program.succeeds(undo + ["--yes"])
    #expect(!undone.errors.contains("because this source has none"), "\(undone.errors)")
    // What is left is no news, and says what became of it.
    let left = try await house.program.succeeds(["get"] + given, printing: "(no data)")
    let back = try printed(#/s3health (undo .*) brings it back/#, in: left.errors)
    #expect(back.contains("--restore"))
    try await house.program.run(
      ["status"] + given, ends: 1, printing: "it has no number, and the last day with one is")
    let restored = try await house.program.succeeds(back + ["--yes"])
    let again = try printed(#/; s3health (undo .*) takes that back/#, in: restored.output)
    try await house.program.succeeds(["get", Household.dates[0]] + given, printing: "5,000")
    try await house.program.succeeds(again + ["--yes"], printing: "is undone on 8 days")
  }

  @Test func `the runs that are printed are those of runs and undo (R20)`() async throws {
    let house = try Household.inFolder()
    let input = Array(#"{"date": "2026-02-08", "metrics": {"steps": 7}}"#.utf8)
    let put = try await house.program.put(input, house.store)
    let said = try #require(put.errors.firstMatch(of: #/s3health undo .*([a-z0-9]{11}) withdraws/#))
      .1
    let listed = try await house.program.succeeds(["runs"] + house.store).output
    #expect(listed.hasPrefix(said) && listed.contains("metrics_json"), "\(listed)")
    let again = try await house.run(["put", "--input", "-"], input: input)
    #expect(again["run"] is NSNull)
    for wrong in [["undo", "No Run"], ["undo", "aaaaaaaaaaa"]] {
      let run = try await house.program.run(wrong + house.store)
      #expect(run.exitCode == (wrong[1] == "No Run" ? 64 : 66), "\(run.errors)")
    }
  }
}
