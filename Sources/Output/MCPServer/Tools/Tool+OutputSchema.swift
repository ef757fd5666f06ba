import HealthModel

// What several tools answer is described once, with the first tool: the list of all tools has a
// bound (R50).

/// One of the objects that a tool may answer, by its members.
private struct AnswerForm {
  var members: [String: OutputSchema]
  var optional: Set<String> = []
}

extension Tool {
  /// The schema of `structuredContent` (R51, R52, R61): a result or an error, never both.
  var outputSchema: JSONValue {
    let forms = forms
    var members: [String: OutputSchema] = ["error": error]
    for form in forms { members.merge(form.members) { mine, _ in mine } }
    // Each form has its own set of members, so no answer fits two of them.
    var allowed: [JSONValue] = forms.map { form in
      [
        "required": .array(
          form.members.keys.filter { !form.optional.contains($0) }.sorted()
            .map(JSONValue.string)),
        "maxProperties": .number(Double(form.members.count)), "properties": ["error": false],
      ]
    }
    allowed.append(["required": ["error"], "maxProperties": 1])
    if self == .daily { allowed.append(["required": ["error", "coverage"], "maxProperties": 2]) }
    return [
      "type": "object", "properties": .object(members.mapValues { .object($0.json) }),
      "additionalProperties": false, "oneOf": .array(allowed),
    ]
  }

  private var forms: [AnswerForm] {
    switch self {
    case .daily: [AnswerForm(members: daily, optional: ["sources"])]
    case .range: [AnswerForm(members: dates), AnswerForm(members: compact)]
    case .list: [AnswerForm(members: list)]
    case .summary:
      [AnswerForm(members: summary, optional: ["periods", "compared", "change"])]
    }
  }

  /// The members of a daily object.
  private var dayMembers: [String: OutputSchema] {
    [
      "date": .date("The day."),
      "generated_at": .moment("When it was published."),
      "day": .object(
        "The day: its end belongs to the next.",
        [
          "timezone": .zone("Where it was recorded; null if not known here."),
          "start": .localMoment("Its first moment."), "end": .localMoment("The next day's first."),
        ]),
      "metrics": .map(
        "Values. A null is not zero.", of: .number("The value, or null."),
        required: DailyMetric.required.map(\.rawValue)),
      "metric_status": .map(
        "Why there is a value or none.",
        of: .word("ok, or why none.", of: MetricStatus.allCases.map(\.rawValue))),
      "metric_units": units,
    ]
  }

  private var daily: [String: OutputSchema] {
    dayMembers.merging([
      "revision_id": .text("The day's version; a greater one is newer."),
      "day_over": .flag("False while the day runs."),
      "partial": .seen("By metric of a part of the day, when its number was captured.", "object"),
      "null_reasons": .map("By metric without a value, why.", of: Self.reason),
      "freshness": freshness, "coverage": coverage,
      "sources": .array(
        "With include_sources: where the numbers come from.",
        of: .object(
          nil,
          [
            "source": .text("Its kind; other for a person's own."),
            "captured_at": .moment("When it was read."),
            "from": .moment("From when it saw the day or night."),
            "to": .moment("Until when."),
            "metrics": .array("Whose numbers it gave.", of: .text()),
          ], optional: ["from", "to"])),
    ]) { mine, _ in mine }
  }

  /// The members that all answers of a range have.
  private var range: [String: OutputSchema] {
    [
      "start_date": .date("The first date."), "end_date": .date("The last date."),
      "days_not_over": self == .summary
        ? .seen(Self.asInRange, "array") : .dates("Dates that still run."),
      "partial_dates": .seen(
        self == .summary ? Self.asInRange : "By date with such a number, when it was captured.",
        "object"),
      "null_reasons": self == .summary
        ? .seen(Self.asInRange, "object")
        : .map(
          "By metric and reason, the dates without a value.",
          of: .map("By reason.", of: .spans("Dates, or FROM/TO."))),
      "freshness": freshness, "coverage": coverage,
    ]
  }

  private var dates: [String: OutputSchema] {
    range.merging([
      "data": .array(
        "One object for each date with data, oldest first.",
        of: .seen(
          "A day: these members as in read_daily_metrics.", "object",
          required: dayMembers.keys.sorted()), atMost: HealthTools.maximumDays),
      "missing_dates": .dates("Dates for which nothing was published."),
    ]) { mine, _ in mine }
  }

  private var compact: [String: OutputSchema] {
    range.merging([
      "columns": .array("The metric of each value of a row.", of: .text()),
      "days": .map(
        "By date with data, its row.",
        of: .array("Values or nulls, in the order of columns.", of: .number()),
        keys: OutputSchema.dateKeys),
      "metric_units": units,
      "timezones": .map("By time zone, or unknown.", of: .spans("Dates, or FROM/TO.")),
    ]) { mine, _ in mine }
  }

  private var list: [String: OutputSchema] {
    let first = OutputSchema.date("The first date with a number.")
    let last = OutputSchema.date("The last.")
    return [
      "start_date": .date("The first date that was looked at."), "end_date": .date("The last."),
      "metrics": .map(
        "By metric with a number on any of these dates.",
        of: .object(
          "A metric.",
          [
            "unit": .text("Its unit."), "meaning": .text("What it measures."),
            "made": .text("How the number of a day is made."), "first_date": first,
            "last_date": last, "days": .count("How many dates have a number."),
          ])),
      "held": .object(
        "Of the whole store; null if it is empty.",
        [
          "first_date": .date("The first date with data."), "last_date": last,
          "days": .count("How many dates have data."),
        ], orNull: true),
      "coverage": coverage,
    ]
  }

  private var summary: [String: OutputSchema] {
    let figures = OutputSchema.map(
      "By metric, of whole days with a number.",
      of: .map(
        "Nulls where days is 0.", of: .number("In its unit."),
        required: ["days", "least", "mean", "median", "most"]))
    return range.merging([
      "metrics": figures, "metric_units": units,
      "doubtful": .seen("By metric, doubted dates.", "object"),
      "compared": .seen("The same of the other range, without periods.", "object"),
      "periods": .array(
        "By week or month.",
        of: .object(
          nil,
          [
            "start_date": .date("Its first date."), "end_date": .date("Its last."),
            "metrics": .seen("As beside.", "object"),
          ])),
      "change": .map(
        "By metric, from the other mean.",
        of: .object(
          "Nulls where a mean is missing.",
          ["mean": .number("The difference."), "percent": .number("The same in percent.")])),
    ]) { mine, _ in mine }
  }

  private static let asInDaily = "As in read_daily_metrics."
  private static let asInRange = "As in read_range_metrics."

  private var units: OutputSchema {
    self == .daily
      ? .map("By metric, its unit.", of: .text("The unit.")) : .seen(Self.asInDaily, "object")
  }

  private var freshness: OutputSchema {
    if self != .daily {
      return .seen(
        self == .summary
          ? Self.asInRange
          : "As in read_daily_metrics, with newest_date, the last with data; null if none has.",
        ["object", "null"])
    }
    let members: [String: OutputSchema] = [
      "generated_at": .moment("When it was published."),
      "captured_at": .moment("When the collector read it."),
      "age_seconds": .count("Seconds since the older of both."),
      "clock_behind": .flag("True if a wrong clock hides the age."),
    ]
    return .object(
      "How old the newest data is.", members, optional: ["captured_at", "clock_behind"])
  }

  private var coverage: OutputSchema {
    guard self == .daily else {
      return .seen(
        self == .range
          ? "As in read_daily_metrics; missing may be beside it." : Self.asInDaily, "object")
    }
    let code = OutputSchema.text("Why, as a code.")
    return .object(
      "Which dates have data.",
      [
        "asked": .count("Dates asked for."), "found": .count("Dates with data."),
        "missing": .spans("Dates, or FROM/TO, for which nothing was published."),
        "invalid": .map("Dates with data that can't be read.", of: code),
        "fell_back": .map(
          "Dates whose newest version can't be read, so an older one is shown.", of: code),
        "nonconforming": .map("Dates that break a rule: be careful with their values.", of: code),
        "further_metrics": .array("Metrics with numbers, not shown.", of: .text()),
      ],
      optional: ["nonconforming", "further_metrics"])
  }

  private static let reasons = MetricStatus.allCases.filter { $0 != .ok }
    .map { JSONValue.string($0.rawValue) }
  private static let reason = OutputSchema.word(
    "unauthorized: no permission to read.", of: reasons.compactMap(\.stringValue))

  private var error: OutputSchema {
    let members: [String: OutputSchema] = [
      "code": .word("What kind of error.", of: ToolAnswer.codes),
      "message": .text("What went wrong, and what to do."),
      "retryable": .flag("False where a person must act first."),
    ]
    return self == .daily
      ? .object("Why there is no answer.", members)
      : .seen(Self.asInDaily, "object")
  }
}
