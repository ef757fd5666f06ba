import HealthModel

extension Tool {
  /// The tool's description in `tools/list` for a client of a version (R50).
  func definition(_ version: ProtocolVersion, _ naming: ToolNaming) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(name(naming)), "description": .string(description),
      "inputSchema": inputSchema,
    ]
    if version.hasAnnotations {
      members["annotations"] = [
        "title": .string(title), "readOnlyHint": true, "destructiveHint": false,
        "idempotentHint": true, "openWorldHint": false,
      ]
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
      Reads the health metrics of up to 366 days at once: data has one object for each day with \
      data, missing_dates the dates without. For more than about 31 days ask for the format \
      compact: rows of values, less than a tenth of the text. An answer is always of the whole range: if \
      the store fails on the way, it is an error.
      """
    }
  }

  /// Keywords that have the same meaning in older dialects of JSON Schema. Services that run models
  /// do not accept `$schema` here.
  private var inputSchema: JSONValue {
    switch self {
    case .daily:
      return schema(["date": dateSchema("The day"), "timezone": zoneSchema], required: ["date"])
    case .range:
      let metrics: JSONValue = [
        "type": "array", "items": ["type": "string", "enum": .array(DailyMetric.names)],
        "minItems": 1, "uniqueItems": true,
        "description": """
        Only these metrics, with the format compact in this order; otherwise the first eight, \
        which every day has. The optional ones are null on days that have no number for them.
        """,
      ]
      let format: JSONValue = [
        "type": "string", "enum": .array(RangeFormat.allCases.map { .string($0.rawValue) }),
        "description": """
        daily, the default, answers data, one object for each day; compact answers days, one row \
        of values for each day in the order of columns.
        """,
      ]
      return schema(
        [
          "start_date": dateSchema("The first day"),
          "end_date": dateSchema("The last day, inclusive"), "metrics": metrics,
          "format": format, "timezone": zoneSchema,
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
      "type": "string", "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2}|today|yesterday)$",
      "description": .string("\(what): YYYY-MM-DD, today or yesterday."),
    ]
  }

  private var zoneSchema: JSONValue {
    [
      "type": "string",
      "description": """
      IANA time zone that decides what today is; otherwise the person's own. Days themselves keep \
      the zone they were recorded in.
      """,
    ]
  }
}

extension DailyMetric {
  /// The keys of all metrics: the required ones in the order of R9, then the optional ones (R42).
  static var names: [JSONValue] { inOrder.map { .string($0.rawValue) } }
}
