import HealthModel

extension Tool {
  /// The tool's description in `tools/list` for a client of a version (R50).
  func definition(_ version: ProtocolVersion, _ naming: ToolNaming) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(name(naming)), "description": .string(description),
      "inputSchema": inputSchema,
    ]
    if version.hasAnnotations {
      var annotations: [String: JSONValue] = [
        "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
        "openWorldHint": false,
      ]
      // Later revisions have it beside.
      if !version.hasStructuredContent { annotations["title"] = .string(title) }
      members["annotations"] = .object(annotations)
    }
    if version.hasStructuredContent {
      members["title"] = .string(title)
      members["outputSchema"] = outputSchema
    }
    return .object(members)
  }

  private var title: String {
    switch self {
    case .daily: "Health metrics of one day"
    case .range: "Health metrics of many days"
    case .list: "Metrics that have data"
    case .summary: "Means of many days"
    }
  }

  private var description: String {
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

  /// Keywords that have the same meaning in older dialects of JSON Schema. Services that run models
  /// do not accept `$schema` here.
  private var inputSchema: JSONValue {
    let metrics: JSONValue = [
      "type": "array", "items": ["type": "string", "pattern": "^[a-z][a-z0-9_]*$"],
      "minItems": 1, "uniqueItems": true,
      "description": .string(
        "Only these of list_metrics; the required eight if absent."),
    ]
    let start = dateSchema("The first day: \(DayWord.forms).")
    let end = dateSchema("The last day, inclusive.")
    switch self {
    case .daily:
      return schema(
        [
          "date": dateSchema("The day: \(DayWord.forms)."), "timezone": zoneSchema,
          "include_sources": flagSchema("Also where each number comes from."),
        ], required: ["date"])
    case .range:
      let format: JSONValue = [
        "type": "string", "enum": .array(RangeFormat.allCases.map { .string($0.rawValue) }),
        "description": """
        daily, the default: data, one object for each day; compact: days, one row of values for \
        each.
        """,
      ]
      return schema(
        [
          "start_date": start, "end_date": end, "metrics": metrics, "format": format,
          "timezone": zoneSchema,
          "include_sources": flagSchema("Also sources in each day; not in compact."),
        ], required: ["start_date", "end_date"])
    case .list:
      return schema(
        [
          "start_date": dateSchema("The first day: \(DayWord.forms); 366 days in all if absent."),
          "end_date": dateSchema("The last day; the last with data if absent."),
          "timezone": zoneSchema,
        ], required: [])
    case .summary:
      let period: JSONValue = [
        "type": "string", "enum": ["week", "month"],
        "description": "Also by week from Monday, or by month.",
      ]
      return schema(
        [
          "start_date": start, "end_date": end, "metrics": metrics, "by": period,
          "compare_start_date": dateSchema("Of a range to compare with."),
          "compare_end_date": dateSchema("Its last day."), "timezone": zoneSchema,
        ], required: ["start_date", "end_date"])
    }
  }

  private func schema(_ properties: JSONValue, required: JSONValue) -> JSONValue {
    [
      "type": "object", "properties": properties, "required": required,
      "additionalProperties": false,
    ]
  }

  private func dateSchema(_ what: String) -> JSONValue {
    [
      "type": "string", "pattern": .string(DayWord.pattern),
      "description": .string(what),
    ]
  }

  private func flagSchema(_ what: String) -> JSONValue {
    ["type": "boolean", "description": .string(what)]
  }

  private var zoneSchema: JSONValue {
    [
      "type": "string",
      "description": """
      IANA name that decides today; the person's if absent.
      """,
    ]
  }
}
