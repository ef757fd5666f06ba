import HealthModel
import Testing

@testable import HealthExports

private let now = Timestamp("2026-01-20T12:00:00Z") ?? Timestamp(secondsSince1970: 0)

private func decode(_ text: String, _ kind: RecordKind) throws -> RecordBatch {
  try RecordBatch(parsing: Array(text.utf8), of: kind, in: RecordBounds(now: now))
}

/// The faults of a body, as `code pointer`.
private func faults(_ text: String, _ kind: RecordKind) -> [String] {
  do {
    _ = try decode(text, kind)
    return []
  } catch let faults as IngestRefusal {
    return faults.faults.map { "\($0.code.rawValue) \($0.pointer)" }
  } catch {
    return ["\(error)"]
  }
}

@Suite(.unit)
struct HealthRecordsTests {
  @Test func `R56: a day's revision becomes rows with the ids, types and units of the document`()
    throws
  {
    let date = try #require(CalendarDate("2026-01-15"))
    let revision = DailyRevision(
      day: try ReportingDay(date: date, timeZoneName: "America/New_York"), generatedAt: now,
      collector: nil,
      readings: [
        .sleepAsleep: .value(450), .steps: .value(9000), .weight: .value(80),
        .distance: .value(1609.344), .waist: .value(254),
      ])
    let records = MetricRecord.records(of: revision)
    #expect(
      records.map(\.id) == [
        "2026-01-15_Sleep Analysis [Asleep] (hr)", "2026-01-15_Walking + Running Distance (mi)",
        "2026-01-15_Weight/Body Mass (lb)", "2026-01-15_Waist Circumference (in)",
      ])
    #expect(records.map(\.unit) == ["hr", "mi", "lb", "in"])
    #expect(records[0].value == 7.5)
    #expect(records[1].value == 1)
    #expect(abs((records[2].value ?? 0) - 176.36980975) < 1e-6)
    #expect(records[3].value == 100)
    #expect(records.allSatisfy { $0.timeZoneName == "America/New_York" })
    #expect(MetricRecord.given.count == 28)
  }

  @Test func `R56: a row has the pounds that were sent, although a day keeps kilograms`() throws {
    let date = try #require(CalendarDate("2026-01-15"))
    func row(_ metric: DailyMetric, _ number: Double) -> Double? {
      MetricRecord(metric, number, on: date, timeZoneName: "UTC")?.value
    }
    for tenth in 500...5000 {
      let pounds = Double(tenth) / 10
      let kilograms = (pounds * 0.45359237 * 1_000_000).rounded() / 1_000_000
      #expect(row(.weight, kilograms) == pounds)
    }
    // What no short decimal says stays as it is: 437 minutes.
    #expect(row(.sleepAsleep, 437) == 437.0 / 60)
    // A day has six decimals, whatever was sent.
    #expect(row(.weight, 71.2) == 156.96913)
    // More of them were not rounded by a day.
    #expect(row(.weight, 71.2140021) == 71.2140021 / 0.45359237)
  }

  @Test
  func `R56: the example of the document is written byte for byte, but for the order of members`()
    throws
  {
    let date = try #require(CalendarDate("2026-01-15"))
    let batch = RecordBatch.metrics([
      MetricRecord(
        date: date, type: "Weight/Body Mass (lb)", value: 175.2, unit: "lb",
        timeZoneName: "America/New_York")
    ])
    #expect(
      String(decoding: batch.body, as: UTF8.self)
        == #"{"records":[{"date":"2026-01-15T00:00:00Z","#
        + #""healthkit_uuid":"2026-01-15_Weight/Body Mass (lb)","timezone":"America/New_York","#
        + #""type":"Weight/Body Mass (lb)","unit":"lb","value":175.2}]}"#)
  }

  @Test func `R56: workouts have the eleven keys of the document, each in its unit`() {
    let figures = Dictionary(uniqueKeysWithValues: WorkoutFigure.allCases.map { ($0, 1609.344) })
    let record = WorkoutRecord(
      Workout(
        id: "0d0a5c1e-0000-5000-8000-000000000001", activity: "Running", start: 100, end: 1900,
        duration: 1799.6, source: "Watch", figures: figures), timeZoneName: "Europe/Berlin")
    #expect(
      Set(record.metrics.keys) == [
        "Distance (mi)", "Total Energy (kcal)", "Active Energy (kcal)", "Avg Heart Rate (bpm)",
        "Max Heart Rate (bpm)", "Avg Speed(mi/hr)", "Max Speed(mi/hr)", "Step Count (count)",
        "Swimming Strokes Count (count)", "Elevation Ascended (m)", "Elevation Descended (m)",
      ])
    #expect(record.metrics["Distance (mi)"] == 1)
    #expect(abs((record.metrics["Avg Speed(mi/hr)"] ?? 0) - 1000) < 1e-9)
    #expect(record.durationSeconds == 1800)
  }

  @Test func `R56: what is written is read again, in all three kinds`() throws {
    let date = try #require(CalendarDate("2026-01-15"))
    let moment = try #require(PreciseMoment("2026-01-15T07:30:00.250000Z"))
    let id = "0d0a5c1e-0000-5000-8000-000000000001"
    let batches: [RecordBatch] = [
      .metrics(
        MetricRecord.given.map {
          MetricRecord(
            date: date, type: $0.recordType, value: 30.5, unit: $0.recordUnitLabel,
            timeZoneName: "Asia/Kolkata")
        }.filter { RecordBounds.values(of: $0.type).contains($0.value ?? .nan) }
          + [MetricRecord(date: date, type: "x", value: nil, unit: nil, timeZoneName: nil)]),
      .workouts([
        WorkoutRecord(
          id: id, type: "Running", start: moment, end: moment, durationSeconds: 0,
          timeZoneName: nil, metrics: ["Avg Speed(mi/hr)": 6.5])
      ]),
      .sleep(
        (SleepValue.allCases + [nil]).map {
          SleepRecord(id: id, start: moment, end: moment, source: "Wörk\t\\", hours: 0, value: $0)
        }),
    ]
    for batch in batches {
      let read = try RecordBatch(
        parsing: batch.body, of: batch.kind, in: RecordBounds(now: now))
      #expect(read == batch)
      #expect(batch.count > 0)
    }
    #expect("\(moment)" == "2026-01-15T07:30:00.25Z")
  }

  @Test func `R56: moments have microseconds, before 1970 too`() {
    #expect(PreciseMoment("1969-12-31T23:59:59.5Z")?.microseconds == -500_000)
    #expect("\(PreciseMoment(microseconds: -500_000))" == "1969-12-31T23:59:59.5Z")
    #expect(PreciseMoment("2026-01-15T00:00:00.123456789Z")?.microseconds == 1_768_435_200_123_456)
    #expect(PreciseMoment("2026-01-15T00:00:00+01:00") == nil)
  }

  @Test(arguments: [
    (RecordKind.metrics, "[]", ["wrong_type "]),
    (.metrics, "{", ["syntax "]),
    (.metrics, "{}", ["missing_member /records"]),
    (.metrics, #"{"records":{}}"#, ["wrong_type /records"]),
    (.metrics, #"{"records":[],"a/b":1}"#, ["unknown_member /a~1b"]),
    (
      .metrics, #"{"records":[7,{}]}"#,
      [
        "wrong_type /records/0", "missing_member /records/1/healthkit_uuid",
        "missing_member /records/1/date", "missing_member /records/1/type",
        "missing_member /records/1/value",
      ]
    ),
    (
      .metrics,
      #"{"records":[{"healthkit_uuid":"2026-01-14_Weight/Body Mass (lb)","#
        + #""date":"2026-01-15T00:00:00.000Z","type":"Weight/Body Mass (lb)","value":1501,"#
        + #""unit":"kg","timezone":"New York","extra":1}]}"#,
      [
        "unknown_member /records/0/extra", "invalid_value /records/0/timezone",
        "invalid_value /records/0/healthkit_uuid", "invalid_value /records/0/unit",
        "out_of_bounds /records/0/value",
      ]
    ),
    (
      .metrics,
      #"{"records":[{"healthkit_uuid":"2026-01-22_x","date":"2026-01-22T00:00:00Z","#
        + #""type":"x","value":1},"#
        + #"{"healthkit_uuid":"2026-01-15_x","date":"2026-01-15T01:00:00Z","type":"x","value":1},"#
        + #"{"healthkit_uuid":"2026-01-21_x","date":"2026-01-21T00:00:00Z","type":"x","value":1}]}"#,
      ["out_of_bounds /records/0/date", "invalid_value /records/1/date"]
    ),
    (
      .workouts,
      #"{"records":[{"healthkit_uuid":"0D0A5C1E-0000-5000-8000-000000000001","type":"Running","#
        + #""start_time":"2026-01-15T08:00:00Z","end_time":"2026-01-15T07:00:00Z","#
        + #""duration_seconds":1.5,"#
        + #""metrics":{"Avg Speed(mi/hr)":301,"Avg Speed (mi/hr)":1,"Distance (mi)":"1"}}]}"#,
      [
        "invalid_value /records/0/end_time",
        "unknown_member /records/0/metrics/Avg Speed (mi~1hr)",
        "out_of_bounds /records/0/metrics/Avg Speed(mi~1hr)",
        "wrong_type /records/0/metrics/Distance (mi)",
        "invalid_value /records/0/duration_seconds",
      ]
    ),
    (
      .sleep,
      #"{"records":[{"healthkit_uuid":"night","start_time":"1899-12-31T00:00:00Z","#
        + #""end_time":"2026-01-15T07:00:00Z","qty":26,"value":"deep","source":"a\u0000b"}]}"#,
      [
        "invalid_value /records/0/healthkit_uuid", "out_of_bounds /records/0/start_time",
        "invalid_value /records/0/source", "out_of_bounds /records/0/qty",
        "invalid_value /records/0/value",
      ]
    ),
    (
      .sleep,
      #"{"records":[{"healthkit_uuid":"0D0A5C1E-0000-5000-8000-000000000001","#
        + #""start_time":"2026-01-15T00:00:00Z","end_time":"2026-01-15T07:00:00Z","#
        + #""value":"asleepREM"}]}"#, []
    ),
    (
      .sleep,
      #"{"records":[{"healthkit_uuid":"0D0A5C1E-0000-5000-8000-000000000001","#
        + #""start_time":"2026-01-15T00:00:00Z","end_time":"2026-01-15T07:00:00Z","#
        + #""value":null}]}"#, []
    ),
    (
      .metrics,
      #"{"records":[{"healthkit_uuid":"2026-01-15_x","date":"2026-01-15T00:00:00Z","type":"x","#
        + #""value":null,"unit":null,"timezone":null},"#
        + #"{"healthkit_uuid":"2026-01-16_x","date":"2026-01-16T00:00:00Z","type":"x"}]}"#,
      ["missing_member /records/1/value"]
    ),
  ])
  func `R56: every fault is reported with its JSON pointer, and a UUID in capitals is taken`(
    kind: RecordKind, body: String, expected: [String]
  ) {
    #expect(faults(body, kind) == expected)
  }

  @Test func `R56: a type that only looks like one of the document's is refused`() {
    // U+0387 is canonically equivalent to the middle dot of the document's type.
    let body =
      "{\"records\":[{\"healthkit_uuid\":\"2026-01-15_VO2 Max (ml/(kg\u{387}min))\","
      + "\"date\":\"2026-01-15T00:00:00Z\",\"type\":\"VO2 Max (ml/(kg\u{387}min))\",\"value\":40}]}"
    #expect(faults(body, .metrics) == ["invalid_value /records/0/type"])
  }

  @Test func `R56: the numbers of a type are bounded by what a living person has`() {
    #expect(RecordBounds.values(of: "Heart Rate [Max] (bpm)") == 20...300)
    #expect(RecordBounds.values(of: "Weight/Body Mass (lb)") == 2...1500)
    #expect(RecordBounds.values(of: "Sleep Analysis [Core] (hr)") == 0...25)
    #expect(RecordBounds.values(of: "Body Fat Percentage (%)") == 0...100)
    #expect("\(RecordBounds(now: now).dates)" == "1900-01-01...2026-01-21")
  }

  @Test func `R56: more faults than are listed are still counted`() {
    let body = "{\"records\":[" + Array(repeating: "1", count: 5000).joined(separator: ",") + "]}"
    #expect {
      try decode(body, .sleep)
    } throws: { error in
      (error as? IngestRefusal)?.count == 5000 && (error as? IngestRefusal)?.faults.count == 1000
    }
    let many =
      "{\"records\":[" + Array(repeating: "{}", count: 10_001).joined(separator: ",") + "]}"
    #expect(faults(many, .sleep) == ["too_many_records /records"])
  }
}
