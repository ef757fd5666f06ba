import HealthModel

extension Tool {
  /// The schema of `structuredContent` (R51, R52): a result or an error, never both.
  var outputSchema: JSONValue {
    var members: [String: OutputSchema] = ["error": Self.error, "coverage": coverage]
    let forms: [[String: OutputSchema]] = self == .daily ? [daily] : [dates, compact]
    for form in forms { members.merge(form) { mine, _ in mine } }
    let found: [JSONValue] = forms.map { form in
      let others = Set(members.keys).subtracting(form.keys).subtracting(["coverage"])
      return [
        "required": .array((form.keys + ["coverage"]).sorted().map(JSONValue.string)),
        "not": ["anyOf": .array(others.sorted().map { ["required": [.string($0)]] })],
      ]
    }
    let error: JSONValue = [
      "required": ["error"],
      "not": [
        "anyOf": .array(
          members.keys.filter { !["error", "coverage"].contains($0) }.sorted()
            .map { ["required": [.string($0)]] })
      ],
    ]
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
      "properties": .object(members.mapValues { .object($0.json) }),
      "additionalProperties": false, "oneOf": .array(found + [error]),
    ]
  }

  /// The members of a daily object.
  private var dayMembers: [String: OutputSchema] {
    let metrics: (String, (String) -> OutputSchema) -> OutputSchema = { words, value in
      self == .range
        ? .map(words, of: value(""), keys: OutputSchema.metricKeys)
        : .object(
          words,
          Dictionary(
            uniqueKeysWithValues: DailyMetric.required.map {
              ($0.rawValue, value("\($0.summary), in \($0.unitLabel)."))
            }))
    }
    return [
      "date": .date("The calendar date of the day."),
      "generated_at": .moment(
        """
        When this version of the day was published, in UTC. If it is before day.end, the day was \
        not over then and its sums are of a part of it.
        """),
      "day": .object(
        "The day as an interval: its start belongs to it, its end to the next day.",
        [
          "timezone": .zone(
            """
            The IANA time zone in which the day was recorded; null where this machine's time zone \
            database does not have it.
            """),
          "start": .localMoment("The first moment of the day, with its offset from UTC."),
          "end": .localMoment("The first moment of the next day, with its offset from UTC."),
        ]),
      "metrics": metrics("By metric, its value or null. A null is not zero.") { words in
        .number(words.isEmpty ? "The value, or null where there is none." : words)
      },
      "metric_status": metrics("By metric, why it has a value or none.") { _ in
        .word(Self.statusWords, of: MetricStatus.allCases.map(\.rawValue))
      },
      "metric_units": metrics("By metric, the unit of its value.") { _ in
        .text("The unit, such as count, kcal, min or bpm.")
      },
    ]
  }

  private static let statusWords = """
    ok: there is a value; no_data: there was nothing to read; unauthorized: the collector had no \
    permission to read it; unsupported: the device or input does not have it.
    """

  private var daily: [String: OutputSchema] {
    dayMembers.merging([
      "revision_id": .text("Which version of the day this is; a greater one is newer."),
      "day_over": .flag(
        """
        False while the day still runs at the time of the answer: its sums will grow, so do not \
        compare them with those of whole days.
        """),
      "null_reasons": .map(
        "By metric that has no value, why.", of: Self.reason, keys: OutputSchema.metricKeys),
      "freshness": freshness,
    ]) { mine, _ in mine }
  }

  /// The members that both formats of a range have.
  private var range: [String: OutputSchema] {
    [
      "start_date": .date("The first date that was asked for."),
      "end_date": .date("The last date that was asked for, inclusive."),
      "days_not_over": .array(
        """
        Dates with data that still ran at the time of the answer: their sums will grow, so do not \
        compare them with those of whole days.
        """, of: .date("A date.")),
      "null_reasons": .map(
        "By metric that has no value on some date, and by reason, the dates.",
        of: .map(
          "By reason, the dates.", of: .spans("The dates."),
          keys: ["enum": .array(Self.reasons.map(JSONValue.string))]),
        keys: OutputSchema.metricKeys),
      "freshness": freshness,
    ]
  }

  private var dates: [String: OutputSchema] {
    range.merging([
      "data": .array(
        "One object for each date with data, oldest first.",
        of: .object("The metrics of one day.", dayMembers), counting: 0...HealthTools.maximumDays),
      "missing_dates": .array(
        "The dates for which nothing was ever published, oldest first.", of: .date("A date.")),
    ]) { mine, _ in mine }
  }

  private var compact: [String: OutputSchema] {
    range.merging([
      "columns": .array(
        "What the values of each row are, in their order.",
        of: .text("The key of a metric."),
        counting: 1...DailyMetric.allCases.count),
      "days": .map(
        "By date with data, its row: one value for each of columns, in that order.",
        of: .array(
          "A row.", of: .number("The value, or null where there is none."),
          counting: 1...DailyMetric.allCases.count), keys: OutputSchema.dateKeys),
      "metric_units": .map(
        "By metric, the unit of its values.",
        of: .text("The unit, such as count, kcal, min or bpm."), keys: OutputSchema.metricKeys),
      "timezones": .map(
        """
        By IANA time zone, the dates that were recorded in it; \"unknown\" where this machine's \
        time zone database does not have the zone.
        """, of: .spans("The dates.")),
    ]) { mine, _ in mine }
  }

  private var freshness: OutputSchema {
    var members: [String: OutputSchema] = [
      "generated_at": .moment("When it was published, in UTC."),
      "captured_at": .moment("The collector's clock when it read the data, where it says so."),
      "age_seconds": .count(
        """
        Seconds from the older of generated_at and captured_at to now; 0 where that moment is \
        in the future by this machine's clock.
        """),
      "clock_behind": .flag(
        """
        True where that moment is in the future by this machine's clock, so that the age is not \
        known; absent otherwise.
        """),
    ]
    if self == .range { members["newest_date"] = .date("The last date with data.") }
    return .object(
      self == .daily
        ? "How old the data is."
        : "How old the newest data of the range is; null where there is none.",
      members, optional: ["captured_at", "clock_behind"], orNull: self == .range)
  }

  private var coverage: OutputSchema {
    let code = OutputSchema.text("What is wrong with it, as a code.")
    return .object(
      "Which of the dates asked for have data.",
      [
        "asked": .count("How many dates were asked for."),
        "found": .count("How many of them have data."),
        "missing": .spans(
          """
          The dates for which nothing was ever published. Not in the format daily, which has \
          missing_dates.
          """),
        "invalid": .map(
          "By date of which something was published, but nothing that can be read, why.",
          of: code, keys: OutputSchema.dateKeys),
        "fell_back": .map(
          """
          By date whose newest version can't be read, why; the answer has the newest that can.
          """, of: code, keys: OutputSchema.dateKeys),
        "nonconforming": .map(
          """
          By date with data whose document breaks a rule of its format and could be read all the \
          same, the first fault: be careful with its values. Absent where there is none.
          """, of: code, keys: OutputSchema.dateKeys),
        "further_metrics": .array(
          """
          Optional metrics that some of the dates have a number for and the answer does not show; \
          read_range_metrics reads them where its argument metrics names them. Absent where there \
          is none.
          """, of: .text("The key of a metric.")),
      ],
      optional: Set(["nonconforming", "further_metrics"]).union(self == .range ? ["missing"] : []))
  }

  private static let reasons = MetricStatus.allCases.filter { $0 != .ok }.map(\.rawValue)
  private static let reason = OutputSchema.word(
    """
    no_data: there was nothing to read; unauthorized: the collector had no permission to read it; \
    unsupported: the device or input does not have it.
    """, of: reasons)

  private static let error = OutputSchema.object(
    "Why there is no answer.",
    [
      "code": .word(
        """
        INVALID_ARGUMENTS: change the arguments; DATA_NOT_FOUND: the date has no data; \
        NOT_AUTHORIZED: the server may not read the store; STORAGE_UNAVAILABLE: the store can't \
        be reached; INTERNAL: a fault of the server.
        """, of: ToolFault.codes),
      "message": .text("What went wrong, and what to do."),
      "retryable": .flag("True where the same call may succeed later."),
    ])
}

extension DailyMetric {
  /// A description of the metric for agents.
  fileprivate var summary: String {
    switch self {
    case .steps: "Steps taken"
    case .activeEnergy: "Active energy burned"
    case .exerciseMinutes: "Exercise time"
    case .standHours: "Hours with at least a minute of standing"
    case .restingHeartRate: "Mean resting heart rate"
    case .heartRateVariability: "Mean heart rate variability (SDNN)"
    case .sleepAsleep: "Time asleep in the night that ended on the day"
    case .sleepInBed: "Time in bed in the night that ended on the day"
    default: label
    }
  }
}
