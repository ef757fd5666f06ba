import Foundation
import TestSupport
import Testing

/// `export`: tables that other programs open, as pandas and DuckDB read them.
@Suite(.process) struct ExportCommandTests {
  private static let days = """
    {"days": [
      {"date": "2026-02-03", "timezone": "Europe/Berlin",
       "metrics": {"steps": 8123, "active_energy_kcal": 431.5, "weight": 80.25}},
      {"date": "2026-02-04", "timezone": "Europe/Berlin",
       "metrics": {"steps": 0, "vo2_max": 41.5, "sleep_deep_minutes": 61}},
      {"date": "2026-02-08", "timezone": "Europe/Berlin", "metrics": {"steps": 12}}]}
    """

  private static let export = """
    <?xml version="1.0" encoding="UTF-8"?>
    <HealthData locale="en_GB">
     <ExportDate value="2026-02-10 08:00:00 +0100"/>
     <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="=2+3" unit="lb" \
    startDate="2026-02-03 07:00:00 +0100" endDate="2026-02-03 07:00:00 +0100" value="200"/>
     <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="=2+3" \
    startDate="2026-02-02 23:00:00 +0100" endDate="2026-02-03 01:30:00 +0100" \
    value="HKCategoryValueSleepAnalysisAsleepCore"/>
     <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Anna’s, &quot;watch&quot;" \
    startDate="2026-02-03 01:30:00 +0100" endDate="2026-02-03 02:00:00 +0100" \
    value="HKCategoryValueSleepAnalysisAsleepREM"/>
     <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" \
    sourceName="Watch" startDate="2026-02-03 18:00:00 +0100" endDate="2026-02-03 18:31:00 +0100">
      <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" \
    startDate="2026-02-03 18:00:00 +0100" endDate="2026-02-03 18:31:00 +0100" sum="5.25" unit="km"/>
      <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" \
    startDate="2026-02-03 18:00:00 +0100" endDate="2026-02-03 18:31:00 +0100" average="148.5" \
    minimum="90" maximum="171" unit="count/min"/>
     </Workout>
    </HealthData>
    """

  /// A column as each reader found it.
  private struct Column: Decodable {
    let type: String
    let values: [RecordServer.Value]
  }

  /// Exports a table in both formats and reads it by each reader.
  private func read(
    _ program: Program, _ arguments: [String]
  ) async throws -> [String: [String: Column]] {
    var files: [String] = []
    for format in ["csv", "json"] {
      let file = program.home.appending(path: "table.\(format)").path
      let run = try await program.succeeds(["export", format] + arguments)
      try await program.succeeds(["export", format] + arguments + ["--out", file])
      #expect(try String(contentsOfFile: file, encoding: .utf8) == run.output)
      files.append(file)
    }
    let found = try await PeerPython.run("read_tables.py", arguments: files, in: .all)
    return try JSONDecoder().decode([String: [String: Column]].self, from: Data(found))
  }

  @Test(.peers)
  func `pandas and DuckDB read the days with their types, and no data as null`() async throws {
    let program = try Program()
    try await program.succeeds(["put", "--date", "all", "--input", "-"], input: Self.days)
    let found = try await read(program, [])
    #expect(found.count == 4)
    for (reader, columns) in found {
      // Date, zone, whether the day is over and what is of a part; eight required metrics, three optional ones.
      #expect(columns.count == 15, "\(reader)")
      #expect(columns["steps"]?.values == [.number(8123), .number(0), .number(12)], "\(reader)")
      #expect(columns["weight_kg"]?.values == [.number(80.25), .null, .null], "\(reader)")
      #expect(columns["weight_kg"]?.type == "number", "\(reader)")
      #expect(columns["sleep_deep_minutes"]?.values == [.null, .number(61), .null], "\(reader)")
      #expect(columns["stand_hours"]?.values == [.null, .null, .null], "\(reader)")
      #expect(columns["timezone"]?.values == Array(repeating: .text("Europe/Berlin"), count: 3))
      #expect(["date", "moment"].contains(columns["date"]?.type), "\(reader)")
      #expect(
        columns["date"]?.values.first.map { "\($0)".contains("2026-02-03") } == true, "\(reader)")
    }
    let chosen = try await program.succeeds(
      ["export", "csv", "--metrics", "weight,steps", "--from", "2026-02-03", "--to", "2026-02-05"])
    #expect(
      chosen.output == """
        date,timezone,weight_kg,steps,day_over,partial
        2026-02-03,Europe/Berlin,80.25,8123,true,
        2026-02-04,Europe/Berlin,,0,true,

        """)
    #expect(chosen.errors.contains("1 date has no data, and no row"))
  }

  @Test(.peers)
  func `R33 pandas and prometheus_client see which numbers are of a part of the day`() async throws
  {
    let program = try Program()
    let captured = #""captured_at": "2026-02-08T11:00:00Z", "timezone": "Etc/UTC""#
    try await program.put(
      #"{"date": "2026-02-08", \#(captured), "metrics": {"steps": 20, "weight": 71}}"#)
    try await program.put(
      #"{"date": "2026-02-07", "timezone": "Etc/UTC", "metrics": {"steps": 90, "weight": 71}}"#)
    for (reader, columns) in try await read(program, []) {
      #expect(columns["partial"]?.values == [.null, .text("steps")], "\(reader)")
      #expect(columns["partial"]?.type == "text", "\(reader)")
    }
    let text = try await program.succeeds(["export", "openmetrics"]).output
    let found = try await PeerPython.run(
      "exposition.py", arguments: ["openmetrics"], input: Array(text.utf8))
    let families = try #require(
      try JSONSerialization.jsonObject(with: Data(found)) as? [[String: Any]])
    func times(_ name: String) throws -> [Double] {
      let family = try #require(families.first { ($0["name"] as? String)?.contains(name) == true })
      return (family["samples"] as? [[String: Any]] ?? []).compactMap { $0["time"] as? Double }
    }
    let midnight = 1_770_508_800.0
    #expect(try times("step") == [midnight - 1, midnight + 39_600])
    #expect(try times("weight") == [midnight - 1, midnight + 86_399])
  }

  @Test(.peers)
  func `workouts and sleep of a source have ids that a second export keeps`() async throws {
    let program = try Program()
    let source = program.home.appending(path: "export.xml")
    try Data(Self.export.utf8).write(to: source)
    let input = ["--input", source.path, "--timezone", "Europe/Berlin"]
    let workouts = try await read(program, ["--table", "workouts"] + input)
    for (reader, columns) in workouts {
      #expect(columns["activity"]?.values == [.text("Running")], "\(reader)")
      #expect(columns["distance_m"]?.values == [.number(5250)], "\(reader)")
      #expect(columns["heart_rate_max_bpm"]?.values == [.number(171)], "\(reader)")
      #expect(columns["heart_rate_avg_bpm"]?.values == [.number(148.5)], "\(reader)")
      #expect(columns["duration_seconds"]?.values == [.number(1800)], "\(reader)")
      #expect(columns["swimming_strokes"]?.values == [.null], "\(reader)")
      #expect(columns["start"]?.type == "moment", "\(reader)")
    }
    let sleep = try await read(program, ["--table", "sleep"] + input)
    for (reader, columns) in sleep {
      #expect(columns["value"]?.values == [.text("asleepCore"), .text("asleepREM")], "\(reader)")
      #expect(columns["minutes"]?.values == [.number(150), .number(30)], "\(reader)")
      // A name that a spreadsheet would run is text.
      let name = reader.hasSuffix("csv") ? "'=2+3" : "=2+3"
      #expect(columns["source"]?.values == [.text(name), .text("Anna’s, \"watch\"")], "\(reader)")
      #expect(Set(columns["id"]?.values ?? []).count == 2, "\(reader)")
    }
    let reordered = Self.export.split(separator: "\n")
    let shuffled = (reordered[..<3] + reordered[3..<6].reversed() + reordered[6...])
      .joined(separator: "\n")
    try Data(shuffled.utf8).write(to: source)
    let again = try await read(program, ["--table", "sleep"] + input)
    #expect(again["duckdb_csv"]?["id"]?.values == sleep["duckdb_csv"]?["id"]?.values)

    let days = try await read(program, input)
    #expect(days["pandas_csv"]?["weight_kg"]?.values.first == .number(90.718474))
  }

  @Test func `what can't be exported is refused before anything is written`() async throws {
    let program = try Program()
    let file = program.home.appending(path: "out.csv")
    for (arguments, words) in [
      (["csv", "--table", "sleep"], "workouts and sleep are not in the store"),
      (["csv", "--metrics", "weigth"], "did you mean 'weight'?"),
      (["csv", "--table", "sleep", "--metrics", "weight"], "--table days"),
      (["parquet"], "'csv' and 'json'"),
      (["csv", "--table", "sleep", "--input", "nowhere.xml"], "nowhere.xml"),
    ] {
      let run = try await program.run(["export"] + arguments + ["--out", file.path])
      #expect(run.exitCode == 64 && run.output.isEmpty, "\(arguments)")
      #expect(run.errors.contains(words))
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }
}
