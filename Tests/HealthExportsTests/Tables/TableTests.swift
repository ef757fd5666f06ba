import HealthModel
import Testing

@testable import HealthExports

/// Tables as bytes; what pandas and DuckDB read in them is tested with the command.
@Suite(.unit) struct TableTests {
  private func bytes(_ format: TableFormat, _ columns: [String], _ rows: [[TableValue?]]) -> String
  {
    let encoder = TableEncoder(format, columns)
    var bytes = encoder.header
    for row in rows { encoder.append(row, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `CSV has one header, and quotes only where RFC 4180 asks for them`() {
    let text = bytes(
      .csv, ["a", "b", "c"],
      [
        [.word("x"), .number(1), nil], [.text("a,b"), .number(0.5), .number(1e21)],
        [.text("say \"hi\""), nil, .number(-0.25)], [.text("two\nlines"), nil, nil],
        [.text(""), nil, nil], [.text("two\rlines"), nil, nil],
      ])
    #expect(
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) == [
        "a,b,c", "x,1,", "\"a,b\",0.5,1e+21", "\"say \"\"hi\"\"\",,-0.25", "\"two", "lines\",,",
        "\"\",,", "\"two\rlines\",,", "",
      ])
  }

  @Test(arguments: [
    "=1+1", "+1", "-1", "@cmd", "\tx", "\rx", "\nx", "\u{FF1D}1+1", "\u{FF0B}1", "\u{FF0D}1",
    "\u{FF20}cmd", "\u{FE66}1", "\u{200B}=1+1", "\u{202F}\u{FEFF}=1", "\u{202E}\u{A0}@x", "  =1",
    "\u{0}=1", "\u{301}=1", "\u{2060}\u{FF1D}1",
  ])
  func `text that a spreadsheet would take for a formula is text in CSV, and as it is in JSON`(
    text: String
  ) {
    let csv = bytes(.csv, ["a"], [[.text(text)]])
    #expect(csv.unicodeScalars.starts(with: "a\n'".unicodeScalars) || csv.hasPrefix("a\n\"'"))
    #expect(bytes(.json, ["a"], [[.text(text)]]).contains(text.last.map(String.init) ?? ""))
    #expect(!bytes(.json, ["a"], [[.text(text)]]).contains("'"))
    #expect(bytes(.csv, ["a"], [[.text("Ann\u{2019}s\u{A0}Watch =")]]).contains("'") == false)
    // What this program wrote itself is not a text of others.
    #expect(bytes(.csv, ["a"], [[.number(-1)]]) == "a\n-1\n")
  }

  @Test func `JSON has an object a line, with every column, and null for no data`() {
    #expect(
      bytes(.json, ["b", "a"], [[.text("\"\u{1}"), nil], [.number(2), .word("w")]])
        == "{\"b\":\"\\\"\\u0001\",\"a\":null}\n{\"b\":2,\"a\":\"w\"}\n")
  }

  @Test func `every column has a name of its own, of lower-case words with the unit last`() throws {
    let days = DaysTable(DailyMetric.inOrder).columns
    for columns in [days, WorkoutsTable.columns, SleepTable.columns] {
      #expect(Set(columns).count == columns.count)
      #expect(
        columns.allSatisfy {
          $0.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_".contains($0) }
        },
        "\(columns)")
    }
    #expect(DailyMetric.weight.columnName == "weight_kg")
    #expect(DailyMetric.steps.columnName == "steps")
    #expect(DailyMetric.sleepAsleep.columnName == "sleep_asleep_minutes")
    #expect(DailyMetric.standHours.columnName == "stand_hours")
    #expect(DailyMetric.restingHeartRate.columnName == "resting_hr_avg_bpm")
    #expect(DailyMetric.respiratoryRate.columnName == "respiratory_rate_per_minute")
  }

  @Test func `a workout and a period of sleep fill their rows`() throws {
    let date = try #require(CalendarDate("2026-02-08"))
    let workout = Workout(
      id: "0f", activity: "Running", start: 1_770_544_800, end: 1_770_548_400, duration: 3500,
      source: "Watch", figures: [.distance: 10_000, .maximumHeartRate: 171])
    let row = WorkoutsTable.row(workout, on: date, timeZoneName: "Europe/Berlin")
    #expect(row.count == WorkoutsTable.columns.count)
    let named = Dictionary(uniqueKeysWithValues: zip(WorkoutsTable.columns, row))
    #expect(named["start"] == .word("2026-02-08T10:00:00Z"))
    #expect(named["distance_m"] == .number(10_000))
    #expect(named["heart_rate_max_bpm"] == .number(171))
    #expect(named["steps"] == .some(nil))
    let segment = SleepSegment(
      id: "1e", value: .asleepREM, start: 1_770_544_800, end: 1_770_546_600, source: "Watch")
    let sleep = SleepTable.row(segment, on: date, timeZoneName: "Europe/Berlin")
    #expect(sleep.count == SleepTable.columns.count)
    #expect(sleep.contains(.word("asleepREM")) && sleep.contains(.number(30)))
  }

  @Test func `numbers have no noise of conversions, and what is missing is empty`() throws {
    let date = try #require(CalendarDate("2026-02-08"))
    func row(_ end: Int64) -> [String: TableValue?] {
      let workout = Workout(
        id: "0f", activity: "", start: 1_770_544_800, end: end, source: "",
        figures: [.distance: 9 * 1609.344, .elevationAscended: 0.1 + 0.2])
      return Dictionary(
        uniqueKeysWithValues: zip(
          WorkoutsTable.columns, WorkoutsTable.row(workout, on: date, timeZoneName: "UTC")))
    }
    let known = row(1_770_548_400)
    #expect(9 * 1609.344 != 14484.096)
    #expect(known["distance_m"] == .number(14484.096))
    #expect(known["elevation_ascended_m"] == .number(0.3))
    // Without a duration of its own, from start to end; a moment has none.
    #expect(known["duration_seconds"] == .number(3600))
    #expect(row(1_770_544_800)["duration_seconds"] == .some(nil))
    #expect(known["activity"] == .some(nil) && known["source"] == .some(nil))
    let segment = SleepSegment(
      id: "1e", value: .awake, start: 1_770_544_800, end: 1_770_544_900, source: "")
    let sleep = SleepTable.row(segment, on: date, timeZoneName: "UTC")
    #expect(sleep.contains(.number(1.666667)) && sleep.last == .some(nil))
  }
}
