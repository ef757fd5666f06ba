import Foundation
import HealthModel
import HealthSources
import TestSupport
import Testing

@Suite(.unit) struct MetricsJSONTests {
  @Test func `one day with a status`() throws {
    let result = try Payloads.days(
      """
      {"date":"2026-02-08","timezone":"America/New_York","captured_at":"2026-02-09T07:00:00+01:00",
       "metrics":{"steps":1250,"stand_hours":0,"hrv_sdnn_avg":null,"active_energy_kcal":null},
       "status":{"hrv_sdnn_avg":"unauthorized","exercise_minutes":"unsupported","steps":"ok"}}
      """)
    let day = try #require(result.days.first)
    #expect(result.days.count == 1)
    #expect(day.date.description == "2026-02-08")
    #expect(day.timeZoneName == "America/New_York")
    #expect(day.capturedAt?.description == "2026-02-09T06:00:00Z")
    #expect(
      day.readings == [
        .steps: .value(1250), .standHours: .value(0), .heartRateVariability: .unauthorized,
        .activeEnergy: .noData, .exerciseMinutes: .unsupported,
      ])
    #expect(day.notes.isEmpty && result.notes.isEmpty)
  }

  @Test func `the caller's date is taken only where the document names none`() throws {
    let given = try Payloads.days("{\"metrics\":{\"steps\":1}}", defaultDate: "2026-02-08")
    #expect(given.table == ["2026-02-08": ["steps": "1.0"]])
    #expect(given.days.first?.timeZoneName == nil)
    let own = try Payloads.days(
      "{\"date\":\"2026-02-07\",\"metrics\":{\"steps\":1}}", defaultDate: "2026-02-08")
    #expect(own.table.keys.sorted() == ["2026-02-07"])
    let error = try Payloads.error("{\"metrics\":{\"steps\":1}}", defaultDate: nil)
    #expect(error.problems.map(\.pointer) == ["/date"])
  }

  @Test func `several days are sorted and share the outer time zone`() throws {
    let result = try Payloads.days(
      """
      {"timezone":"Asia/Tokyo","days":[
        {"date":"2026-02-09","metrics":{"steps":2}},
        {"date":"2026-02-08","timezone":"UTC","metrics":{"steps":1}}]}
      """)
    #expect(result.days.map(\.date.description) == ["2026-02-08", "2026-02-09"])
    #expect(result.days.map(\.timeZoneName) == ["UTC", "Asia/Tokyo"])
  }

  @Test func `R9 and R10: a stored revision is an input, and its readings survive`() throws {
    let day = try ReportingDay(
      date: #require(CalendarDate("2026-02-08")), timeZoneName: "Europe/Paris")
    let readings: [DailyMetric: MetricReading] = [
      .steps: .value(812), .activeEnergy: .value(250.25), .exerciseMinutes: .noData,
      .standHours: .value(0), .restingHeartRate: .unsupported,
      .heartRateVariability: .unauthorized, .sleepAsleep: .noData, .sleepInBed: .value(444),
    ]
    let revision = DailyRevision(
      day: day, generatedAt: Timestamp(secondsSince1970: 1_770_600_000),
      collector: Collector(collectorID: UUID(), deviceID: UUID()), readings: readings)
    #expect(try SourceDocument.recognise(revision.encoded) == .revision)
    let result = try SourceDocument.days(from: revision.encoded, timeZoneName: "UTC")
    #expect(result.days.count == 1)
    #expect(result.days.first?.readings == readings)
    #expect(result.days.first?.timeZoneName == "Europe/Paris")
    #expect(result.days.first?.notes.isEmpty == true)
  }

  @Test func `R19: metrics JSON speaks of what it gives a number or a status`() throws {
    func spoken(_ sources: String) throws -> Set<DailyMetric>? {
      let result = try Payloads.days(
        """
        {"date":"2026-02-08",\(sources)"metrics":{"steps":1,"sleep_asleep_minutes":400},
         "metric_status":{"steps":"ok","sleep_asleep_minutes":"ok","stand_hours":"no_data",
          "resting_hr_avg":"no_data"}}
        """)
      #expect(result.days.first?.notes == [])
      return result.days.first?.speaksOf
    }
    #expect(try spoken("") == [.steps, .sleepAsleep, .standHours, .restingHeartRate])
    // A revision has a status for each required metric, also for those of which no source has spoken.
    let sources = #""sources":{"fold":1,"words":[]},"parent":"20260209T000000Z-AAAAAA","#
    #expect(try spoken(sources) == [.steps, .sleepAsleep])
  }

  @Test
  func `R42: optional metrics are taken, with their unit, and one without a number is left out`()
    throws
  {
    let result = try Payloads.days(
      """
      {"date":"2026-02-08","metrics":{"steps":1,"weight":80.25,"heart_rate_max":151,"water":null,
      "vo2_max":0,"falls":null},
      "status":{"weight":"ok","water":"no_data"},
      "metric_units":{"weight":"kg","heart_rate_max":"bpm","vo2_max":"mL/min·kg"}}
      """)
    #expect(result.table == ["2026-02-08": ["steps": "1.0"]])
    #expect(
      result.days.first?.speaksOf == [.steps, .weight, .heartRateMaximum, .water, .vo2Max])
    #expect(
      result.optionalTable == [
        "2026-02-08": ["weight": 80.25, "heart_rate_max": 151, "vo2_max": 0]
      ])
    let alone = try Payloads.days("{\"date\":\"2026-02-08\",\"metrics\":{\"weight\":80}}")
    #expect(alone.days.first?.notes == [] && alone.days.first?.speaksOf == [.weight])
    let bytes = Array("{\"date\":\"2026-02-08\",\"metrics\":{\"weight\":8,\"water\":9}}".utf8)
    let chosen = try SourceDocument.days(from: bytes, in: ReportingZones("UTC"), metrics: [.water])
    #expect(chosen.optionalTable == ["2026-02-08": ["water": 9]])
  }

  @Test func `R42: every optional metric of a stored revision survives`() throws {
    let day = try ReportingDay(
      date: #require(CalendarDate("2026-02-08")), timeZoneName: "Europe/Paris")
    var readings: [DailyMetric: MetricReading] = [.steps: .value(812)]
    for (place, metric) in DailyMetric.optional.enumerated() {
      readings[metric] = .value(Double(place) + 0.5)
    }
    let revision = DailyRevision(
      day: day, generatedAt: Timestamp(secondsSince1970: 1_770_600_000),
      collector: Collector(collectorID: UUID(), deviceID: UUID()), readings: readings)
    let result = try SourceDocument.days(from: revision.encoded, timeZoneName: "UTC")
    #expect(result.days.first?.readings.with([:]).filter { $0.value.number != nil } == readings)
  }

  @Test(arguments: [
    ("{\"metrics\":{\"step\":1}}", "/metrics/step", "did you mean 'steps'?"),
    ("{\"metrics\":{\"step_count\":1}}", "/metrics/step_count", "did you mean 'steps'?"),
    ("{\"metrics\":{\"hrv\":1}}", "/metrics/hrv", "did you mean 'hrv_sdnn_avg'?"),
    ("{\"metrics\":{\"Steps\":1}}", "/metrics/Steps", "did you mean 'steps'?"),
    ("{\"metrics\":{\"xyz\":1}}", "/metrics/xyz", "the metrics are steps, "),
    ("{\"metrics\":{\"wieght\":1}}", "/metrics/wieght", "did you mean 'weight'?"),
    ("{\"metrics\":{\"heart_rate\":1}}", "/metrics/heart_rate", "did you mean 'heart_rate_avg'?"),
    ("{\"metrics\":{\"weight_body_mass\":1}}", "/metrics/weight_body_mass", "'weight'"),
    ("{\"metrics\":{\"weight\":-1}}", "/metrics/weight", "-1.0 is negative"),
    ("{\"metrics\":{},\"weight\":80}", "/weight", "move it into 'metrics'"),
    (
      "{\"metrics\":{\"weight\":null},\"status\":{\"weight\":\"ok\"}}", "/status/weight",
      "the number is missing"
    ),
    (
      "{\"metrics\":{},\"status\":{\"weight\":\"unauthorized\"}}", "/status/weight",
      "only a required metric can be 'unauthorized'"
    ),
    (
      "{\"metrics\":{\"weight\":1},\"metric_units\":{\"weight\":\"lb\"}}", "/metric_units/weight",
      "always 'kg'"
    ),
    ("{\"metrics\":{},\"status\":{\"stesp\":\"no_data\"}}", "/status/stesp", "'steps'"),
    ("{\"metrics\":{},\"steps\":5}", "/steps", "move it into 'metrics'"),
    ("{\"metrics\":{},\"statsu\":{}}", "/statsu", "did you mean 'status'?"),
    ("{\"metrics\":{\"steps\":\"1250\"}}", "/metrics/steps", "write 1250 without quotes"),
    ("{\"metrics\":{\"steps\":-1}}", "/metrics/steps", "-1.0 is negative"),
    ("{\"metrics\":{\"steps\":true}}", "/metrics/steps", "neither a number nor null"),
    ("{\"metrics\":{\"steps\":[1]}}", "/metrics/steps", "neither a number nor null"),
    ("{\"metrics\":{\"steps\":1},\"status\":{\"steps\":\"no_data\"}}", "/metrics/steps", "no_data"),
    (
      "{\"metrics\":{\"steps\":0},\"status\":{\"steps\":\"unauthorized\"}}", "/metrics/steps",
      "although the status is 'unauthorized'"
    ),
    ("{\"metrics\":{\"steps\":null},\"status\":{\"steps\":\"ok\"}}", "/status/steps", "is missing"),
    ("{\"metrics\":{},\"metric_status\":{\"steps\":\"ok\"}}", "/metric_status/steps", "is missing"),
    ("{\"metrics\":{},\"status\":{\"steps\":\"nodata\"}}", "/status/steps", "ok, no_data, "),
    ("{\"metrics\":{},\"status\":{\"steps\":1}}", "/status/steps", "unknown status"),
    ("{\"metrics\":{},\"status\":{},\"metric_status\":{}}", "/status", "both given"),
    ("{\"metrics\":[]}", "/metrics", "not an object"),
    ("{\"metrics\":null}", "/metrics", "not an object"),
    (
      "{\"metrics\":{},\"metric_units\":{\"active_energy_kcal\":\"kJ\"}}",
      "/metric_units/active_energy_kcal", "always 'kcal'"
    ),
    ("{\"date\":\"2026-02-30\",\"metrics\":{}}", "/date", "'2026-02-30' is not a date"),
    ("{\"date\":\"8.2.2026\",\"metrics\":{}}", "/date", "write YYYY-MM-DD"),
    ("{\"date\":20260208,\"metrics\":{}}", "/date", "not a string"),
    (
      "{\"date\":\"2011-12-30\",\"timezone\":\"Pacific/Apia\",\"metrics\":{}}", "/date",
      "does not exist in the time zone Pacific/Apia"
    ),
    ("{\"timezone\":\"Berlin\",\"metrics\":{}}", "/timezone", "no time zone is named 'Berlin'"),
    ("{\"timezone\":1,\"metrics\":{}}", "/timezone", "not a string"),
    ("{\"captured_at\":\"2026-02-08 10:00\",\"metrics\":{}}", "/captured_at", "with an offset"),
    ("{\"schema_version\":\"health.v1\",\"metrics\":{}}", "/schema_version", "health.v0"),
    ("{\"days\":{}}", "/days", "not an array"),
    ("{\"days\":[],\"metrics\":{}}", "/metrics", "beside 'days'"),
    ("{\"days\":[1]}", "/days/0", "not an object"),
    ("{\"days\":[{\"metrics\":{}}]}", "/days/0/date", "the date is missing"),
    ("{\"days\":[{\"date\":\"2026-02-08\"}]}", "/days/0/metrics", "'metrics' is missing"),
    (
      "{\"days\":[{\"date\":\"2026-02-08\",\"metrics\":{}},{\"date\":\"2026-02-08\",\"metrics\":{}}]}",
      "/days/1/date", "a second time"
    ),
  ])
  func `each fault is reported once, at its pointer, with its remedy`(
    text: String, pointer: String, words: String
  ) throws {
    let error = try Payloads.error(text)
    #expect(error.code == .invalid)
    #expect(error.problems.map(\.pointer) == [pointer])
    #expect(error.description.contains(words), "\(error)")
  }

  @Test func `all faults are reported at once, and a flood of them is bounded`() throws {
    let error = try Payloads.error(
      "{\"date\":\"x\",\"timezone\":\"y\",\"metrics\":{\"a\":1,\"steps\":\"b\",\"stand_hours\":-2}}"
    )
    #expect(
      error.problems.map(\.pointer).sorted() == [
        "/date", "/metrics/a", "/metrics/stand_hours", "/metrics/steps", "/timezone",
      ])
    let many = (0..<5000).map { "\"m\($0)\":1" }.joined(separator: ",")
    let flood = try Payloads.error("{\"metrics\":{\(many)}}")
    #expect(flood.problemCount == 5000)
    #expect(flood.problems.count == SourceError.maximumProblems)
    #expect(flood.description.hasSuffix("and 4900 more problems"))
  }

  @Test func `unknown members are noted`() throws {
    let result = try Payloads.days(
      "{\"date\":\"2026-02-08\",\"metrics\":{\"steps\":1},\"mood\":\"good\"}")
    #expect(result.days.first?.notes == ["/mood is not known and was ignored"])
  }
}
