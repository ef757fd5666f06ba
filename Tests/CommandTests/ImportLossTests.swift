import Foundation
import TestSupport
import Testing

/// What `import` says of records that it did not use.
@Suite(.process) struct ImportLossTests {
  private func record(_ type: String, _ start: String, _ value: String = "5") -> String {
    SmallExport.record(type, value, from: start, to: "2024-06-10 10:05:00 +0200")
  }

  @Test func `R18: what was skipped is reported with an example, and what is not read by type`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let types = (1...12).flatMap { number in
      (0..<number).map { _ in record("Other\(number)", "x") }
    }
    let file = try program.export(
      made: "2024-06-15 20:30:00 +0200",
      [
        record("StepCount", "2024-06-10 10:00:00 +0200"),
        record("StepCount", "10/06/2024\u{1B}[31m 10:00"), record("StepCount", "11/06/2024 10:00"),
        record("HeartRate", "2024-06-10 10:00:00 +0200"),
      ] + types)
    let run = try await program.succeeds(["import", file])
    #expect(
      run.output.contains(
        "2 skipped: a date that can't be read, first on line 5: \"10/06/2024\\u{1b}[31m 10:00\""),
      "\(run.output)")
    #expect(run.output.contains("Other12 (12), Other11 (11)"), "\(run.output)")
    #expect(run.output.contains("and 2 more types"), "\(run.output)")
    let verbose = try await program.succeeds(["import", file, "--verbose", "--dry-run"])
    #expect(verbose.output.contains("Other2 (2), Other1 (1)"), "\(verbose.output)")
    let document = try await program.succeeds(["import", file, "--output", "json"]).json()
    #expect(document["skipped"] as? [String: Int] == ["date": 2])
    let examples = document["skipped_examples"] as? [String: [String: Any]]
    #expect(examples?["date"]?["line"] as? Int == 5)
    #expect(document["unread_records"] as? Int == 78)
    let unread = document["unread_types"] as? [[String: Any]]
    #expect(unread?.count == 12)
    #expect(unread?.first?["type"] as? String == "HKQuantityTypeIdentifierOther12")
    #expect(unread?.first?["records"] as? Int == 12)
  }

  @Test func `R20: samples of an export in an unknown unit remove no stored number`() async throws {
    let program = try Program().asOneCollector()
    defer { program.removeHome() }
    func export(_ day: Int, energy: String, weight: String) throws -> String {
      func sample(_ type: String, _ unit: String, _ date: Int, _ value: Int) -> String {
        SmallExport.record(type, value, unit: unit, from: "2024-06-\(date) 10:00:00 +0200")
      }
      return try program.export(
        "export-\(day).xml", made: "2024-06-\(day) 20:30:00 +0200",
        [
          sample("StepCount", "count", 10, 100), sample("ActiveEnergyBurned", energy, 10, 300),
          sample("BodyMass", weight, 11, 70), sample("StepCount", "count", 12, 200),
        ])
    }
    func numbers() async throws -> [Double?] {
      var found: [Double?] = []
      for (date, metric) in [
        ("2024-06-10", "active_energy_kcal"), ("2024-06-11", "weight"), ("2024-06-12", "steps"),
      ] {
        let metrics = try await program.day(date)["metrics"] as? [String: Any]
        found.append(metrics?[metric] as? Double)
      }
      return found
    }
    let first = try export(15, energy: "kcal", weight: "kg")
    try await program.succeeds(["import", first])
    #expect(try await numbers() == [300, 70, 200])
    let run = try await program.succeeds([
      "import", try export(16, energy: "food", weight: "catty"),
    ])
    #expect(run.errors.contains("2024-06-10: active_energy_kcal: the unit of 1 sample"))
    #expect(run.errors.contains("2024-06-11: weight: the unit of 1 sample"))
    #expect(try await numbers() == [300, 70, 200])
    // A metric that the export does not have at all has no data.
    let last = try export(17, energy: "food", weight: "catty")
    let text = try String(contentsOfFile: last, encoding: .utf8)
    let without = try program.file(
      "without.xml",
      Array(
        text.split(separator: "\n").filter { !$0.contains("unit=\"catty\"") }
          .joined(separator: "\n").utf8))
    try await program.succeeds(["import", without])
    #expect(try await numbers() == [300, nil, 200])
  }

  @Test func `R18: a lost </Correlation> hides neither the example nor the types`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.export(
      made: "2024-06-15 20:30:00 +0200",
      [
        "<Correlation type=\"x\" sourceName=\"iPhone\">",
        record("StepCount", "2024-06-10 10:00:00 +0200"), record("StepCount", "10/06/2024 10:00"),
        record("Other", "x"),
      ])
    let run = try await program.succeeds(["import", file, "--dry-run"])
    #expect(run.output.contains("first on line 6: \"10/06/2024 10:00\""), "\(run.output)")
    #expect(run.output.contains("1 of types that no metric uses: Other (1)"), "\(run.output)")
    let document = try await program.succeeds(["import", file, "--output", "json"]).json()
    let examples = document["skipped_examples"] as? [String: [String: Any]]
    #expect(examples?["date"]?["line"] as? Int == 6)
    #expect(document["unread_records"] as? Int == 1)
  }

  @Test func `R18: what an export holds beside records is named, and how workouts are had`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let lines = [
      "<HealthData locale=\"en\">",
      record("StepCount", "2024-06-10 10:00:00 +0200"),
      Self.workout("2024-06-10", "<WorkoutRoute/>"), Self.workout("2024-06-11", ""),
      "<Audiogram/>", "<New\u{1B}/>", "</HealthData>",
    ]
    let folder = program.home.appending(path: "apple_health_export")
    let heart = folder.appending(path: "electrocardiograms")
    try FileManager.default.createDirectory(at: heart, withIntermediateDirectories: true)
    try Data(lines.joined().utf8).write(to: folder.appending(path: "export.xml"))
    try Data("a,b".utf8).write(to: heart.appending(path: "ecg_2024-06-10.csv"))
    let run = try await program.succeeds(["import", folder.path, "--dry-run"])
    #expect(
      run.output.contains(
        "2 workouts: s3health export csv --table workouts --input \(folder.path)"),
      "\(run.output)")
    #expect(run.output.contains("audiograms (1)") && run.output.contains("routes of workouts (1)"))
    #expect(run.output.contains("electrocardiograms (1)") && !run.output.contains("\u{1B}"))
    let document = try await program.succeeds(
      ["import", folder.path, "--dry-run", "--output", "json"]
    ).json()
    let others = document["other_contents"] as? [String: Int]
    #expect(others?["Workout"] == 2 && others?["Electrocardiogram"] == 1)
  }

  @Test
  func `workouts and sleep of a file without days are a table, and what was left out is reported`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
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
    #expect(run.output.split(separator: "\n").count == 9, "\(run.output)")
    for words in [
      "1 skipped: a number of a workout in a unit", "1 skipped: dated before 1900",
      "1 skipped: a date that can't be read",
    ] { #expect(run.errors.contains(words), "\(run.errors)") }
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

  @Test func `where no sample makes a number, the reason is given and no date is blamed`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.export(
      made: "2024-06-15 20:30:00 +0200",
      [
        SmallExport.record(
          "BloodPressureSystolic", 5, unit: "mmHg", from: "2024-06-10 10:05:00 +0200")
      ])
    let run = try await program.run(["import", file])
    #expect(
      run.errors.contains("none of them makes a number; left out: 1 unpaired"), "\(run.errors)")
    #expect(!run.errors.contains("--from"))
  }

  private static func workout(_ date: String, _ inner: String) -> String {
    """
    <Workout workoutActivityType="HKWorkoutActivityTypeYoga" sourceName="W" \
    startDate="\(date) 10:00:00 +0200" endDate="\(date) 11:00:00 +0200">\(inner)</Workout>
    """
  }
}
