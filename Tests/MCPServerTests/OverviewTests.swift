import HealthLedger
import HealthModel
import StoreTesting
import Testing

@testable import MCPServer

/// Which metrics there are, and what many days have in common (R61).
@Suite(.unit) struct OverviewTests {
  /// Steps on four of the days from the 2nd to the 11th, which is not over.
  private static func sample() async throws -> SampleLedger {
    let sample = SampleLedger()
    try await sample.publish("2026-02-02", [.steps: .value(2)], optional: [.weight: 80.5])
    try await sample.publish("2026-02-04", [.steps: .value(0)])
    try await sample.publish(
      "2026-02-08", [.steps: .value(7), .heartRateVariability: .unauthorized])
    try await sample.publish("2026-02-11", [.steps: .value(1000)])
    return sample
  }

  @Test func `R61: a list has each metric with a number, and what the store holds`() async throws {
    let sample = try await Self.sample()
    let found = await sample.answer(.list, [:]).content
    #expect(found["metrics"]?.objectValue?.keys.sorted() == ["steps", "weight"])
    #expect(
      found["metrics"]?["steps"] == [
        "unit": "count", "meaning": "steps", "days": 4, "first_date": "2026-02-02",
        "made": "sum of the day; what several devices saw at once counts once",
        "last_date": "2026-02-11",
      ])
    #expect(found["metrics"]?["weight"]?["last_date"] == "2026-02-02")
    #expect(found["end_date"] == "2026-02-11")
    #expect(found["start_date"] == "2025-02-11")
    #expect(
      found["held"] == ["first_date": "2026-02-02", "last_date": "2026-02-11", "days": 4])
    #expect(found["coverage"]?["asked"] == 366)
    #expect(found["coverage"]?["found"] == 4)
    let few = await sample.answer(.list, ["start_date": "-8d", "end_date": "-3d"]).content
    #expect(few["start_date"] == "2026-02-03")
    #expect(few["metrics"]?["steps"]?["days"] == 2)
    #expect(few["metrics"]?["weight"] == nil)
    #expect(few["held"]?["days"] == 4)
  }

  @Test func `R61: without dates a list looks at the year up to the last day that has data`()
    async throws
  {
    let sample = SampleLedger()
    try await sample.publish("2021-05-01", [.steps: .value(1)])
    // A date that is still to come does not make it look at the year before it.
    try await sample.publish("2026-02-20", [.steps: .value(1)])
    let found = await sample.answer(.list, [:]).content
    #expect(found["end_date"] == "2021-05-01")
    #expect(found["metrics"]?["steps"]?["days"] == 1)
    let empty = await SampleLedger().answer(.list, [:]).content
    #expect(empty["held"] == .null)
    #expect(empty["metrics"] == [:])
    #expect(empty["end_date"] == "2026-02-11")
  }

  @Test func `R61: what a list costs is a listing and what the range costs`() async throws {
    let sample = try await Self.sample()
    func requests(_ tool: Tool, _ arguments: [String: JSONValue]) async -> Int {
      let store = FaultInjectingStore(sample.store)
      _ = await sample.answer(tool, arguments, over: store)
      return store.log.entries.count
    }
    let dates: [String: JSONValue] = ["start_date": "2026-02-01", "end_date": "2026-02-11"]
    let range = await requests(.range, dates)
    #expect(await requests(.list, dates) == range + 1)
    #expect(await requests(.summary, dates) == range)
  }

  @Test func `R61, R33: days that are not over and days without data are named and count nowhere`()
    async throws
  {
    let sample = try await Self.sample()
    let found = await sample.answer(
      .summary,
      ["start_date": "2026-02-01", "end_date": "today", "metrics": ["steps", "hrv_sdnn_avg"]]
    ).content
    #expect(
      found["metrics"]?["steps"] == [
        "days": 2, "mean": .number(4.5), "median": .number(4.5), "least": 2, "most": 7,
      ])
    #expect(
      found["metrics"]?["hrv_sdnn_avg"] == [
        "days": 0, "mean": .null, "median": .null, "least": .null, "most": .null,
      ])
    #expect(found["days_not_over"] == ["2026-02-11"])
    #expect(found["doubtful"] == ["steps": ["2026-02-04"]])
    #expect(
      found["coverage"]?["missing"] == [
        "2026-02-01", "2026-02-03", "2026-02-05/2026-02-07", "2026-02-09/2026-02-10",
      ])
    #expect(found["coverage"]?["further_metrics"] == ["weight"])
    #expect(
      found["null_reasons"]?["hrv_sdnn_avg"]?["unauthorized"] == ["2026-02-08"])
    #expect(found["metric_units"] == ["steps": "count", "hrv_sdnn_avg": "ms"])
    #expect(found["periods"] == nil && found["compared"] == nil && found["change"] == nil)
  }

  @Test func `R51, R33: what was captured before its day's end has its moment in every answer`()
    async throws
  {
    let sample = SampleLedger()
    // At 08:00 in Berlin.
    try await sample.publish(
      "2026-02-07", [.steps: .value(1200)], optional: [.weight: 80],
      capturedAt: "2026-02-07T07:00:00Z")
    try await sample.publish("2026-02-07", [.sleepAsleep: .value(400)])
    try await sample.publish("2026-02-08", [.steps: .value(9000)])
    let moment: JSONValue = "2026-02-07T08:00:00+01:00"
    let day = await sample.answer(.daily, ["date": "2026-02-07"]).content
    #expect(day["partial"] == ["steps": moment])
    #expect(await sample.answer(.daily, ["date": "2026-02-08"]).content["partial"] == [:])
    let asked: [String: JSONValue] = ["start_date": "2026-02-07", "end_date": "2026-02-08"]
    for format: JSONValue in ["daily", "compact"] {
      let range = await sample.answer(.range, asked.merging(["format": format]) { $1 }).content
      #expect(range["partial_dates"] == ["2026-02-07": moment])
      #expect(range["days_not_over"] == [])
    }
    let sleep = asked.merging(["metrics": ["sleep_asleep_minutes"]]) { $1 }
    #expect(await sample.answer(.range, sleep).content["partial_dates"] == [:])
    // It is in no figure; what was captured later is.
    let summary = await sample.answer(.summary, asked).content
    #expect(summary["partial_dates"] == ["2026-02-07": moment])
    #expect(summary["metrics"]?["steps"]?["days"] == 1)
    #expect(summary["metrics"]?["steps"]?["least"] == 9000)
    #expect(summary["metrics"]?["sleep_asleep_minutes"]?["mean"] == 400)
  }

  @Test func `R61: periods are weeks from Monday or months, cut by the range`() async throws {
    let sample = try await Self.sample()
    let asked: [String: JSONValue] = [
      "start_date": "2026-01-30", "end_date": "2026-02-10", "metrics": ["steps"],
    ]
    func periods(_ by: JSONValue) async -> [JSONValue] {
      let arguments = asked.merging(["by": by]) { mine, _ in mine }
      return await sample.answer(.summary, arguments).content["periods"]?.arrayValue ?? []
    }
    let weeks = await periods("week")
    #expect(weeks.map { $0["start_date"] } == ["2026-01-30", "2026-02-02", "2026-02-09"])
    #expect(weeks.map { $0["end_date"] } == ["2026-02-01", "2026-02-08", "2026-02-10"])
    #expect(weeks.map { $0["metrics"]?["steps"]?["days"] } == [0, 2, 0])
    let months = await periods("month")
    #expect(months.map { $0["end_date"] } == ["2026-01-31", "2026-02-10"])
    #expect(months.map { $0["metrics"]?["steps"]?["mean"] } == [.null, .number(4.5)])
  }

  @Test func `R61: a second range is summarised alike, and the change is of the means`()
    async throws
  {
    let sample = try await Self.sample()
    let found = await sample.answer(
      .summary,
      [
        "start_date": "2026-02-08", "end_date": "2026-02-10", "metrics": ["steps", "weight"],
        "compare_start_date": "2026-02-02", "compare_end_date": "2026-02-04",
      ]
    ).content
    #expect(found["compared"]?["metrics"]?["steps"]?["mean"] == 2)
    #expect(found["compared"]?["start_date"] == "2026-02-02")
    #expect(found["compared"]?["coverage"]?["missing"] == ["2026-02-03"])
    #expect(found["change"]?["steps"] == ["mean": 5, "percent": 250])
    #expect(found["change"]?["weight"] == ["mean": .null, "percent": .null])
  }

  @Test func `R61: a change has no percentage of 0, nor of a scale without a natural zero`()
    async throws
  {
    let sample = SampleLedger()
    for (date, minutes, temperature) in [("2026-02-04", 0.0, 36.0), ("2026-02-08", 7, 37)] {
      try await sample.publish(
        date, [.exerciseMinutes: .value(minutes)], optional: [.bodyTemperature: temperature])
    }
    let found = await sample.answer(
      .summary,
      [
        "start_date": "2026-02-08", "end_date": "2026-02-08",
        "metrics": ["exercise_minutes", "body_temperature"],
        "compare_start_date": "2026-02-04", "compare_end_date": "2026-02-04",
      ]
    ).content
    #expect(found["change"]?["exercise_minutes"] == ["mean": 7, "percent": .null])
    #expect(found["change"]?["body_temperature"] == ["mean": 1, "percent": .null])
  }

  @Test(
    arguments: [
      (.list, ["start_date": "2025-01-01", "end_date": "2026-01-02"], "at most 366 are allowed"),
      (.list, ["start_date": "2026-01-02", "end_date": "2026-01-01"], "is after end_date"),
      (.list, ["metrics": ["steps"]], "unknown argument \"metrics\""),
      (.summary, ["start_date": "2026-02-08"], "end_date is missing"),
      (.summary, ["start_date": "-366d", "end_date": "today"], "are 367 days"),
      (
        .summary,
        ["start_date": "-7d", "end_date": "today", "compare_start_date": "-14d"],
        "compare_end_date is missing"
      ),
      (
        .summary,
        [
          "start_date": "-7d", "end_date": "today", "compare_start_date": "-8d",
          "compare_end_date": "-14d",
        ], "give the earlier date as compare_start_date"
      ),
      (.summary, ["start_date": "-7d", "end_date": "today", "by": "day"], "use week or month"),
      (.summary, ["start_date": "--7d", "end_date": "today"], "not a valid date"),
      (.summary, ["start_date": "-d", "end_date": "today"], "not a valid date"),
      (.summary, ["start_date": "+7d", "end_date": "today"], "not a valid date"),
      (.summary, ["start_date": "-12345d", "end_date": "today"], "not a valid date"),
      (
        .summary,
        [
          "start_date": "-365d", "end_date": "today", "by": "week",
          "metrics": .array(DailyMetric.inOrder.map { .string($0.rawValue) }),
        ], "name at most 18 metrics"
      ),
    ] as [(Tool, [String: JSONValue], String)])
  func `R50: what can't be answered is refused with what would be right, before anything is read`(
    tool: Tool, arguments: [String: JSONValue], phrase: String
  ) async {
    let sample = SampleLedger()
    let store = FaultInjectingStore(sample.store)
    let answer = await sample.answer(tool, arguments, over: store)
    #expect(answer.isError)
    #expect(answer.content["error"]?["code"] == "INVALID_ARGUMENTS")
    let message = answer.content["error"]?["message"]?.stringValue ?? ""
    #expect(message.contains(phrase), "\(message)")
    #expect(store.log.entries.isEmpty)
  }

  @Test(arguments: [Tool.list, .summary])
  func `R33: a store that fails anywhere makes the whole answer an error`(tool: Tool) async throws {
    let sample = try await Self.sample()
    let arguments: [String: JSONValue] = ["start_date": "2026-02-01", "end_date": "2026-02-11"]
    let sound = FaultInjectingStore(sample.store)
    #expect(!(await sample.answer(tool, arguments, over: sound)).isError)
    for position in 1...sound.log.entries.count {
      let failing = FaultInjectingStore(
        sample.store, plan: FaultPlan(positions: [position: .refused(.unavailable)]))
      let answer = await sample.answer(tool, arguments, over: failing)
      #expect(answer.content.objectValue?.keys.sorted() == ["error"], "request \(position)")
    }
  }

  @Test func `R50: -7d is seven days before today, in every tool`() async throws {
    let sample = try await Self.sample()
    #expect(await sample.answer(.daily, ["date": "-3d"]).content["date"] == "2026-02-08")
    #expect(await sample.answer(.daily, ["date": "-0d"]).content["date"] == "2026-02-11")
    let range = await sample.answer(.range, ["start_date": "-28d", "end_date": "yesterday"])
    #expect(range.content["coverage"]?["asked"] == 28)
  }
}
