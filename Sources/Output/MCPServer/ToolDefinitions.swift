import HealthLedger
import HealthModel

// The tools as `tools/list` has them (R50, R52). What several tools answer is described once, with the
// first tool, and descriptions are short: a client may pass the whole list to a model.

extension Tool {
  /// The tool for a client of a version.
  func definition(_ version: ProtocolVersion, _ naming: ToolNaming) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(name(naming)), "description": description, "inputSchema": inputSchema,
    ]
    if version.hasAnnotations {
      var annotations: [String: JSONValue] = [
        "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
        "openWorldHint": false,
      ]
      // Later revisions have it beside.
      if !version.hasStructuredContent { annotations["title"] = title }
      members["annotations"] = .object(annotations)
    }
    if version.hasStructuredContent {
      members["title"] = title
      members["outputSchema"] = outputSchema
    }
    return .object(members)
  }

  private var title: JSONValue {
    switch self {
    case .daily: "Health metrics of one day"
    case .range: "Health metrics of many days"
    case .list: "Metrics that have data"
    case .summary: "Means of many days"
    }
  }

  private var description: JSONValue {
    switch self {
    case .daily:
      """
      Reads the health metrics of one day, with units, the status of each, and how fresh the data \
      is. A day without data is the error DATA_NOT_FOUND.
      """
    case .range:
      """
      Reads the health metrics of up to 366 days at once. Beyond about 31 days ask for the format \
      compact, a tenth of the text. Never a part of a range.
      """
    case .list:
      """
      Lists the metrics with numbers in up to 366 days, each with its unit, meaning and dates.
      """
    case .summary:
      """
      Mean, median, least, most and number of days of each metric over up to 366 days, also by week \
      or month, and compared with another range. Days that are not over or have no number are named \
      and not counted.
      """
    }
  }

  // MARK: Arguments

  /// Keywords that have the same meaning in older dialects of JSON Schema. Services that run models
  /// do not accept `$schema` here.
  private var inputSchema: JSONValue {
    let (properties, required) = arguments
    return [
      "type": "object", "required": .strings(required), "additionalProperties": false,
      "properties": .object(
        properties.merging([
          "timezone": text("IANA name that decides today; the person's if absent.")
        ]) { $1 }),
    ]
  }

  private var arguments: (properties: Members, required: [String]) {
    func day(_ words: String) -> JSONValue { text(words, like: DayWord.pattern) }
    let forms = DayWord.forms
    let dates: Members = [
      "start_date": day("The first day: \(forms)."), "end_date": day("The last day, inclusive."),
      "metrics": schema(
        "array", "Only these of list_metrics; the required eight if absent.",
        [
          "items": text(like: "^[a-z][a-z0-9_]*$"), "minItems": 1, "uniqueItems": true,
        ]),
    ]
    let more: Members
    switch self {
    case .daily:
      more = [
        "date": day("The day: \(forms)."),
        "include_sources": flag("Also where each number comes from."),
      ]
      return (more, ["date"])
    case .range:
      more = [
        "format": word(
          "daily, the default: data, one object for each day; compact: days, one row of values "
            + "for each.", of: RangeFormat.allCases.map(\.rawValue)),
        "include_sources": flag("Also sources in each day; not in compact."),
      ]
    case .list:
      more = [
        "start_date": day("The first day: \(forms); 366 days in all if absent."),
        "end_date": day("The last day; the last with data if absent."),
      ]
      return (more, [])
    case .summary:
      more = [
        "by": word(
          "Also by week from Monday, or by month.", of: SummaryPeriod.allCases.map(\.rawValue)),
        "compare_start_date": day("Of a range to compare with."),
        "compare_end_date": day("Its last day."),
      ]
    }
    return (dates.merging(more) { $1 }, ["start_date", "end_date"])
  }

  // MARK: Answers

  /// The schema of `structuredContent` (R51, R52, R61): a result or an error, never both.
  private var outputSchema: JSONValue {
    let forms: [(members: Members, optional: Set<String>)] =
      switch self {
      case .daily: [(daily, ["sources"])]
      case .range: [(dates, []), (compact, [])]
      case .list: [(list, [])]
      case .summary: [(summary, ["periods", "compared", "change"])]
      }
    var members: Members = ["error": error]
    for form in forms { members.merge(form.members) { mine, _ in mine } }
    // Each form has its own set of members, so no answer fits two of them.
    var allowed: [JSONValue] = forms.map { form in
      [
        "required": .strings(form.members.keys.filter { !form.optional.contains($0) }.sorted()),
        "maxProperties": .number(Double(form.members.count)), "properties": ["error": false],
      ]
    }
    allowed.append(["required": ["error"], "maxProperties": 1])
    if self == .daily { allowed.append(["required": ["error", "coverage"], "maxProperties": 2]) }
    return [
      "type": "object", "properties": .object(members), "additionalProperties": false,
      "oneOf": .array(allowed),
    ]
  }

  /// The members of a daily object.
  private var dayMembers: Members {
    [
      "date": date("The day."), "generated_at": moment("When it was published."),
      "day": object(
        "The day: its end belongs to the next.",
        [
          "timezone": schema(
            ["string", "null"], "Where it was recorded; null if not known here.",
            ["pattern": "^[A-Za-z0-9_+/-]{1,64}$"]),
          "start": text("Its first moment.", like: localMoment),
          "end": text("The next day's first.", like: localMoment),
        ]),
      "metrics": map(
        "Values. A null is not zero.", of: number("The value, or null."),
        required: DailyMetric.required.map(\.rawValue)),
      "metric_status": map(
        "Why there is a value or none.",
        of: word("ok, or why none.", of: MetricStatus.allCases.map(\.rawValue))),
      "metric_units": units,
    ]
  }

  private var daily: Members {
    let reasons = MetricStatus.allCases.filter { $0 != .ok }.map(\.rawValue)
    return dayMembers.merging([
      "revision_id": text("The day's version; a greater one is newer."),
      "day_over": flag("False while the day runs."),
      "partial": seen("By metric of a part of the day, to when its number reaches, or FROM/.."),
      "null_reasons": map(
        "By metric without a value, why.",
        of: word("unauthorized: no permission to read.", of: reasons)),
      "freshness": freshness, "coverage": coverage,
      "sources": array(
        "With include_sources: where the numbers come from.",
        of: object(
          nil,
          [
            "source": text("Its kind; other for a person's own."),
            "captured_at": moment("When it was read."),
            "from": moment("From when it saw the day or night."), "to": moment("Until when."),
            "metrics": array("Whose numbers it gave.", of: text()),
          ], optional: ["from", "to"])),
    ]) { $1 }
  }

  /// The members that all answers of a range have.
  private var range: Members {
    let members: Members = [
      "start_date": date("The first date."), "end_date": date("The last date."),
      "freshness": freshness, "coverage": coverage,
    ]
    return members.merging(
      self == .summary
        ? [
          "days_not_over": seen(asInRange, "array"), "partial_dates": seen(asInRange),
          "null_reasons": seen(asInRange),
        ]
        : [
          "days_not_over": array("Dates that still run.", of: date()),
          "partial_dates": seen("By date with such a number, to when it reaches."),
          "null_reasons": map(
            "By metric and reason, the dates without a value.",
            of: map("By reason.", of: spans("Dates, or FROM/TO."))),
        ]
    ) { $1 }
  }

  private var dates: Members {
    range.merging([
      "data": schema(
        "array", "One object for each date with data, oldest first.",
        [
          "maxItems": .number(Double(HealthTools.maximumDays)),
          "items": schema(
            "object", "A day: these members as in read_daily_metrics.",
            ["required": .strings(dayMembers.keys.sorted())]),
        ]),
      "missing_dates": array("Dates for which nothing was published.", of: date()),
    ]) { $1 }
  }

  private var compact: Members {
    range.merging([
      "columns": array("The metric of each value of a row.", of: text()),
      "days": schema(
        "object", "By date with data, its row.",
        [
          "additionalProperties": array("Values or nulls, in the order of columns.", of: number()),
          "propertyNames": ["format": "date"],
        ]),
      "metric_units": units,
      "timezones": map("By time zone, or unknown.", of: spans("Dates, or FROM/TO.")),
    ]) { $1 }
  }

  private var list: Members {
    let (first, last) = (date("The first date with a number."), date("The last."))
    return [
      "start_date": date("The first date that was looked at."), "end_date": last,
      "metrics": map(
        "By metric with a number on any of these dates.",
        of: object(
          "A metric.",
          [
            "unit": text("Its unit."), "meaning": text("What it measures."),
            "made": text("How the number of a day is made."), "first_date": first,
            "last_date": last, "days": count("How many dates have a number."),
          ])),
      "held": object(
        "Of the whole store; null if it is empty.",
        [
          "first_date": date("The first date with data."), "last_date": last,
          "days": count("How many dates have data."),
        ], type: ["object", "null"]),
      "coverage": coverage,
    ]
  }

  private var summary: Members {
    range.merging([
      "metrics": map(
        "By metric, of whole days with a number.",
        of: map(
          "Nulls where days is 0.", of: number("In its unit."),
          required: ["days", "least", "mean", "median", "most"])),
      "metric_units": units, "doubtful": seen("By metric, doubted dates."),
      "compared": seen("The same of the other range, without periods."),
      "periods": array(
        "By week or month.",
        of: object(
          nil,
          [
            "start_date": date("Its first date."), "end_date": date("Its last."),
            "metrics": seen("As beside."),
          ])),
      "change": map(
        "By metric, from the other mean.",
        of: object(
          "Nulls where a mean is missing.",
          ["mean": number("The difference."), "percent": number("The same in percent.")])),
    ]) { $1 }
  }

  private var units: JSONValue {
    self == .daily ? map("By metric, its unit.", of: text("The unit.")) : seen(asInDaily)
  }

  private var freshness: JSONValue {
    switch self {
    case .daily:
      object(
        "How old the newest data is.",
        [
          "generated_at": moment("When it was published."),
          "captured_at": moment("When the collector read it."),
          "age_seconds": count("Seconds since the older of both."),
          "clock_behind": flag("True if a wrong clock hides the age."),
        ], optional: ["captured_at", "clock_behind"])
    case .summary: seen(asInRange, ["object", "null"])
    case .range, .list:
      seen(
        "As in read_daily_metrics, with newest_date, the last with data; null if none has.",
        ["object", "null"])
    }
  }

  private var coverage: JSONValue {
    if self == .range { return seen("As in read_daily_metrics; missing may be beside it.") }
    guard self == .daily else { return seen(asInDaily) }
    let code = text("Why, as a code.")
    return object(
      "Which dates have data.",
      [
        "asked": count("Dates asked for."), "found": count("Dates with data."),
        "missing": spans("Dates, or FROM/TO, for which nothing was published."),
        "invalid": map("Dates with data that can't be read.", of: code),
        "fell_back": map(
          "Dates whose newest version can't be read, so an older one is shown.", of: code),
        "nonconforming": map("Dates that break a rule: be careful with their values.", of: code),
        "further_metrics": array("Metrics with numbers, not shown.", of: text()),
      ], optional: ["nonconforming", "further_metrics"])
  }

  private var error: JSONValue {
    guard self == .daily else { return seen(asInDaily) }
    return object(
      "Why it failed.",
      [
        "code": word(
          "What kind of error.", of: LedgerError.Code.allCases.map(\.rawValue).sorted()),
        "message": text("What went wrong, and what to do."),
        "retryable": flag("False where a person must act first."),
      ])
  }
}

// MARK: Schemas of values

private typealias Members = [String: JSONValue]

private let (asInDaily, asInRange) = ("As in read_daily_metrics.", "As in read_range_metrics.")
/// A moment with its offset from UTC.
private let localMoment = "^[0-9T:-]{19}[+-][0-9:]{5,8}$"

/// - Parameter words: nil for an element that its array's words describe.
private func schema(_ type: JSONValue, _ words: String?, _ more: Members = [:]) -> JSONValue {
  var members = more
  members["type"] = type
  members["description"] = words.map(JSONValue.string)
  return .object(members)
}

private func text(_ words: String? = nil, like pattern: String? = nil) -> JSONValue {
  schema("string", words, pattern.map { ["pattern": .string($0)] } ?? [:])
}

/// A value that is described elsewhere in the list of tools.
private func seen(_ words: String, _ type: JSONValue = "object") -> JSONValue {
  schema(type, words)
}

private func flag(_ words: String) -> JSONValue { schema("boolean", words) }

private func count(_ words: String) -> JSONValue { schema("integer", words, ["minimum": 0]) }

private func number(_ words: String? = nil) -> JSONValue { schema(["number", "null"], words) }

private func word(_ words: String, of values: [String]) -> JSONValue {
  schema("string", words, ["enum": .strings(values)])
}

private func date(_ words: String? = nil) -> JSONValue {
  schema("string", words, ["format": "date"])
}

/// A moment in UTC.
private func moment(_ words: String) -> JSONValue { text(words, like: "^[0-9T:-]{19}Z$") }

private func array(_ words: String, of element: JSONValue) -> JSONValue {
  schema("array", words, ["items": element])
}

/// Dates; consecutive dates may be given as an interval, which the words say.
private func spans(_ words: String) -> JSONValue {
  array(words, of: text(like: "^[0-9-]{10}(/[0-9-]{10})?$"))
}

/// An object with exactly these members. All of them are required, except the optional ones.
private func object(
  _ words: String?, _ members: Members, optional: Set<String> = [], type: JSONValue = "object"
) -> JSONValue {
  schema(
    type, words,
    [
      "properties": .object(members), "additionalProperties": false,
      "required": .strings(members.keys.filter { !optional.contains($0) }.sorted()),
    ])
}

/// An object whose keys are not known in advance.
private func map(_ words: String, of value: JSONValue, required: [String] = []) -> JSONValue {
  var more: Members = ["additionalProperties": value]
  if !required.isEmpty {
    more["required"] = .strings(required)
    more["maxProperties"] = .number(Double(required.count))
  }
  return schema("object", words, more)
}
