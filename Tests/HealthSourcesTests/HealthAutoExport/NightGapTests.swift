import HealthModel
import Testing

@testable import HealthSources

/// Nights of which payloads have rows that can't be used (R18): read from files, and as a server keeps payloads.
@Suite(.unit) struct NightGapTests {
  private static let zone = ReportingZones("Europe/Berlin")

  private static func export(_ rows: [String]) -> String {
    Payloads.export([("sleep_analysis", "hr", rows)])
  }

  /// From 23:30 to 06:00, and awake until 06:10.
  private static func night(
    _ stages: [String], from start: String = "09 23:30", source: String = "Watch"
  ) -> String {
    let times = [start, "10 03:30", "10 04:30", "10 06:00", "10 06:10"]
    return export(
      stages.enumerated().map { place, stage in
        let (from, to) = (times[place], times[place + 1])
        return Payloads.sleep("2024-06-\(from):00 +0200", "2024-06-\(to):00 +0200", stage, source)
      })
  }

  private static let payloads = [
    "en": night(["Core", "Deep", "REM", "Awake"]),
    "es": night(["Principal", "Profundo", "REM", "Despierto"]),
    // The same night, cut otherwise.
    "again": export([
      Payloads.sleep("2024-06-09 23:30:00 +0200", "2024-06-10 06:00:00 +0200", "Core")
    ]),
    "late": night(["Core", "Deep", "REM", "Awake"], from: "10 00:30"),
    "phone": night(["Core", "Deep", "REM", "Awake"], from: "09 23:45", source: "Phone"),
    "broken": export([
      Payloads.sleep("2024-06-09 23:30:00 +0200", "2024-06-10 03:30:00 +0200", "Core"),
      Payloads.sleep("2024-06-10 04:30:00 +0200", "2024-06-10 03:30:00 +0200", "Deep"),
    ]),
    "undated": export([
      Payloads.sleep("2024-06-09 23:30:00 +0200", "2024-06-10 03:30:00 +0200", "Core"),
      Payloads.sleep("then", "later", "Deep"),
      Payloads.sleep("2024-06-10 04:30:00 +0200", "2024-06-10 06:00:00 +0200", "REM"),
    ]),
    "summary": export([summary("\"totalSleep\":6.5,\"core\":4,\"deep\":1,\"rem\":1.5")]),
    "amount": export(["{\"date\":\"2024-06-10 00:00:00 +0200\",\"qty\":6.5}"]),
    "nap and amount": export([
      summary("\"totalSleep\":0.5", "10 14:00", "10 14:30"),
      "{\"date\":\"2024-06-10 00:00:00 +0200\",\"qty\":6.5}",
    ]),
    "empty": export([summary("\"totalSleep\":null,\"asleep\":null")]),
  ]

  private static func summary(
    _ members: String, _ start: String = "09 23:30", _ end: String = "10 06:10"
  ) -> String {
    "{\"date\":\"2024-06-10 00:00:00 +0200\",\"sleepStart\":\"2024-06-\(start):00 +0200\","
      + "\"sleepEnd\":\"2024-06-\(end):00 +0200\",\(members)}"
  }

  /// What a server makes of payloads that came one after the other.
  private func figures(_ texts: [String]) throws -> PayloadDay.Figures {
    let metrics = Set(DailyMetric.allCases)
    var day = try PayloadDay(
      try #require(CalendarDate("2024-06-10")), in: Self.zone, metrics: metrics)
    for text in texts {
      let root = try JSONValue(parsing: Array(text.utf8))
      day.add(
        try CaptureRows(parts: [root], rowLength: nil, in: Self.zone, metrics: metrics),
        capturedAt: .last)
    }
    return try day.figures()
  }

  @Test(
    arguments: [
      // A payload captured later that goes back as far has what was missing.
      (["es"], nil), (["es", "en"], 390), (["es", "again"], 390), (["es", "late"], nil),
      (["broken"], nil), (["broken", "en"], 390), (["broken", "late"], 390),
      (["undated", "en"], 390),
      (["es", "broken", "en"], 390), (["broken", "undated"], nil),
      // The same samples in another language are known, whichever payload came first.
      (["en", "es"], 390), (["en", "es", "es"], 390), (["again", "es"], nil),
      (["phone", "es"], nil),
      (["en", "broken"], nil),
      // HealthKit has made the sum of a night, unless its own payload has another row of it that is wrong.
      (["es", "summary"], 390), (["summary", "es"], 390), (["summary", "amount"], 390),
      (["summary", "empty"], 390), (["summary", "nap and amount"], 390), (["amount"], nil),
      (["nap and amount"], nil),
    ] as [([String], Double?)])
  func `R18: a night is a part until a payload has what was missing`(
    names: [String], minutes: Double?
  ) throws {
    let texts = names.compactMap { Self.payloads[$0] }
    let found = try figures(texts)
    #expect((found.raw[.sleepAsleep] ?? found.dayRows[.sleepAsleep]?.number) == minutes)
    #expect(found.unsupported.contains(.sleepAsleep) == (minutes == nil))
    if names.last == "en" { #expect(found.unsupported.isEmpty, "\(found.unsupported)") }
    // Files with a row that is wrong are refused, so they make no part of a night.
    guard Set(names).isDisjoint(with: ["broken", "undated", "amount", "nap and amount"]) else {
      return
    }
    var series = try PayloadSeries(timeZoneName: "Europe/Berlin")
    for text in texts { try series.add(SourceDocument(parsing: Array(text.utf8))) }
    let day = try #require(try series.result().days.first { $0.date.description == "2024-06-10" })
    #expect(day.readings[.sleepAsleep] == minutes.map { .value($0) } ?? .unsupported)
  }

  @Test(
    arguments: [
      (["\"3\"", "\"4\"", "\" 5 \"", "\"2\""], nil), (["3", "4", "5", "2"], nil),
      (["\"In Bed\"", "\"Asleep\"", "\"asleepUnspecified\"", "\"AWAKE\""], [1]),
      (["0", "\"HKCategoryValueSleepAnalysisAsleep\"", "1", "2"], [1]),
      (["\"core\"", "\"Core 2\"", "5", "2"], "Core 2"), (["\"\"", "4", "5", "2"], ""),
      (["9", "4", "5", "2"], "9"), (["2.5", "4", "5", "2"], "2.5"),
      (["true", "4", "5", "2"], "not a string"),
      (["\"HKCategoryValueSleepAnalysis\"", "4", "5", "2"], "HKCategoryValueSleepAnalysis"),
    ] as [([String], (any Sendable)?)])
  func `R18: a stage is what its whole text or HealthKit's number says`(
    values: [String], expected: (any Sendable)?
  ) throws {
    let text = Self.night(["a", "b", "c", "d"])
    let rows = zip(["a", "b", "c", "d"], values).reduce(text) { text, one in
      text.replacing("\"value\":\"\(one.0)\"", with: "\"value\":\(one.1)")
    }
    let found = try figures([rows])
    if let name = expected as? String {
      #expect(found.unsupported.contains(.sleepAsleep) && found.raw.isEmpty)
      #expect(found.notes.contains { $0.contains("the stage '\(name)' is not known") })
    } else if expected == nil {
      #expect(found.raw[.sleepAsleep] == 390 && found.raw[.sleepAwake] == 10)
      #expect(found.raw[.sleepCore] == 240 && found.raw[.sleepDeep] == 60)
    } else {
      #expect(found.raw[.sleepAsleep] == 150 && found.raw[.sleepInBed] == 240)
    }
  }

  @Test(arguments: [
    "{\"startDate\":\"2024-06-10 03:30:00 +0200\",\"endDate\":\"2024-06-10 04:30:00 +0200\",\"qty\":1}",
    "{\"startDate\":\"2024-06-10 03:30:00 +0200\",\"endDate\":\"2024-06-10 04:30:00 +0200\",\"value\":null}",
    "{\"date\":\"2024-06-10 00:00:00 +0200\",\"qty\":6.5}",
  ])
  func `R18: a row of sleep that says nothing is wrong, and the others are a part of the night`(
    row: String
  ) throws {
    let core = Payloads.sleep("2024-06-09 23:30:00 +0200", "2024-06-10 03:30:00 +0200", "Core")
    let text = Self.export([core, row])
    let error = try Payloads.error(text)
    #expect(error.problems.map(\.pointer) == ["/data/metrics/0/data/1"])
    #expect(error.description.contains("no 'value', and none of 'totalSleep'"), "\(error)")
    let found = try figures([text])
    #expect(found.raw.isEmpty && found.unsupported.contains(.sleepAsleep))
    #expect(found.notes.contains { $0.contains("1 row was left out") })
  }

  @Test(
    arguments: [
      ("\"principal\":4,\"profundo\":1,\"rem\":1.5", nil, "the stages 'principal', 'profundo' are"),
      ("\"core\":4,\"deep\":1,\"rem\":1.5,\"light\":0.5", nil, "the stage 'light' is"),
      ("\"totalSleep\":0,\"asleep\":0,\"principal\":4", nil, "the stage 'principal' is"),
      ("\"core\":4,\"deep\":1,\"rem\":1.5,\"light\":0,\"qty\":6", 390, ""),
      ("\"totalSleep\":6.5,\"principal\":4,\"rem\":1.5", 390, ""),
    ] as [(String, Double?, String)])
  func `R18: a summary without its total has no number beside members that are not known`(
    members: String, minutes: Double?, words: String
  ) throws {
    let text = Self.export([Self.summary(members)])
    let day = try #require(try Payloads.days(text).days.first)
    #expect(day.readings[.sleepAsleep] == minutes.map { .value($0) } ?? .unsupported)
    let found = try figures([text])
    #expect(found.dayRows[.sleepAsleep]?.number == minutes)
    #expect(
      found.notes == day.notes && found.notes.contains { $0.contains(words) } == (minutes == nil))
  }

  @Test func `of many stages that are not known in a night the rest is counted`() throws {
    let rows = (10..<40).map {
      Payloads.sleep("2024-06-10 01:\($0):00 +0200", "2024-06-10 01:\($0 + 1):00 +0200", "S\($0)")
    }
    let found = try figures([Self.export(rows)])
    #expect(found.notes.contains { $0.contains("'S28', 'S29' and 10 more are not known") })
  }
}
