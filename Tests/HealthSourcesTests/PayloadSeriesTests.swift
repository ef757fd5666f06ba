import HealthModel
import HealthSources
import Testing

/// Several payloads of Health Auto Export as one source: successive exports of overlapping times.
@Suite(.unit) struct PayloadSeriesTests {
  private func merged(_ texts: [String], zone: String = "Europe/Berlin") throws -> SourceResult {
    var series = try PayloadSeries(timeZoneName: zone)
    for text in texts { try series.add(SourceDocument(parsing: Array(text.utf8))) }
    return try series.result()
  }

  private func steps(_ rows: String...) -> String {
    Payloads.export([("step_count", "count", rows)])
  }

  private func sleep(_ rows: String...) -> String {
    Payloads.export([("sleep_analysis", "hr", rows)])
  }

  @Test(arguments: [
    "hae_v2_daily_aggregated", "hae_v2_unaggregated", "hae_pre662_12h_narrow_nbsp",
    "marshal_aggregated_sleep_analysis_3", "unmarshal_metrics_6",
  ])
  func `a payload captured three times is the payload`(name: String) throws {
    let bytes = try Payloads.fixture(name)
    var series = try PayloadSeries(timeZoneName: "Europe/Berlin")
    for _ in 0..<3 { try series.add(SourceDocument(parsing: bytes)) }
    let once = try SourceDocument.days(from: bytes, timeZoneName: "Europe/Berlin")
    #expect(try series.result().days == once.days)
  }

  @Test func `two fixtures of one zone are the union of their days`() throws {
    // Worked out in FixtureTests: sleep of 2021-12-18, and energy of 2021-12-24.
    var series = try PayloadSeries(timeZoneName: "Asia/Singapore")
    for name in ["marshal_aggregated_sleep_analysis_3", "marshal_metrics_1", "empty_data_5"] {
      try series.add(SourceDocument(parsing: try Payloads.fixture(name)))
    }
    let result = try series.result()
    #expect(
      result.table == [
        "2021-12-18": ["sleep_asleep_minutes": "366.5", "sleep_in_bed_minutes": "408.583732"],
        "2021-12-24": ["active_energy_kcal": "0.274"],
      ])
    #expect(result.notes == ["1 of 3 payloads have no metrics"])
  }

  @Test func `a day was captured when the newest file with a row of it was written (R19)`() throws {
    func written(_ files: (days: [Int], at: String?)...) throws -> [String] {
      var series = try PayloadSeries(timeZoneName: "Europe/Berlin")
      for (days, moment) in files {
        let rows = days.map { Payloads.row("2026-02-0\($0) 00:00:00 +0100", "900") }
        let text = Payloads.export([("step_count", "count", rows)])
        try series.add(
          SourceDocument(parsing: Array(text.utf8)), writtenAt: moment.flatMap { Timestamp($0) })
      }
      return try series.result().days.map { $0.writtenAt.map { "\($0)" } ?? "unknown" }
    }
    let (noon, night) = ("2026-02-03T11:00:00Z", "2026-02-04T02:00:00Z")
    #expect(try written(([1, 2, 3], noon)) == [noon, noon, noon])
    #expect(try written(([2, 3], night), ([1, 2], noon)) == [noon, night, night])
    #expect(try written(([1, 2], noon), ([2], nil)) == [noon, "unknown"])
    #expect(try written(([1, 2], nil), ([2], noon)) == ["unknown", "unknown"])
    // If a file seems to be older than its rows, its time was lost when it was copied.
    #expect(try written(([1, 2], "1970-01-01T00:00:01Z")) == ["unknown", "unknown"])
  }

  @Test func `of a day exported while it ran and again when it was over, the later sum counts`()
    throws
  {
    let noon = steps(Payloads.row("2026-02-08 00:00:00 +0100", "4000"))
    let night = steps(Payloads.row("2026-02-08 00:00:00 +0100", "9000"))
    #expect(try merged([noon, night]).table == ["2026-02-08": ["steps": "9000.0"]])
  }

  @Test func `an hour captured before it was over is replaced, and its neighbours stay`() throws {
    // 09: 100. 10: 300 at first, 700 when the hour was over. 11: 50. In all 850, not 1,150.
    let first = steps(
      Payloads.row("2026-02-08 09:00:00 +0100", "100"),
      Payloads.row("2026-02-08 10:00:00 +0100", "300"))
    let second = steps(
      Payloads.row("2026-02-08 10:00:00 +0100", "700"),
      Payloads.row("2026-02-08 11:00:00 +0100", "50"))
    #expect(try merged([first, second]).table == ["2026-02-08": ["steps": "850.0"]])
    // Within one payload nothing is replaced: two samples of one moment are two samples.
    let both = steps(
      Payloads.row("2026-02-08 10:00:00 +0100", "300"),
      Payloads.row("2026-02-08 10:00:00 +0100", "700"))
    #expect(try merged([both]).table == ["2026-02-08": ["steps": "1000.0"]])
  }

  @Test func `a replaced pulse is not averaged with its replacement`() throws {
    func pulse(_ number: String) -> String {
      Payloads.export([
        ("resting_heart_rate", "count/min", [Payloads.row("2026-02-08 07:00:00 +0100", number)])
      ])
    }
    #expect(
      try merged([pulse("70"), pulse("58")]).table == ["2026-02-08": ["resting_hr_avg": "58.0"]])
  }

  @Test func `captures of one night that overlap are a union over all files`() throws {
    // 23:00 to 03:00 and 02:00 to 06:30 are 7 h 30 min = 450 min, not 8 h 30 min.
    let first = sleep(
      Payloads.sleep("2026-02-07 23:00:00 +0100", "2026-02-08 03:00:00 +0100", "Core"))
    let second = sleep(
      Payloads.sleep("2026-02-08 02:00:00 +0100", "2026-02-08 06:30:00 +0100", "Core"))
    for order in [[first, second], [second, first]] {
      #expect(try merged(order).table == ["2026-02-08": ["sleep_asleep_minutes": "450.0"]])
    }
  }

  @Test func `of summaries of one night in two files the longest counts`() throws {
    func night(_ end: String, _ hours: String) -> String {
      sleep(
        """
        {"date":"2026-02-08 00:00:00 +0100","sleepStart":"2026-02-07 23:00:00 +0100",
        "sleepEnd":"2026-02-08 \(end):00 +0100","totalSleep":\(hours),"asleep":0,"core":\(hours),
        "deep":0,"rem":0,"inBed":0,"source":"Watch"}
        """)
    }
    // Captured at 03:00 (3.5 h of 4 h) and after waking (7 h of 7.5 h): 7 h = 420 min.
    for order in [
      [night("03:00", "3.5"), night("06:30", "7")], [night("06:30", "7"), night("03:00", "3.5")],
    ] {
      #expect(try merged(order).table == ["2026-02-08": ["sleep_asleep_minutes": "420.0"]])
    }
  }

  @Test func `a unit that one file gives and another can't be converted in stays a number`() throws
  {
    let good = Payloads.export([
      ("active_energy", "kJ", [Payloads.row("2026-02-08 00:00:00 +0100", "2092")])
    ])
    let bad = Payloads.export([
      ("active_energy", "BTU", [Payloads.row("2026-02-08 00:00:00 +0100", "1983")])
    ])
    for order in [[good, bad], [bad, good]] {
      #expect(try merged(order).table == ["2026-02-08": ["active_energy_kcal": "500.0"]])
    }
    #expect(try merged([bad]).table == ["2026-02-08": ["active_energy_kcal": "unsupported"]])
  }

  @Test(arguments: [
    "{\"data\":[]}", "{\"data\":[],\"workouts\":[{\"name\":\"Walking\"}]}",
    "{\"data\":{\"metrics\":[]},\"workouts\":[]}", "{\"data\":{}}",
    "{\"data\":{\"metrics\":[{\"name\":\"step_count\",\"units\":\"count\",\"data\":[]}]}}",
  ])
  func `a payload without rows is a payload, and has no day`(text: String) throws {
    #expect(try SourceDocument.recognise(Array(text.utf8)) == .healthAutoExport)
    #expect(try merged([text]).days.isEmpty)
  }

  @Test func `a metrics JSON is not a payload, and a payload with faults is refused whole`() throws
  {
    var series = try PayloadSeries(timeZoneName: "Europe/Berlin")
    let metrics = try SourceDocument(parsing: Array("{\"metrics\":{\"steps\":1}}".utf8))
    #expect(throws: SourceError.self) { try series.add(metrics) }
    let faulty = try SourceDocument(
      parsing: Array(steps(Payloads.row("2026-02-30 00:00:00 +0100", "1")).utf8))
    do {
      try series.add(faulty)
      Issue.record("a date that is not valid was taken")
    } catch {
      #expect(error.code == .invalid)
      #expect(error.problems.first?.pointer == "/data/metrics/0/data/0/date")
    }
  }
}
