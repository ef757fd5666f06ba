import Foundation
import TestSupport
import Testing

/// Further sources of an import, and how its days are chosen.
extension ImportCommandTests {
  @Test func `put --input publishes one date, and says which there are`() async throws {
    let file = try program.file(
      "export.xml", export(steps("2024-06-12", 100), steps("2024-06-14", 300)))
    let run = try await program.succeeds([
      "put", "--date", "2024-06-13", "--input", file, "--output", "json",
    ])
    #expect(try outcomes(run) == ["2024-06-13": "published"], "a day between others has no data")
    try await program.refuses(
      ["put", "--input", file],
      saying: "holds 3 days, 2024-06-12 to 2024-06-14", "--date all")
    try await program.fails(
      ["put", "--date", "2024-06-11", "--input", file], as: .dataNotFound,
      saying: "2024-06-12 to 2024-06-14")
    let all = try await program.succeeds([
      "put", "--date", "all", "--input", file, "--output", "json",
    ])
    #expect(
      try outcomes(all) == [
        "2024-06-12": "published", "2024-06-13": "unchanged", "2024-06-14": "published",
      ])
  }

  @Test func `only the dates asked for are published`() async throws {
    let dates = (10...14).map { "2024-06-\($0)" }
    let records = dates.map { steps($0, 100) }.joined(separator: "\n")
    let file = try program.file("export.xml", export(records))
    let some = try await program.succeeds([
      "import", file, "--date", "2024-06-12..2024-06-13", "--output", "json",
    ])
    #expect(try outcomes(some) == ["2024-06-12": "published", "2024-06-13": "published"])
    let from = try await program.succeeds([
      "import", file, "--from", "2024-06-13", "--output", "json",
    ])
    #expect(try outcomes(from) == ["2024-06-13": "unchanged", "2024-06-14": "published"])
    try await program.fails(
      ["import", file, "--date", "2020"], as: .dataNotFound,
      saying: file)
  }

  @Test func `an export comes through a pipe as XML, as a zip from a file alone`() async throws {
    let program = try Program().withoutZone()
    let generated = try await GeneratedExport(program, ["--days", "3"])
    let xml = Array(try Data(contentsOf: URL(filePath: generated.xml)))
    // A real pipe: nothing can be read twice.
    let run = try await program.inShell("cat | \"$@\"").succeeds(
      ["import", "-", "--output", "json"], input: xml)
    #expect(Set(try outcomes(run).values) == ["published"])
    #expect(try run.json()["source"] as? String == "stdin")
    let zip = "cat '\(generated.zip)'"
    try await program.inShell("\(zip) | \"$@\"").refuses(
      ["import", "-"], saying: "a zip can't be read from a pipe",
      "save it in a file")
    let file = try await program.inShell("\"$@\" <'\(generated.zip)'").succeeds(
      ["import", "-", "--output", "json"])
    #expect(Set(try outcomes(file).values) == ["unchanged"])
  }

  @Test func `what a shell pipes is read from stdin, and a pipe with a name is not`() async throws {
    let records = (10...14).map { steps("2024-06-\($0)", 100) }.joined(separator: "\n")
    let source = try program.file("export.xml", export(records))
    let example = ProjectTree.root.appending(path: "Examples/payloads/health-auto-export.json")
    for (file, count) in [(source, 5), (example.path, 3)] {
      let run = try await program.inShell("cat '\(file)' | \"$@\" /dev/stdin").succeeds(
        ["import", "--dry-run", "--output", "json"])
      #expect(try outcomes(run).count == count, "\(run.output)")
    }
    try await program.inShell("rm -f \"$HOME/pipe\"; mkfifo \"$HOME/pipe\"; \"$@\" \"$HOME/pipe\"")
      .refuses(["import"], saying: "is not a file", "give -")
    let put = try await program.inShell("cat '\(source)' | \"$@\" /dev/stdin").succeeds(
      ["put", "--date", "2024-06-12", "--input"])
    #expect(put.output.hasPrefix("published"))
    let standardInput = try await program.inShell("cat '\(source)' | \"$@\"").succeeds(
      ["put", "--date", "2024-06-12", "--input", "-"])
    #expect(standardInput.output.hasPrefix("unchanged"))
  }

  @Test func `an export of its own day alone says how that day is had`() async throws {
    let file = try program.file("export.xml", export(steps("2024-06-15", 50)))
    try await program.fails(
      ["import", file], as: .dataNotFound, saying: "2024-06-15, the day of the export",
      "--date ..2024-06-15")
    let asked = try await program.succeeds(["import", file, "--to", "2024-06-15", "-o", "json"])
    #expect(try outcomes(asked) == ["2024-06-15": "published"])
  }

  @Test func `put takes several payloads, in the order given`() async throws {
    func payload(_ steps: Int) -> String {
      stepPayload(#"{"date":"2026-02-08 10:00:00 +0100","qty":\#(steps),"source":"Watch"}"#)
    }
    let noon = try program.file("noon.json", payload(300))
    let night = try program.file("night.json", payload(700))
    try await program.succeeds(["put", "--input", noon, "--input", night])
    #expect(try await program.steps("2026-02-08") == 700)
    let other = try Program()
    try await other.succeeds(["put", "--input", night, "--input", noon])
    #expect(try await other.steps("2026-02-08") == 300)
  }
}

/// What `--explain` and the progress of an import show.
@Suite(.process) struct ImportExplainTests {
  /// A watch and a phone that saw the same walk, the record of a third app twice, and Apple's sums.
  private let export = Array(
    """
    <HealthData locale="en_FR">
     <ExportDate value="2024-06-15 20:30:00 +0200"/>
     <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Ann's Watch" \
    device="&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, hardware:Watch6,2&gt;" unit="count" \
    startDate="2024-06-10 10:00:00 +0200" endDate="2024-06-10 10:10:00 +0200" value="1000"/>
     <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Ann's iPhone" \
    device="&lt;&lt;HKDevice: 0x2&gt;, name:iPhone, hardware:iPhone14,5&gt;" unit="count" \
    startDate="2024-06-10 10:05:00 +0200" endDate="2024-06-10 10:15:00 +0200" value="600"/>
     <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Ann's iPhone" \
    device="&lt;&lt;HKDevice: 0x3&gt;, name:iPhone, hardware:iPhone14,5&gt;" unit="count" \
    startDate="2024-06-10 10:05:00 +0200" endDate="2024-06-10 10:15:00 +0200" value="600"/>
     <Record type="HKQuantityTypeIdentifierActiveEnergyBurned" sourceName="Ann's Watch" \
    unit="kcal" startDate="2024-06-10 10:00:00 +0200" endDate="2024-06-10 10:10:00 +0200" \
    value="500"/>
     <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="\u{7}Bed\u{200B}" \
    startDate="2024-06-09 23:00:00 +0200" endDate="2024-06-10 06:00:00 +0200" \
    value="HKCategoryValueSleepAnalysisInBed"/>
     <ActivitySummary dateComponents="2024-06-10" activeEnergyBurned="600" \
    activeEnergyBurnedGoal="500" activeEnergyBurnedUnit="kcal" appleExerciseTime="0" \
    appleStandHours="0"/>
    </HealthData>

    """.utf8)

  @Test func `a day is explained source by source, and nothing is written`() async throws {
    let program = try Program()
    let file = try program.file("export.xml", export)
    let run = try await program.succeeds(["import", file, "--explain", "2024-06-10"])
    // The watch's 1,000, and of the phone's 600 the half that the watch did not see.
    #expect(run.output.contains("steps  1,300"))
    #expect(run.output.contains(#/Ann's Watch \(Watch6,2\) +1 +1,000 +1,000 +-/#))
    #expect(run.output.contains(#/Ann's iPhone \(iPhone14,5\) +1 +600 +300 +50 %/#))
    #expect(run.output.contains("1 left out: the same record again"))
    #expect(
      run.output.contains("500 kcal   Apple's own figure: 600, which differs by more than 2 %"))
    #expect(run.output.contains("2024-06-09 18:00 +02:00 to 2024-06-10 18:00 +02:00"))
    #expect(run.output.contains("in bed  420 min"))
    #expect(run.output.contains("resting heart rate  no data"))
    // A source's name is anybody's: it must not ring the terminal's bell.
    #expect(!run.output.contains("\u{7}"))
    #expect(!FileManager.default.fileExists(atPath: program.defaultStore.path))

    let json = try await program.succeeds(
      ["import", file, "--explain", "2024-06-10", "--output", "json"]
    ).json()
    let metrics = try #require(json["metrics"] as? [[String: Any]])
    let steps = try #require(metrics.first { $0["metric"] as? String == "steps" })
    let sources = try #require(steps["sources"] as? [[String: Any]])
    #expect(sources.map { $0["counted"] as? Double } == [1000, 300])
    #expect(sources.map { $0["covered_seconds"] as? Int } == [0, 300])
    let energy = try #require(metrics.first { $0["metric"] as? String == "active_energy_kcal" })
    #expect(energy["agrees_with_apple"] as? Bool == false)
    #expect(energy["apple"] as? Double == 600)
  }

  @Test func `a source named first counts first, however its name is typed`() async throws {
    let program = try Program()
    let file = try program.file("export.xml", export)
    let run = try await program.succeeds([
      "import", file, "--source-priority", "ann\u{2019}s iphone", "--dry-run", "--output", "json",
    ])
    let results = try run.results()
    // The phone's 600, and half of the watch's 1,000.
    #expect((results.first?["metrics"] as? [String: Any])?["steps"] as? Int == 1100)
  }

  @Test func `progress is drawn on a terminal, and removed before the report`() async throws {
    let program = try Program().withoutZone()
    let generated = try await GeneratedExport(program, ["--days", "30"])
    for columns in [40, 100] {
      let store = try program.folder("store\(columns)").path
      let run = try await program.onTerminal(columns: columns, errorsToo: true)
        .succeeds(["import", generated.zip, "--store", store])
      let report = try #require(run.output.range(of: "Apple Health export"))
      let before = run.output[..<report.lowerBound]
      #expect(before.contains("reading "), "\(run.output)")
      #expect(before.contains("publishing 30/30"), "\(run.output)")
      let drawn = before.replacing(#/\u{1B}\[[0-9;]*[mK]/#, with: "").split(
        separator: "\r", omittingEmptySubsequences: false
      ).dropLast()
      #expect(drawn.count > 3 && drawn.allSatisfy { $0.count < columns }, "\(Array(drawn))")
      #expect(run.output.contains("30 days: 30 published"))
    }
    let store = try program.folder("quiet").path
    let quiet = try await program.succeeds(["import", generated.zip, "--store", store])
    #expect(!quiet.errors.contains("publishing") && !quiet.output.contains("\u{1B}"))
  }
}

/// What else an import says of records that it did not use (R18).
extension ImportLossTests {
  private static func workout(_ date: String, _ inner: String) -> String {
    """
    <Workout workoutActivityType="HKWorkoutActivityTypeYoga" sourceName="W" \
    startDate="\(date) 10:00:00 +0200" endDate="\(date) 11:00:00 +0200">\(inner)</Workout>
    """
  }

  @Test func `R18: a lost </Correlation> hides neither the example nor the types`() async throws {
    let file = try program.export(
      made: "2024-06-15 20:30:00 +0200",
      [
        "<Correlation type=\"x\" sourceName=\"iPhone\">",
        record("StepCount", "2024-06-10 10:00:00 +0200"), record("StepCount", "10/06/2024 10:00"),
        record("Other", "x"),
      ])
    try await program.succeeds(
      ["import", file, "--dry-run"], printing: "first on line 6: \"10/06/2024 10:00\"",
      "1 of types that no metric uses: Other (1)")
    let document = try await program.succeeds(["import", file, "--output", "json"]).json()
    let examples = document["skipped_examples"] as? [String: [String: Any]]
    #expect(examples?["date"]?["line"] as? Int == 6)
    #expect(document["unread_records"] as? Int == 1)
  }

  @Test func `R18: what an export holds beside records is named, workouts too`() async throws {
    let lines = [
      "<HealthData locale=\"en\">", record("StepCount", "2024-06-10 10:00:00 +0200"),
      Self.workout("2024-06-10", "<WorkoutRoute/>"), Self.workout("2024-06-11", ""),
      "<Audiogram/>", "<New\u{1B}/>", "</HealthData>",
    ]
    let folder = program.home.appending(path: "apple_health_export")
    let heart = folder.appending(path: "electrocardiograms")
    try FileManager.default.createDirectory(at: heart, withIntermediateDirectories: true)
    try Data(lines.joined().utf8).write(to: folder.appending(path: "export.xml"))
    try Data("a,b".utf8).write(to: heart.appending(path: "ecg_2024-06-10.csv"))
    let run = try await program.succeeds(
      ["import", folder.path, "--dry-run"],
      printing: "2 workouts: s3health export csv --table workouts --input \(folder.path)",
      "audiograms (1)", "routes of workouts (1)")
    #expect(run.output.contains("electrocardiograms (1)") && !run.output.contains("\u{1B}"))
    let document = try await program.succeeds(
      ["import", folder.path, "--dry-run", "--output", "json"]
    ).json()
    let others = document["other_contents"] as? [String: Int]
    #expect(others?["Workout"] == 2 && others?["Electrocardiogram"] == 1)
  }

  @Test func `workouts and sleep of a file without days are a table, with a report`() async throws {
    let far = "<MetadataEntry key=\"HKAverageSpeed\" value=\"3 league/hr\"/>"
    let lines =
      ["<HealthData locale=\"en\">"]
      + (1...8).map { Self.workout("202\($0)-06-10", $0 == 3 ? far : "") }
      + [
        Self.workout("1890-06-10", ""), Self.workout("2023-02-30", ""),
        """
        <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="W" \
        startDate="2024-06-10 07:00:00 +0200" endDate="2024-06-10 06:00:00 +0200" \
        value="HKCategoryValueSleepAnalysisAsleepCore"/>
        """,
      ] + ["</HealthData>"]
    let file = try program.file("export.xml", Array(lines.joined().utf8))
    let run = try await program.succeeds(["export", "csv", "--table", "workouts", "--input", file])
    #expect(run.output.split(separator: "\n").count == 9)
    for words in [
      "1 skipped: a number of a workout in a unit", "1 skipped: dated before 1900",
      "1 skipped: a date that can't be read",
    ] { #expect(run.errors.contains(words)) }
    let sleep = try await program.succeeds(["export", "csv", "--table", "sleep", "--input", file])
    #expect(sleep.output.split(separator: "\n").count == 1)
    #expect(
      sleep.errors.contains("1 skipped: it ends before it begins")
        && !sleep.errors.contains("a number of a workout"), "\(sleep.errors)")
    let one = try await program.succeeds([
      "export", "csv", "--table", "workouts", "--input", file, "--from", "2023-01-01", "--to",
      "2023-12-31",
    ])
    #expect(one.output.split(separator: "\n").count == 2)
  }

  @Test func `where no sample makes a number, a reason is given and no date`() async throws {
    let file = try program.export(
      made: "2024-06-15 20:30:00 +0200",
      [
        SmallExport.record(
          "BloodPressureSystolic", 5, unit: "mmHg", from: "2024-06-10 10:05:00 +0200")
      ])
    let run = try await program.run(["import", file])
    #expect(run.errors.contains("none of them makes a number; left out: 1 unpaired"))
    #expect(!run.errors.contains("--from"))
  }
}

/// Imports that are killed on a server or while they read.
extension ImportInterruptTests {
  @Test(arguments: TestServer.one, [2, 41])
  func `an import killed on a server is completed by the next, and nothing is doubled`(
    server: TestServer, moment: Int
  ) async throws {
    let program = try Program().asOneCollector().on(server)
    let stores = Stores(killed: server.arguments(), whole: server.arguments())
    let export = try await importTwice(program, stores, at: moment, of: "requests")
    for date in export.dates {
      #expect(try await program.payload(date, stores.killed) == program.payload(date, stores.whole))
      #expect(try await program.revisions(date, stores.killed) == 1, "\(date)")
    }
  }

  @Test(arguments: [1, 3])
  func `Control-C while the source is read is answered once`(presses: Int) async throws {
    let program = try Program().asOneCollector().wrapped(
      by: "signalled.py", "reading", "6", "\(presses)")
    let run = try await program.run("import", "-")
    let ends = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[Any]], "\(run.errors)")
    #expect(ends.count == 6)
    for end in ends {
      #expect(end.first as? Int == 130)
      #expect(end.last as? String == "s3health: interrupted while reading; nothing was published\n")
    }
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `a server that is gone ends an import with 69; the next goes on`() async throws {
    let server = try HostileStore()
    let program = try Program().asOneCollector().onHostile().sendingOnce()
    let export = try await GeneratedExport(program, ["--days", "20"])
    let at = server.store
    // The server answers that there are no people, and is gone when days are asked for.
    try await program.run(
      [
        "import", export.xml, "--store", "s3://after-4/p",
        "--endpoint-url", server.endpoint("diesafter"),
      ],
      ends: 69, saying: "s3health: 19 more days were not published",
      printing: "20 days: 1 failed, 19 not attempted")
    let next = try await program.succeeds(
      ["import", export.xml, "--output", "json"] + at("honest")
    ).json()
    #expect(next["counts"] as? [String: Int] == ["published": 20])
  }
}
