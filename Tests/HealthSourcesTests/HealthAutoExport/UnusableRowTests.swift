import HealthModel
import HealthSources
import Testing

/// What is said where rows of optional metrics can't be used.
@Suite(.unit) struct UnusableRowTests {
  @Test func `a wrong number leaves out its metric and is told, and the eight are as they were`()
    throws
  {
    let steps = Payloads.row("2024-06-10 00:00:00 +0200", "100")
    let rows = [
      Payloads.row("2024-06-10 07:00:00 +0200", "80"),
      Payloads.row("2024-06-10 08:00:00 +0200", "-80"),
      Payloads.row("2024-06-31 08:00:00 +0200", "80"),
      "{\"date\":\"2024-06-10 09:00:00 +0200\",\"qty\":\"80\"}", "7",
    ]
    let cold = Payloads.row("2024-06-10 07:00:00 +0200", "20")
    let result = try Payloads.days(
      Payloads.export([
        ("step_count", "count", [steps]), ("weight_body_mass", "kg", rows),
        ("body_temperature", "degF", [cold]), ("dietary_water", "glass", [cold, cold]),
        ("caffeine", "", [cold]),
      ]))
    #expect(result.table == ["2024-06-10": ["steps": "100.0"]])
    // A mean of the others would look like that of the day (R18).
    #expect(result.optionalTable.isEmpty)
    #expect(
      result.notes == [
        "body_temperature: 1 row was left out; the first: "
          + "/data/metrics/2/data/0/qty: 20.0 is out of range",
        "caffeine: the unit '' can't be converted: 1 row was left out",
        "dietary_water: the unit 'glass' can't be converted: 2 rows were left out",
        "weight_body_mass: 4 rows were left out; the first: "
          + "/data/metrics/1/data/1/qty: -80.0 is negative",
      ])
  }

  @Test func `R18: rows beside one that can't be used are a part of the day, and no number`() throws
  {
    func water(_ rows: [(day: Int, hour: String, number: String)], _ unit: String = "mL") -> String
    {
      let rows = rows.map { Payloads.row("2024-06-\($0.day) \($0.hour):00:00 +0200", $0.number) }
      return Payloads.export([("dietary_water", unit, rows)])
    }
    func total(_ payloads: String...) throws -> [String: Double] {
      var series = try PayloadSeries(timeZoneName: "Europe/Berlin")
      for text in payloads { try series.add(SourceDocument(parsing: Array(text.utf8))) }
      return try series.result().optionalTable.compactMapValues { $0["water"] }
    }
    let broken = water([(10, "08", "100"), (10, "09", "-1"), (11, "08", "300")])
    #expect(try total(broken) == ["2024-06-11": 300])
    // Rows in a unit that is not known are missing from the day like one that is wrong.
    let glasses = water([(10, "09", "2"), (10, "11", "2")], "glass")
    #expect(try total(glasses, water([(10, "10", "300"), (11, "08", "3")])) == ["2024-06-11": 3])
    // A later payload that goes back as far has what was missing; one of the next hour has not.
    #expect(try total(broken, water([(10, "10", "50")])) == ["2024-06-11": 300])
    #expect(
      try total(broken, water([(10, "09", "50")])) == ["2024-06-10": 150, "2024-06-11": 300])
    #expect(try total(water([(10, "09", "50")]), broken) == ["2024-06-11": 300])
    // HealthKit has summed a whole day; of two rows of one day one alone is not its sum.
    let whole = water([(10, "00", "700"), (11, "00", "300"), (12, "00", "5")])
    #expect(try total(broken, whole)["2024-06-10"] == 700)
    let days = water([(10, "00", "700"), (10, "00", "-1"), (11, "00", "300")])
    #expect(try total(days) == ["2024-06-11": 300])
  }

  @Test(arguments: [
    // In order: the row without a date lies between those around it.
    (["10 08", "10 09", "?", "10 11", "11 08", "12 08"], [11, 12]),
    (["10 08", "?", "11 08", "12 08"], [12]),
    (["12 08", "11 08", "?", "10 08"], [12]),
    // Before the first and after the last it may be of their dates.
    (["?", "10 08", "11 08", "12 08"], [11, 12]),
    (["10 08", "11 08", "12 08", "?"], [10, 11]),
    (["10 08", "?", "11 08", "?", "?", "11 09", "12 08"], [12]),
    // Out of order it may be of any.
    (["10 08", "12 08", "?", "11 08"], []),
    // A row of the whole day has all of it.
    (["10 00", "?", "11 00", "12 00"], [10, 11, 12]),
  ])
  func `R18: a row without a date makes only the days unknown that it may be of`(
    rows: [String], known: [Int]
  ) throws {
    let texts = rows.map { row in
      let date = row == "?" ? "sometime" : "2024-06-\(row):00:00 +0200"
      return Payloads.row(date, "100")
    }
    let result = try Payloads.days(Payloads.export([("dietary_water", "mL", texts)]))
    let dates = result.optionalTable.compactMap { $0.value["water"] == nil ? nil : $0.key }
    #expect(dates.sorted() == known.map { "2024-06-\($0)" }, "\(result.optionalTable)")
    #expect(result.notes.contains { $0.hasPrefix("dietary_water: ") && $0.contains("left out") })
  }

  @Test func `a row's own unit comes before that of all rows`() throws {
    func row(_ hour: String, _ number: String, _ unit: String?) -> String {
      let units = unit.map { ",\"units\":\"\($0)\"" } ?? ""
      return "{\"date\":\"2024-06-10 \(hour):00:00 +0200\",\"qty\":\(number)\(units)}"
    }
    func weight(_ units: String, _ rows: [String]) throws -> [Double] {
      let result = try Payloads.days(Payloads.export([("weight_body_mass", units, rows)]))
      return result.optionalTable.values.compactMap { $0["weight"] }
    }
    #expect(try weight("kg", [row("08", "150", "lb")]) == [68.038856])
    #expect(try weight("", [row("08", "70", "kg"), row("09", "72000", "g")]) == [71])
    #expect(try weight("kg", [row("08", "70", "kg"), row("09", "72", nil)]) == [71])
    // One that nobody can convert is a row that is wrong.
    #expect(try weight("kg", [row("08", "70", nil), row("09", "11", "stoned")]) == [])
    let steps = [row("08", "70", nil), row("09", "11", "furlong")]
    let error = try Payloads.error(Payloads.export([("step_count", "count", steps)]))
    #expect(error.problems.map(\.pointer) == ["/data/metrics/0/data/1/units"])
    #expect(error.description.contains("the unit 'furlong' can't be converted"))
  }
}
