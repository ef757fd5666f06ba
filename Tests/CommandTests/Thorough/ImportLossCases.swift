import Foundation
import TestSupport
import Testing

/// What else an import says of records that it did not use (R18).
extension ImportLossTests {
  private static func workout(_ date: String, _ inner: String) -> String {
    """
    <Workout workoutActivityType="HKWorkoutActivityTypeYoga" sourceName="W" \
    startDate="\(date) 10:00:00 +0200" endDate="\(date) 11:00:00 +0200">\(inner)</Workout>
    """
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
}
