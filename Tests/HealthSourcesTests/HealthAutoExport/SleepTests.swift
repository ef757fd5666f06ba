import HealthModel
import HealthSources
import Testing

/// The rules for nights, one by one.
@Suite(.unit) struct SleepTests {
  private func nights(_ rows: [String], units: String = "hr") throws -> [String: [String: String]] {
    try Payloads.days(Payloads.export([("sleep_analysis", units, rows)])).table
  }

  private func summary(_ members: String, end: String = "06:16") -> String {
    "{\"date\":\"2024-06-10 00:00:00 +0200\",\"sleepStart\":\"2024-06-09 23:10:00 +0200\","
      + "\"sleepEnd\":\"2024-06-10 \(end):00 +0200\",\(members)}"
  }

  @Test func `the night runs from 18 to 18 o'clock and is named by its second day`() throws {
    // 17:00 to 19:00 lies on both sides of 18:00.
    let rows = [
      Payloads.sleep("2024-06-09 17:00:00 +0200", "2024-06-09 19:00:00 +0200", "Core"),
      Payloads.sleep("2024-06-10 13:00:00 +0200", "2024-06-10 13:30:00 +0200", "Core"),
    ]
    #expect(
      try nights(rows) == [
        "2024-06-09": ["sleep_asleep_minutes": "60.0"],
        "2024-06-10": ["sleep_asleep_minutes": "90.0"],
      ])
  }

  @Test(
    arguments: [
      // Who has seen stages comes first. What the other saw beside it counts in proportion.
      (["23:10 06:50 7.5 4.5 1 2", "23:10 07:20 8 0 0 0"], [479.387755, 270, 60, 120]),
      (["05:00 06:00 0.9 0.5 0.2 0.2", "22:30 06:30 7"], [421.5, 30, 12, 12]),
      // Then the longest: all its numbers count, and no stage of another.
      (["23:00 06:00 6.5 4 1 1.5", "22:30 06:30 7 7 0 0"], [420, 420]),
      (["23:00 06:00 6.5 4 1 1.5", "22:30 06:30 7"], [442.5, 240, 60, 90]),
      // A nap is another sleep.
      (["23:10 06:50 7.5 4.5 1 2", "14:00 14:30 0.5"], [480, 270, 60, 120]),
    ] as [([String], [Double])])
  func `R18: of summaries that overlap, asleep and stages are of the same rows, in any order`(
    rows: [String], minutes: [Double]
  ) throws {
    let texts = rows.map { row in
      let words = row.split(separator: " ")
      let members = zip(["totalSleep", "core", "deep", "rem"], words.dropFirst(2))
      let start = words[0].hasPrefix("2") ? "2024-06-09 \(words[0])" : "2024-06-10 \(words[0])"
      return "{\"date\":\"2024-06-10 00:00:00 +0200\",\"sleepStart\":\"\(start):00 +0200\","
        + "\"sleepEnd\":\"2024-06-10 \(words[1]):00 +0200\","
        + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
    for rows in [texts, texts.reversed()] {
      let day = try #require(
        try Payloads.days(Payloads.export([("sleep_analysis", "hr", rows)])).days.first)
      let metrics: [DailyMetric] = [.sleepAsleep, .sleepCore, .sleepDeep, .sleepREM]
      #expect(metrics.compactMap { day.readings[$0]?.number } == minutes)
    }
  }

  @Test func `18 o'clock is the clock's, also where it changes in the evening`() throws {
    // Nuuk went from -02:00 to -01:00 at 22:00 on 2024-03-30: 18:00 was 20:00 UTC.
    let rows = [Payloads.sleep("2024-03-30 19:00:00 +0000", "2024-03-30 21:00:00 +0000", "Core")]
    #expect(
      try Payloads.days(
        Payloads.export([("sleep_analysis", "hr", rows)]), zone: "America/Nuuk"
      ).table == [
        "2024-03-30": ["sleep_asleep_minutes": "60.0"],
        "2024-03-31": ["sleep_asleep_minutes": "60.0"],
      ])
  }

  @Test func `the hour that a spring night lacks is not slept`() throws {
    let rows = [Payloads.sleep("2024-03-30 23:00:00 +0100", "2024-03-31 07:00:00 +0200", "Core")]
    #expect(try nights(rows) == ["2024-03-31": ["sleep_asleep_minutes": "420.0"]])
  }

  @Test func `overlapping captures of one night are a union`() throws {
    let rows = [
      Payloads.sleep("2024-06-09 23:00:00 +0200", "2024-06-10 02:00:00 +0200", "Asleep"),
      Payloads.sleep("2024-06-10 01:00:00 +0200", "2024-06-10 06:00:00 +0200", "Asleep"),
      Payloads.sleep("2024-06-09 23:00:00 +0200", "2024-06-10 02:00:00 +0200", "Asleep", "Phone"),
      Payloads.sleep("2024-06-09 22:00:00 +0200", "2024-06-10 05:00:00 +0200", "InBed", "Phone"),
      Payloads.sleep("2024-06-09 22:30:00 +0200", "2024-06-10 06:30:00 +0200", "In Bed"),
    ]
    #expect(
      try nights(rows) == [
        "2024-06-10": ["sleep_asleep_minutes": "420.0", "sleep_in_bed_minutes": "510.0"]
      ])
  }

  @Test func `stages beat unspecified sleep, and Awake cuts only what it may`() throws {
    let phone = Payloads.sleep(
      "2024-06-09 23:00:00 +0200", "2024-06-10 07:00:00 +0200", "Unspecified", "iPhone")
    let core = Payloads.sleep("2024-06-10 00:00:00 +0200", "2024-06-10 03:00:00 +0200", "Core")
    let awake = Payloads.sleep("2024-06-10 03:00:00 +0200", "2024-06-10 04:00:00 +0200", "Awake")
    // 8 h, and the watch, which has stages, knows better from 03:00 to 04:00.
    #expect(
      try nights([phone, core, awake]) == ["2024-06-10": ["sleep_asleep_minutes": "420.0"]])
    // Without stages, a watch that saw somebody awake does not contradict the phone.
    #expect(try nights([phone, awake]) == ["2024-06-10": ["sleep_asleep_minutes": "480.0"]])
    let own = Payloads.sleep(
      "2024-06-10 03:00:00 +0200", "2024-06-10 04:00:00 +0200", "Awake", "iPhone")
    #expect(try nights([phone, own]) == ["2024-06-10": ["sleep_asleep_minutes": "420.0"]])
    // A watch on the wrist that saw only Awake yields no time asleep, and never 0.
    #expect(try nights([awake]) == ["2024-06-10": [:]])
  }

  @Test(arguments: [
    ("\"asleep\":7", "420.0"), ("\"asleep\":0.5,\"core\":4,\"deep\":1,\"rem\":1.5", "420.0"),
    ("\"asleep\":6.5,\"core\":4,\"deep\":1,\"rem\":1.5", "390.0"),
    ("\"totalSleep\":7,\"asleep\":0.5,\"core\":4,\"deep\":1,\"rem\":1.5", "420.0"),
    ("\"totalSleep\":0,\"asleep\":7,\"core\":0,\"deep\":0,\"rem\":0", "420.0"),
    ("\"core\":4,\"deep\":1,\"rem\":1.5,\"asleep\":null", "390.0"), ("\"asleep\":0", "0.0"),
  ])
  func `the shapes of a summary`(members: String, minutes: String) throws {
    #expect(
      try nights([summary(members)]) == ["2024-06-10": ["sleep_asleep_minutes": minutes]])
  }

  @Test func `a night of zeros has no data, even with a time awake beside it (R10)`()
    throws
  {
    for awake in ["0", "0.5"] {
      let zeros = "\"totalSleep\":0,\"asleep\":0,\"core\":0,\"deep\":0,\"rem\":0,\"inBed\":0"
      let found = try nights([summary(zeros + ",\"awake\":\(awake)")])
      #expect((found["2024-06-10"] ?? [:]) == [:])
    }
  }

  @Test func `a 0 beside a slept night is the app's way to say no data`() throws {
    #expect(
      try nights([summary("\"asleep\":7,\"inBed\":0")]) == [
        "2024-06-10": ["sleep_asleep_minutes": "420.0"]
      ])
    #expect(
      try nights([summary("\"asleep\":0,\"inBed\":7")]) == [
        "2024-06-10": ["sleep_in_bed_minutes": "420.0"]
      ])
  }

  @Test func `summaries that overlap are captures of one night, others add up`() throws {
    let early = summary("\"asleep\":3", end: "02:30")
    let late = summary("\"asleep\":6.5")
    let nap =
      "{\"date\":\"2024-06-10\",\"sleepStart\":\"2024-06-10 14:00:00 +0200\","
      + "\"sleepEnd\":\"2024-06-10 15:00:00 +0200\",\"asleep\":0.5}"
    for rows in [[early, late, nap], [nap, late, early], [late, late, nap]] {
      #expect(try nights(rows) == ["2024-06-10": ["sleep_asleep_minutes": "420.0"]])
    }
  }

  @Test func `a summary that ends after 18 o'clock belongs to the next day`() throws {
    #expect(try nights([summary("\"asleep\":7", end: "18:00")]).keys.sorted() == ["2024-06-10"])
    #expect(try nights([summary("\"asleep\":7", end: "18:01")]).keys.sorted() == ["2024-06-11"])
  }

  @Test func `a summary without times belongs to its date`() throws {
    #expect(
      try nights(["{\"date\":\"2024-06-10 00:00:00 -1000\",\"asleep\":7}"]).keys.sorted()
        == ["2024-06-10"])
    #expect(
      try nights(["{\"date\":\"2024-06-10 20:00:00 +0200\",\"asleep\":7}"]).keys.sorted()
        == ["2024-06-11"])
  }

  @Test func `a summary without a date belongs to the night in which it ends`() throws {
    for times in [
      "\"sleepStart\":\"2024-06-09 23:10:00 +0200\",\"sleepEnd\":\"2024-06-10 06:16:00 +0200\"",
      "\"inBedStart\":\"2024-06-09 23:10:00 +0200\",\"inBedEnd\":\"2024-06-10 06:16:00 +0200\"",
    ] {
      let row = "{\(times),\"asleep\":4.5,\"core\":0,\"deep\":0,\"rem\":0,\"inBed\":0}"
      #expect(try nights([row]) == ["2024-06-10": ["sleep_asleep_minutes": "270.0"]])
    }
    #expect(throws: (any Error).self) { try nights(["{\"asleep\":4.5}"]) }
  }

  @Test func `an unknown unit of summaries is unsupported, and samples need none`() throws {
    #expect(
      try nights([summary("\"asleep\":7")], units: "fortnight") == [
        "2024-06-10": [
          "sleep_asleep_minutes": "unsupported", "sleep_in_bed_minutes": "unsupported",
        ]
      ])
    let sample = Payloads.sleep("2024-06-09 23:00:00 +0200", "2024-06-10 00:00:00 +0200", "REM")
    #expect(
      try nights([sample], units: "fortnight") == ["2024-06-10": ["sleep_asleep_minutes": "60.0"]])
  }

  @Test func `R18: a night with a stage that is not known is unsupported, and names it`() throws {
    // What is known of it is a part: an hour of REM.
    let known = Payloads.sleep("2024-06-10 00:00:00 +0200", "2024-06-10 01:00:00 +0200", "REM")
    let rows = [
      Payloads.sleep("2024-06-09 23:00:00 +0200", "2024-06-10 00:00:00 +0200", "Principal"), known,
      Payloads.sleep("2024-06-10 01:00:00 +0200", "2024-06-10 02:00:00 +0200", "Profundo"),
      // Another night.
      Payloads.sleep("2024-06-11 00:00:00 +0200", "2024-06-11 01:00:00 +0200", "REM"),
    ]
    let result = try Payloads.days(Payloads.export([("sleep_analysis", "hr", rows)]))
    #expect(
      result.table == [
        "2024-06-10": [
          "sleep_asleep_minutes": "unsupported", "sleep_in_bed_minutes": "unsupported",
        ],
        "2024-06-11": ["sleep_asleep_minutes": "60.0"],
      ])
    #expect(result.days.first?.speaksOf == [])
    #expect(
      result.days.first?.notes == [
        "sleep_analysis: the stages 'Principal', 'Profundo' are not known, so this night's samples "
          + "give no number"
      ])
  }

  @Test func `an unknown stage is counted and noted`() throws {
    let rows = [Payloads.sleep("2024-06-09 23:00:00 +0200", "2024-06-10 00:00:00 +0200", "Nap")]
    let result = try Payloads.days(Payloads.export([("sleep_analysis", "hr", rows)]))
    #expect(result.days.flatMap(\.readings.numbers).isEmpty)
    #expect(result.notes == ["sleep_analysis: 1 row of the unknown stage 'Nap' was not used"])
  }

  @Test(arguments: [
    ("{\"startDate\":\"2024-06-09 23:00:00 +0200\",\"value\":\"Core\"}", "", "no 'endDate'"),
    ("{\"date\":\"2024-06-10\",\"asleep\":\"7\"}", "/asleep", "a string, not a number"),
    ("{\"date\":\"2024-06-10\",\"inBed\":-1}", "/inBed", "is negative"),
    (
      "{\"date\":\"2024-06-10\",\"asleep\":7,\"sleepEnd\":\"soon\",\"sleepStart\":\"2024-06-10\"}",
      "/sleepEnd", "'soon' is not a date"
    ),
  ])
  func `a sleep row that is wrong is reported at its pointer`(
    row: String, member: String, words: String
  ) throws {
    let error = try Payloads.error(Payloads.export([("sleep_analysis", "hr", [row])]))
    #expect(error.problems.map(\.pointer) == ["/data/metrics/0/data/0\(member)"])
    #expect(error.description.contains(words), "\(error)")
  }
}
