import HealthLedger
import HealthModel
import ObjectStore
import Testing

@testable import MCPServer

/// What the tools answer of a real ledger (R50, R51).
@Suite(.unit) struct ToolAnswerTests {
  @Test func `R51: a day has the members of a daily object, and more beside`() async throws {
    let sample = SampleLedger()
    try await sample.publish(
      "2026-02-08",
      [
        .steps: .value(8432), .activeEnergy: .value(512.4), .sleepAsleep: .value(0.1 + 0.2),
        .heartRateVariability: .unauthorized, .standHours: .unsupported,
      ], capturedAt: "2026-02-09T05:30:00Z")
    let answer = await sample.answer(.daily, ["date": "2026-02-08"])
    #expect(!answer.isError)
    let found = answer.content
    #expect(found["date"] == "2026-02-08")
    #expect(found["generated_at"] == "2026-02-10T12:00:00Z")
    #expect(
      found["metrics"] == [
        "steps": 8432, "active_energy_kcal": .number(512.4), "exercise_minutes": .null,
        "stand_hours": .null, "resting_hr_avg": .null, "hrv_sdnn_avg": .null,
        "sleep_asleep_minutes": .number(0.3), "sleep_in_bed_minutes": .null,
      ])
    #expect(
      found["metric_status"] == [
        "steps": "ok", "active_energy_kcal": "ok", "exercise_minutes": "no_data",
        "stand_hours": "unsupported", "resting_hr_avg": "no_data", "hrv_sdnn_avg": "unauthorized",
        "sleep_asleep_minutes": "ok", "sleep_in_bed_minutes": "no_data",
      ])
    #expect(
      found["metric_units"] == [
        "steps": "count", "active_energy_kcal": "kcal", "exercise_minutes": "min",
        "stand_hours": "hr", "resting_hr_avg": "bpm", "hrv_sdnn_avg": "ms",
        "sleep_asleep_minutes": "min", "sleep_in_bed_minutes": "min",
      ])
    #expect(
      found["null_reasons"] == [
        "exercise_minutes": "no_data", "stand_hours": "unsupported",
        "resting_hr_avg": "no_data", "hrv_sdnn_avg": "unauthorized",
        "sleep_in_bed_minutes": "no_data",
      ])
    #expect(
      found["day"] == [
        "timezone": "Europe/Berlin", "start": "2026-02-08T00:00:00+01:00",
        "end": "2026-02-09T00:00:00+01:00",
      ])
    // The rest is made of the data (R21).
    #expect(found["revision_id"]?.stringValue?.hasPrefix("20260210T120000Z-") == true)
    #expect(found["day_over"] == true)
    // Published a day ago, but read from the phone 30.5 hours before that.
    #expect(
      found["freshness"] == [
        "generated_at": "2026-02-10T12:00:00Z", "captured_at": "2026-02-09T05:30:00Z",
        "age_seconds": .number(54.5 * 3600),
      ])
    #expect(
      found["coverage"] == [
        "asked": 1, "found": 1, "missing": [], "invalid": [:], "fell_back": [:],
      ])
  }

  /// Four days with data, one that can't be read, one whose newest revision can't, three without.
  private static func mixed() async throws -> SampleLedger {
    let sample = SampleLedger()
    try await sample.publish("2026-02-02", [.steps: .value(2)])
    try await sample.publish("2026-02-03", [.steps: .value(3)], zone: "America/New_York")
    try await sample.publish("2026-02-04", [.heartRateVariability: .value(41)])
    try await sample.publish("2026-02-06", [.steps: .value(6), .heartRateVariability: .noData])
    try await sample.plant("2026-02-07", id: "20260207T120000Z-AAAAAA", "{}")
    try await sample.plant("2026-02-06", id: "20260211T120000Z-AAAAAA", "not JSON")
    return sample
  }

  @Test func `R51: a range has a daily object for each date with data, and lists those without`()
    async throws
  {
    let sample = try await Self.mixed()
    let answer = await sample.answer(
      .range, ["start_date": "2026-02-01", "end_date": "2026-02-09"])
    #expect(!answer.isError)
    let found = answer.content
    #expect(found["start_date"] == "2026-02-01")
    #expect(found["end_date"] == "2026-02-09")
    let data = try #require(found["data"]?.arrayValue)
    #expect(
      data.map { $0["date"] } == ["2026-02-02", "2026-02-03", "2026-02-04", "2026-02-06"])
    #expect(data.map { $0["metrics"]?["steps"] } == [2, 3, .null, 6])
    #expect(data[1]["day"]?["timezone"] == "America/New_York")
    for object in data {
      // Each is what the tool for one day says of it.
      let day = await sample.answer(.daily, ["date": try #require(object["date"])]).content
      for (name, value) in try #require(object.objectValue) { #expect(value == day[name]) }
      #expect(
        object.objectValue.map { Set($0.keys) } == [
          "date", "generated_at", "day", "metrics", "metric_status", "metric_units",
        ])
    }
    #expect(
      found["missing_dates"] == ["2026-02-01", "2026-02-05", "2026-02-08", "2026-02-09"])
    #expect(
      found["coverage"] == [
        "asked": 9, "found": 4, "invalid": ["2026-02-07": "missing_member"],
        "fell_back": ["2026-02-06": "not_json"],
      ])
    #expect(found["null_reasons"]?["steps"] == ["no_data": ["2026-02-04"]])
    #expect(found["days"] == nil && found["columns"] == nil)
  }

  @Test func `R50: metrics restricts all three maps of each daily object alike`() async throws {
    let answer = await (try Self.mixed()).answer(
      .range,
      ["start_date": "2026-02-04", "end_date": "2026-02-04", "metrics": ["hrv_sdnn_avg", "steps"]])
    let day = try #require(answer.content["data"]?.arrayValue?.first)
    #expect(day["metrics"] == ["steps": .null, "hrv_sdnn_avg": 41])
    #expect(day["metric_status"] == ["steps": "no_data", "hrv_sdnn_avg": "ok"])
    #expect(day["metric_units"] == ["steps": "count", "hrv_sdnn_avg": "ms"])
    #expect(answer.content["null_reasons"] == ["steps": ["no_data": ["2026-02-04"]]])
  }

  @Test func `R50, R42: metrics takes optional ones, and coverage names those that there are`()
    async throws
  {
    let sample = SampleLedger()
    try await sample.publish(
      "2026-02-02", [.steps: .value(2)], optional: [.weight: 80.25, .vo2Max: 41])
    try await sample.publish("2026-02-03", [.steps: .value(3)])
    let dates: [String: JSONValue] = ["start_date": "2026-02-02", "end_date": "2026-02-03"]
    let plain = await sample.answer(.range, dates).content
    #expect(plain["data"]?.arrayValue?.first?["metrics"]?.objectValue?.count == 8)
    #expect(plain["coverage"]?["further_metrics"] == ["vo2_max", "weight"])

    let asked = dates.merging(["metrics": ["weight", "steps"]]) { mine, _ in mine }
    let found = await sample.answer(.range, asked).content
    let days = try #require(found["data"]?.arrayValue)
    #expect(
      days.map { $0["metrics"] } == [
        ["weight": .number(80.25), "steps": 2], ["weight": .null, "steps": 3],
      ])
    #expect(days.map { $0["metric_status"]?["weight"] } == ["ok", "no_data"])
    #expect(days.first?["metric_units"] == ["weight": "kg", "steps": "count"])
    #expect(found["null_reasons"] == ["weight": ["no_data": ["2026-02-03"]]])
    #expect(found["coverage"]?["further_metrics"] == ["vo2_max"])

    let daily = await sample.answer(.daily, ["date": "2026-02-02"]).content
    #expect(daily["metrics"]?.objectValue?.count == 8)
    #expect(daily["coverage"]?["further_metrics"] == ["vo2_max", "weight"])
    let wrong = await sample.answer(
      .range, dates.merging(["metrics": ["weigth"]]) { mine, _ in mine })
    #expect(wrong.isError && wrong.content["error"]?["code"] == "INVALID_ARGUMENTS")
  }

  @Test func `R51: the compact format has a row for each day, its columns in the caller's order`()
    async throws
  {
    let sample = try await Self.mixed()
    let answer = await sample.answer(
      .range,
      [
        "start_date": "2026-02-01", "end_date": "2026-02-09", "format": "compact",
        "metrics": ["hrv_sdnn_avg", "steps"],
      ])
    #expect(!answer.isError)
    let found = answer.content
    #expect(found["columns"] == ["hrv_sdnn_avg", "steps"])
    #expect(
      found["days"] == [
        "2026-02-02": [.null, 2], "2026-02-03": [.null, 3], "2026-02-04": [41, .null],
        "2026-02-06": [.null, 6],
      ])
    #expect(
      found["null_reasons"] == [
        "steps": ["no_data": ["2026-02-04"]],
        "hrv_sdnn_avg": ["no_data": ["2026-02-02/2026-02-03", "2026-02-06"]],
      ])
    #expect(
      found["timezones"] == [
        "Europe/Berlin": ["2026-02-02", "2026-02-04", "2026-02-06"],
        "America/New_York": ["2026-02-03"],
      ])
    #expect(
      found["coverage"] == [
        "asked": 9, "found": 4, "missing": ["2026-02-01", "2026-02-05", "2026-02-08/2026-02-09"],
        "invalid": ["2026-02-07": "missing_member"],
        "fell_back": ["2026-02-06": "not_json"],
      ])
    #expect(found["metric_units"] == ["steps": "count", "hrv_sdnn_avg": "ms"])
    #expect(found["freshness"]?["newest_date"] == "2026-02-06")
    #expect(found["freshness"]?["age_seconds"] == 86_400)
    // Who reads from the front knows the columns before the first row.
    let text = String(decoding: found.canonicalBytes, as: UTF8.self)
    let (columns, days) = (text.range(of: #""columns""#), text.range(of: #""days""#))
    #expect(try #require(columns).upperBound < (try #require(days)).lowerBound)
    let all = await sample.answer(
      .range, ["start_date": "2026-02-02", "end_date": "2026-02-02", "format": "compact"])
    #expect(all.content["columns"]?.arrayValue == DailyMetric.required.map { .string($0.rawValue) })
  }

  @Test func `R50: the older spellings from and to are taken, and null and "" are as if absent`()
    async throws
  {
    let sample = try await Self.mixed()
    let asked: [String: JSONValue] = ["start_date": "2026-02-01", "end_date": "2026-02-09"]
    let answer = await sample.answer(.range, asked)
    for arguments: [String: JSONValue] in [
      ["from": "2026-02-01", "to": "2026-02-09"],
      ["start_date": "2026-02-01", "to": "2026-02-09"],
      asked.merging(["from": "2026-02-01", "to": .null]) { mine, _ in mine },
      asked.merging(["metrics": .null, "format": .null, "timezone": .null]) { mine, _ in mine },
      asked.merging(["metrics": "", "format": "", "include_sources": ""]) { mine, _ in mine },
    ] { #expect(await sample.answer(.range, arguments) == answer, "\(arguments)") }
    let day = await sample.answer(.daily, ["date": "2026-02-02", "timezone": .null])
    #expect(day.content["metrics"]?["steps"] == 2)
  }

  @Test func `R51: a day that is not over is marked`() async throws {
    // 12:00 UTC on the 11th.
    let sample = SampleLedger()
    for date in ["2026-02-10", "2026-02-11"] { try await sample.publish(date, [:]) }
    try await sample.publish("2026-02-12", [:], zone: "Pacific/Kiritimati")
    #expect(await sample.answer(.daily, ["date": "2026-02-10"]).content["day_over"] == true)
    #expect(await sample.answer(.daily, ["date": "2026-02-11"]).content["day_over"] == false)
    for format: JSONValue in ["daily", "compact"] {
      let answer = await sample.answer(
        .range, ["start_date": "2026-02-01", "end_date": "2026-02-12", "format": format])
      #expect(answer.content["days_not_over"] == ["2026-02-11", "2026-02-12"])
    }
  }

  @Test(
    arguments: [
      (0.1 + 0.2, "0.3"), (8432, "8432"), (0.000_000_4, "0"), (1.0 / 3, "0.333333"),
      (2.0 / 3 * 1e9, "666666666.666667"), (1e300, "1e+300"),
      (12_345_678_901.234_5, "12345678901.2345"),
    ] as [(Double, String)])
  func `R51: numbers are rounded to six decimals`(number: Double, text: String) async throws {
    let sample = SampleLedger()
    try await sample.publish("2026-02-08", [.steps: .value(number)])
    let answer = await sample.answer(.daily, ["date": "2026-02-08"])
    let steps = try #require(answer.content["metrics"]?["steps"])
    #expect(String(decoding: steps.canonicalBytes, as: UTF8.self) == text)
  }

  @Test func `a range without any data is complete, with a note`() async {
    let asked: [String: JSONValue] = ["start_date": "2025-01-01", "end_date": "2026-01-01"]
    let answer = await SampleLedger().answer(.range, asked)
    #expect(!answer.isError)
    #expect(answer.content["data"] == [])
    #expect(answer.content["freshness"] == .null)
    #expect(answer.content["coverage"]?["asked"] == 366)
    #expect(answer.content["missing_dates"]?.arrayValue?.count == 366)
    let compact = await SampleLedger()
      .answer(.range, asked.merging(["format": "compact"]) { mine, _ in mine })
    #expect(compact.content["days"] == [:])
    #expect(compact.content["coverage"]?["missing"] == ["2025-01-01/2026-01-01"])
  }

  @Test func `freshness is that of the newest revision, whichever date it is of`() async throws {
    let sample = SampleLedger()
    try await sample.publish("2026-02-01", [:], capturedAt: "2026-02-10T11:59:00Z")
    try await sample.plant("2026-02-02", id: "20260109T000000Z-AAAAAA", "{}")
    let body = String(
      decoding: DailyRevision(
        day: try ReportingDay(date: CalendarDate("2026-02-02")!, timeZoneName: "UTC"),
        generatedAt: Timestamp("2026-02-03T00:00:00Z")!,
        collector: Collector(collectorID: .init(), deviceID: .init()), readings: [:]
      ).encoded, as: UTF8.self)
    try await sample.plant("2026-02-02", id: "20260203T000000Z-AAAAAA", body)
    let answer = await sample.answer(
      .range, ["start_date": "2026-02-01", "end_date": "2026-02-02"])
    #expect(answer.content["freshness"]?["generated_at"] == "2026-02-10T12:00:00Z")
    #expect(answer.content["freshness"]?["newest_date"] == "2026-02-02")
    let day = await sample.answer(.daily, ["date": "2026-02-02"])
    #expect(day.content["freshness"]?["captured_at"] == nil)
    #expect(day.content["freshness"]?["age_seconds"] == .number(8.5 * 86_400))
  }

  @Test func `today is that of the zone asked for, else of the server's`() async throws {
    // 12:00 UTC on the 11th: already the 12th in Kiritimati.
    let sample = SampleLedger()
    try await sample.publish("2026-02-11", [.steps: .value(11)])
    try await sample.publish("2026-02-12", [.steps: .value(12)])
    func steps(_ arguments: [String: JSONValue], zone: String) async -> JSONValue? {
      await sample.answer(.daily, arguments, zone: zone).content["metrics"]?["steps"]
    }
    #expect(await steps(["date": "today"], zone: "UTC") == 11)
    #expect(await steps(["date": "today"], zone: "Pacific/Kiritimati") == 12)
    let named: [String: JSONValue] = ["date": "today", "timezone": "Pacific/Kiritimati"]
    #expect(await steps(named, zone: "UTC") == 12)
    let yesterday: [String: JSONValue] = ["date": "yesterday", "timezone": "Pacific/Kiritimati"]
    #expect(await steps(yesterday, zone: "UTC") == 11)
  }

  @Test func `a year of days is answered in few bytes`() async throws {
    let sample = SampleLedger()
    let all = Dictionary(
      uniqueKeysWithValues: DailyMetric.required.map { ($0, MetricReading.value(421.5)) })
    for offset in 0..<366 {
      try await sample.publish("\(CalendarDate("2025-01-01")!.adding(days: offset)!)", all)
    }
    let asked: [String: JSONValue] = ["start_date": "2025-01-01", "end_date": "2026-01-01"]
    let answer = await sample.answer(.range, asked)
    #expect(answer.content["coverage"]?["found"] == 366)
    #expect(answer.content.canonicalBytes.count < 366 * 850)
    let compact = await sample.answer(
      .range, asked.merging(["format": "compact"]) { mine, _ in mine })
    #expect(compact.content["coverage"]?["found"] == 366)
    #expect(compact.content.canonicalBytes.count < 366 * 70)
  }
}
