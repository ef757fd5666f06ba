import Foundation
import TestSupport
import Testing

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
    defer { program.removeHome() }
    let file = try program.file("export.xml", export)
    let run = try await program.succeeds(["import", file, "--explain", "2024-06-10"])
    // The watch's 1,000, and of the phone's 600 the half that the watch did not see.
    #expect(run.output.contains("steps  1,300"), "\(run.output)")
    #expect(run.output.contains(#/Ann's Watch \(Watch6,2\) +1 +1,000 +1,000 +-/#), "\(run.output)")
    #expect(run.output.contains(#/Ann's iPhone \(iPhone14,5\) +1 +600 +300 +50 %/#))
    #expect(run.output.contains("1 left out: the same record again"), "\(run.output)")
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

  @Test func `a source named first counts before others, its name typed as people type`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.file("export.xml", export)
    let run = try await program.succeeds([
      "import", file, "--source-priority", "ann\u{2019}s iphone", "--dry-run", "--output", "json",
    ])
    let results = try #require(try run.json()["results"] as? [[String: Any]])
    // The phone's 600, and half of the watch's 1,000.
    #expect((results.first?["metrics"] as? [String: Any])?["steps"] as? Int == 1100)
  }

  @Test func `progress is drawn on a terminal, and removed before the report`() async throws {
    let program = try Program().withoutZone()
    defer { program.removeHome() }
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
