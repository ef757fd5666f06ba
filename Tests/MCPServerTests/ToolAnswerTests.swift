import HealthLedger
import HealthModel
import ObjectStore
import Testing

@testable import MCPServer

/// What the tools answer of a real ledger (R50, R51).
@Suite struct ToolAnswerTests {
  @Test func `a day is told with its units, reasons, freshness and coverage`() async throws {
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
    #expect(
      found["metrics"] == [
        "steps": 8432, "active_energy_kcal": .number(512.4), "exercise_minutes": .null,
        "stand_hours": .null, "resting_hr_avg": .null, "hrv_sdnn_avg": .null,
        "sleep_asleep_minutes": .number(0.30000000000000004), "sleep_in_bed_minutes": .null,
      ])
    #expect(
      found["null_reasons"] == [
        "exercise_minutes": "no_data", "stand_hours": "unsupported",
        "resting_hr_avg": "no_data", "hrv_sdnn_avg": "unauthorized",
        "sleep_in_bed_minutes": "no_data",
      ])
    #expect(found["units"]?["active_energy_kcal"] == "kcal")
    #expect(found["units"]?.objectValue?.count == 8)
    #expect(
      found["day"] == [
        "timezone": "Europe/Berlin", "start": "2026-02-08T00:00:00+01:00",
        "end": "2026-02-09T00:00:00+01:00",
      ])
    #expect(found["revision_id"] == "20260210T120000Z-ABCDEF01")
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

  @Test func `a range has a row for each day with data, and tells of all others`() async throws {
    let sample = SampleLedger()
    try await sample.publish("2026-02-02", [.steps: .value(2)])
    try await sample.publish("2026-02-03", [.steps: .value(3)], zone: "America/New_York")
    try await sample.publish("2026-02-04", [.heartRateVariability: .value(41)])
    try await sample.publish("2026-02-06", [.steps: .value(6), .heartRateVariability: .noData])
    try await sample.plant("2026-02-07", id: "20260207T120000Z-AAAAAA", "{}")
    try await sample.plant("2026-02-06", id: "20260211T120000Z-AAAAAA", "not JSON")
    let answer = await sample.answer(
      .range,
      ["from": "2026-02-01", "to": "2026-02-09", "metrics": ["hrv_sdnn_avg", "steps"]])
    #expect(!answer.isError)
    let found = answer.content
    #expect(found["metrics"] == ["steps", "hrv_sdnn_avg"])
    #expect(
      found["days"] == [
        "2026-02-02": [2, .null], "2026-02-03": [3, .null], "2026-02-04": [.null, 41],
        "2026-02-06": [6, .null],
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
    #expect(found["units"] == ["steps": "count", "hrv_sdnn_avg": "ms"])
    #expect(found["freshness"]?["newest_date"] == "2026-02-06")
    #expect(found["freshness"]?["age_seconds"] == 86_400)
  }

  @Test func `a range without any data is whole, and says so`() async {
    let answer = await SampleLedger().answer(.range, ["from": "2025-01-01", "to": "2026-01-01"])
    #expect(!answer.isError)
    #expect(answer.content["days"] == [:])
    #expect(answer.content["freshness"] == .null)
    #expect(answer.content["coverage"]?["asked"] == 366)
    #expect(answer.content["coverage"]?["missing"] == ["2025-01-01/2026-01-01"])
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
    let answer = await sample.answer(.range, ["from": "2026-02-01", "to": "2026-02-02"])
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
      uniqueKeysWithValues: Metric.allCases.map { ($0, MetricReading.value(421.5)) })
    for offset in 0..<366 {
      try await sample.publish("\(CalendarDate("2025-01-01")!.adding(days: offset)!)", all)
    }
    let answer = await sample.answer(.range, ["from": "2025-01-01", "to": "2026-01-01"])
    #expect(answer.content["coverage"]?["found"] == 366)
    #expect(answer.content.canonicalBytes.count < 366 * 70)
  }
}
