import HealthModel
import HealthSources
import Testing

/// The rules for rows of quantities, one by one.
@Suite(.unit) struct HealthAutoExportTests {
  @Test func `an explicit 0 stays 0 and a metric without rows stays out`() throws {
    let result = try Payloads.days(
      Payloads.export([
        ("step_count", "count", [Payloads.row("2024-06-10 00:00:00 +0200", "0")]),
        ("active_energy", "kcal", []),
      ]))
    #expect(result.table == ["2024-06-10": ["steps": "0.0"]])
  }

  @Test func `a better source wins where intervals overlap and the rest is prorated`() throws {
    // Watch 08:00-08:10: 100. Phone 08:05-08:15: 100, half of it covered: 50.
    // Another app 08:00-08:20: 200, of which 5 of 20 minutes are free: 50.
    let rows = [
      Payloads.span("2024-06-10 08:00:00 +0200", "2024-06-10 08:20:00 +0200", "200", "Pedometer"),
      Payloads.span("2024-06-10 08:05:00 +0200", "2024-06-10 08:15:00 +0200", "100", "iPhone"),
      Payloads.span("2024-06-10 08:00:00 +0200", "2024-06-10 08:10:00 +0200", "100", "My Watch"),
    ]
    for rows in [rows, rows.reversed(), rows + rows] {
      let result = try Payloads.days(Payloads.export([("step_count", "count", rows)]))
      #expect(result.table == ["2024-06-10": ["steps": "200.0"]])
      #expect(
        result.notes == ["step_count: what several sources saw at once was counted once"])
    }
  }

  @Test func `a watch that counted 0 hides nothing`() throws {
    let rows = [
      Payloads.row("2024-06-10 08:00:00 +0200", "0", "Watch"),
      Payloads.row("2024-06-10 08:00:00 +0200", "40", "iPhone"),
    ]
    #expect(
      try Payloads.days(Payloads.export([("step_count", "count", rows)])).table == [
        "2024-06-10": ["steps": "40.0"]
      ])
  }

  @Test func `rows that HealthKit merged are never de-duplicated again`() throws {
    let rows = [
      Payloads.span("2024-06-10 08:00:00 +0200", "2024-06-10 08:10:00 +0200", "10", "Watch|iPhone"),
      Payloads.span("2024-06-10 08:05:00 +0200", "2024-06-10 08:15:00 +0200", "10", "iPhone|Watch"),
      Payloads.span("2024-06-10 08:05:00 +0200", "2024-06-10 08:15:00 +0200", "10", "iPhone"),
    ]
    #expect(
      try Payloads.days(Payloads.export([("step_count", "count", rows)])).table == [
        "2024-06-10": ["steps": "20.0"]
      ])
  }

  @Test func `an interval over midnight is split by time`() throws {
    let row = Payloads.span("2024-06-10 23:00:00 +0200", "2024-06-11 02:00:00 +0200", "300")
    #expect(
      try Payloads.days(Payloads.export([("active_energy", "kcal", [row])])).table == [
        "2024-06-10": ["active_energy_kcal": "100.0"],
        "2024-06-11": ["active_energy_kcal": "200.0"],
      ])
  }

  @Test func `R4: a sample near midnight belongs to its day in the reporting zone`() throws {
    let rows = [Payloads.row("2024-06-10 23:59:59 -0400", "7")]
    let text = Payloads.export([("step_count", "count", rows)])
    #expect(try Payloads.days(text).table == ["2024-06-11": ["steps": "7.0"]])
    #expect(
      try Payloads.days(text, zone: "America/New_York").table == ["2024-06-10": ["steps": "7.0"]])
  }

  @Test func `a whole day of a journey stays the day that the phone wrote`() throws {
    let rows = [
      Payloads.row("2024-06-10 00:00:00 -1000", "700"),
      Payloads.row("2024-06-11 00:00:00 -1000", "7"),
    ]
    let result = try Payloads.days(Payloads.export([("step_count", "count", rows)]))
    #expect(
      result.table == ["2024-06-10": ["steps": "700.0"], "2024-06-11": ["steps": "7.0"]])
    // Midnight in Hawaii is noon in Berlin.
    #expect(
      result.days.first?.notes == [
        "the phone's day began 720 minutes after the day in Europe/Berlin; its own sums were taken"
      ])
  }

  @Test func `a day whose midnight the clocks skip is still a whole day`() throws {
    let rows = [
      Payloads.row("2024-04-25 00:00:00 +0200", "1"),
      Payloads.row("2024-04-26 01:00:00 +0300", "2"),
      Payloads.row("2024-04-27 00:00:00 +0300", "3"),
    ]
    let result = try Payloads.days(
      Payloads.export([("step_count", "count", rows)]), zone: "Africa/Cairo")
    #expect(result.days.map { $0.readings[.steps]?.number } == [1, 2, 3])
    #expect(result.days.allSatisfy { $0.notes.isEmpty })
  }

  @Test func `of two whole-day rows the better source counts, and of one source the last`() throws {
    let rows = [
      Payloads.row("2024-06-10 00:00:00 +0200", "10", "Watch"),
      Payloads.row("2024-06-10 00:00:00 +0200", "12", "Watch"),
      Payloads.row("2024-06-10 00:00:00 +0200", "99", "iPhone"),
    ]
    #expect(
      try Payloads.days(Payloads.export([("step_count", "count", rows)])).table == [
        "2024-06-10": ["steps": "12.0"]
      ])
  }

  @Test func `of whole-day rows of equal sources the greatest sum counts, or the last row`()
    throws
  {
    func table(_ name: String, _ unit: String, _ numbers: [String]) throws -> [String] {
      let rows = zip(numbers, ["Watch A", "Watch B"]).map {
        Payloads.row("2024-06-10 00:00:00 +0200", $0, $1)
      }
      return try Payloads.days(Payloads.export([(name, unit, rows)])).table.flatMap(\.value.values)
    }
    #expect(try table("step_count", "count", ["3000", "9000"]) == ["9000.0"])
    #expect(try table("step_count", "count", ["9000", "3000"]) == ["9000.0"])
    #expect(try table("heart_rate_variability", "ms", ["70", "69"]) == ["69.0"])
    #expect(try table("heart_rate_variability", "ms", ["69", "70"]) == ["70.0"])
  }

  @Test(arguments: ["Watch", "iPhone", "", "Watch Ultra", "Watch|iPhone"])
  func `R18: of whole-day rows of several payloads the last one counts, whatever its source`(
    source: String
  ) throws {
    var series = try PayloadSeries(timeZoneName: "Europe/Berlin")
    for (source, number) in [("Watch|iPhone", "3000"), (source, "9000")] {
      let rows = [
        Payloads.row("2024-06-09 00:00:00 +0200", "8000", source),
        Payloads.row("2024-06-10 00:00:00 +0200", number, source),
      ]
      let text = Payloads.export([("step_count", "count", rows)])
      try series.add(SourceDocument(parsing: Array(text.utf8)))
    }
    #expect(try series.result().numbers(.steps) == ["2024-06-09": 8000, "2024-06-10": 9000])
  }

  @Test(arguments: [
    ["2024-06-03", "2024-06-10", "2024-06-17"], ["2024-06-01", "2024-07-01"],
    ["2024-06-03", "2024-06-10", "2024-06-24"],
  ])
  func `sums of weeks and months are not a day's number`(dates: [String]) throws {
    let rows = dates.map { Payloads.row("\($0) 00:00:00 +0200", "70000") }
    let result = try Payloads.days(Payloads.export([("step_count", "count", rows)]))
    #expect(result.days.map(\.date.description) == dates)
    #expect(result.days.allSatisfy { $0.readings == [.steps: .unsupported] })
    #expect(
      result.days.first?.notes == ["step_count: the rows are weeks or months; export it by day"])
  }

  @Test func `rows a week apart are daily sums if another metric has neighbouring days`() throws {
    func days(_ other: String) throws -> [String: [String: String]] {
      let mondays = ["03", "10", "17"].map { Payloads.row("2024-06-\($0) 00:00:00 +0200", "30") }
      return try Payloads.days(
        Payloads.export([
          ("apple_exercise_time", "min", mondays),
          ("step_count", "count", [Payloads.row("2024-06-03 00:00:00 +0200", "8000"), other]),
        ])
      ).table.filter { $0.key == "2024-06-17" }
    }
    #expect(
      try days(Payloads.row("2024-06-04 00:00:00 +0200", "9000"))
        == ["2024-06-17": ["exercise_minutes": "30.0"]])
    // A time of day proves nothing of what was summed by the week.
    #expect(
      try days(Payloads.row("2024-06-04 07:00:00 +0200", "9000"))
        == ["2024-06-17": ["exercise_minutes": "unsupported"]])
  }

  @Test func `a unit that can't be converted makes the metric unsupported on its days`() throws {
    let result = try Payloads.days(
      Payloads.export([
        ("active_energy", "BTU", [Payloads.row("2024-06-10 00:00:00 +0200", "5")]),
        ("step_count", "count", [Payloads.row("2024-06-11 00:00:00 +0200", "5")]),
      ]))
    #expect(
      result.table == [
        "2024-06-10": ["active_energy_kcal": "unsupported"], "2024-06-11": ["steps": "5.0"],
      ])
    #expect(
      result.days.first?.notes == ["active_energy: the unit 'BTU' can't be converted"])
  }

  @Test(arguments: [
    ("active_energy", "kcal", "5", 5), ("active_energy", "Cal", "5", 5),
    ("active_energy", "cal", "5000", 5), ("active_energy", "kJ", "20.92", 5),
    ("apple_exercise_time", "hr", "0.5", 30), ("apple_exercise_time", "s", "90", 1.5),
    ("resting_heart_rate", "count/s", "1", 60), ("heart_rate_variability", "s", "0.0505", 50.5),
  ])
  func `units are converted`(name: String, unit: String, quantity: String, value: Double) throws {
    let row = Payloads.row("2024-06-10 00:00:00 +0200", quantity)
    let result = try Payloads.days(Payloads.export([(name, unit, [row])]))
    #expect(result.days.first?.readings.values.map(\.number) == [value])
  }

  @Test func `stood hours are distinct hours, and the autumn day has 25`() throws {
    let hours = (0..<25).map { hour in
      // 2024-10-27 in Berlin began at 22:00 UTC of the day before.
      Payloads.row(
        hour < 2
          ? "2024-10-26 \(22 + hour):30:00 +0000"
          : "2024-10-27 \(hour < 12 ? "0" : "")\(hour - 2):30:00 +0000", "1",
        hour % 2 == 0 ? "Watch" : "iPhone")
    }
    let result = try Payloads.days(Payloads.export([("apple_stand_hour", "count", hours + hours)]))
    #expect(result.table == ["2024-10-27": ["stand_hours": "25.0"]])
    let idle = [Payloads.row("2024-06-10 08:30:00 +0200", "0")]
    #expect(
      try Payloads.days(Payloads.export([("apple_stand_hour", "count", idle)])).table == [
        "2024-06-10": ["stand_hours": "0.0"]
      ])
  }

  @Test func `an average belongs to the day that holds its middle`() throws {
    let row = Payloads.span("2024-06-09 23:00:00 +0200", "2024-06-10 03:00:00 +0200", "50")
    #expect(
      try Payloads.days(Payloads.export([("heart_rate_variability", "ms", [row])])).table == [
        "2024-06-10": ["hrv_sdnn_avg": "50.0"]
      ])
  }

  @Test func `the order of rows never changes a total`() throws {
    var rows = (0..<60).map {
      Payloads.row("2024-06-10 08:\($0 < 10 ? "0" : "")\($0):07 +0200", "0.\($0)137")
    }
    let first = try Payloads.days(Payloads.export([("active_energy", "kJ", rows)]))
    for _ in 0..<20 {
      rows.shuffle()
      #expect(try Payloads.days(Payloads.export([("active_energy", "kJ", rows)])) == first)
    }
  }

  @Test(arguments: [
    ("{\"date\":\"2024-06-10 25:00:00 +0200\",\"qty\":1}", "/date", "is not a date"),
    ("{\"date\":\"2024-06-10 13:00:00 pm +0200\",\"qty\":1}", "/date", "is not a date"),
    (
      "{\"date\":\"2024-06-10 08:00:00\",\"qty\":1}", "/date",
      "write it as 2024-06-10 08:00:00 +0200"
    ),
    ("{\"date\":\"2024-02-30 08:00:00 +0200\",\"qty\":1}", "/date", "is not a date"),
    ("{\"date\":\"2999-02-03 08:00:00 +0200\",\"qty\":1}", "/date", "years 1900 to 2199"),
    ("{\"date\":\"0001-02-03\",\"qty\":1}", "/date", "years 1900 to 2199"),
    ("{\"date\":1718000000,\"qty\":1}", "/date", "not a string"),
    ("{\"qty\":1}", "", "has no date"),
    ("{\"date\":\"2024-06-10 08:00:00 +0200\"}", "", "has no 'qty'"),
    ("{\"date\":\"2024-06-10 08:00:00 +0200\",\"qty\":\"12\"}", "/qty", "a string, not a number"),
    ("{\"date\":\"2024-06-10 08:00:00 +0200\",\"qty\":-12}", "/qty", "is negative"),
    (
      "{\"date\":\"2024-06-10 08:00:00 +0200\",\"qty\":1e308}", "/qty", "more than a day can hold"
    ),
    ("{\"date\":\"2024-06-10 08:00:00 +0200\",\"qty\":true}", "/qty", "not a number"),
    (
      "{\"startDate\":\"2024-06-10 08:00:00 +0200\",\"endDate\":\"2024-06-09 08:00:00 +0200\",\"qty\":1}",
      "", "ends before it begins"
    ),
    (
      "{\"startDate\":\"1900-06-10 08:00:00 +0200\",\"endDate\":\"2024-06-09 08:00:00 +0200\",\"qty\":1}",
      "", "more than 31 days"
    ),
    ("7", "", "not an object"),
  ])
  func `a row that is wrong is reported at its pointer`(
    row: String, member: String, words: String
  ) throws {
    let good = Payloads.row("2024-06-10 08:00:00 +0200", "1")
    let error = try Payloads.error(Payloads.export([("step_count", "count", [good, row])]))
    #expect(error.code == .invalid)
    #expect(error.problems.map(\.pointer) == ["/data/metrics/0/data/1\(member)"])
    #expect(error.description.contains(words), "\(error)")
  }

  @Test func `wrong shapes are reported, and rows of unused metrics are not looked at`() throws {
    #expect(
      try Payloads.error("{\"data\":{\"metrics\":{}}}").problems.map(\.pointer) == ["/data/metrics"]
    )
    #expect(
      try Payloads.error("{\"data\":{\"metrics\":[{}, {\"name\":\"step_count\",\"data\":1}]}}")
        .problems.map(\.pointer) == ["/data/metrics/0", "/data/metrics/1/data"])
    let unused = "{\"data\":{\"metrics\":[{\"name\":\"x\",\"data\":[{\"date\":7}]}]}}"
    #expect(try Payloads.days(unused).notes == ["1 metric was not used: x (1 row)"])
  }

  @Test func `a row without a number has no data`() throws {
    let rows = [Payloads.row("2024-06-10 00:00:00 +0200", "null")]
    let result = try Payloads.days(Payloads.export([("step_count", "count", rows)]))
    #expect(result.days.isEmpty)
    #expect(result.notes == ["1 row has no number (null)"])
  }
}
