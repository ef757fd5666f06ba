import HealthModel

extension Tool {
  /// The form of `structuredContent` (R51, R52): what was found, or an error, never both.
  var outputSchema: JSONValue {
    var properties: [String: JSONValue] = [
      "units": Self.map(of: ["type": "string"], keys: Metric.names),
      "freshness": freshnessSchema, "coverage": Self.coverageSchema, "error": Self.errorSchema,
    ]
    let own: [String: JSONValue] =
      switch self {
      case .daily: dailyProperties
      case .range: rangeProperties
      }
    let found = Set(properties.keys).union(own.keys).subtracting(["error"]).sorted()
    properties.merge(own) { _, own in own }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
      "properties": .object(properties), "additionalProperties": false,
      "oneOf": [
        ["required": .array(found.map(JSONValue.string)), "not": ["required": ["error"]]],
        ["required": ["error"], "not": ["required": ["metrics"]]],
      ],
    ]
  }

  private var dailyProperties: [String: JSONValue] {
    [
      "date": Self.date, "revision_id": ["type": "string"],
      "day": Self.object(["timezone": ["type": "string"], "start": Self.text, "end": Self.text]),
      "metrics": Self.object(
        Dictionary(uniqueKeysWithValues: Metric.allCases.map { ($0.rawValue, Self.number) })),
      "null_reasons": Self.map(of: Self.reason, keys: Metric.names),
    ]
  }

  private var rangeProperties: [String: JSONValue] {
    [
      "from": Self.date, "to": Self.date,
      "metrics": ["type": "array", "items": ["type": "string", "enum": .array(Metric.names)]],
      "days": [
        "type": "object", "propertyNames": Self.date,
        "additionalProperties": [
          "type": "array", "items": Self.number, "minItems": 1,
          "maxItems": .number(Double(Metric.allCases.count)),
        ],
        "description": "By date, one value for each of metrics, in that order.",
      ],
      "null_reasons": Self.map(
        of: Self.map(of: Self.spans, keys: Self.reasons), keys: Metric.names),
      "timezones": ["type": "object", "additionalProperties": Self.spans],
    ]
  }

  private var freshnessSchema: JSONValue {
    var properties: [String: JSONValue] = [
      "generated_at": Self.text, "captured_at": Self.text, "age_seconds": ["type": "integer"],
    ]
    if self == .range { properties["newest_date"] = Self.date }
    let required = properties.keys.filter { $0 != "captured_at" }.sorted().map(JSONValue.string)
    return [
      "type": self == .daily ? "object" : ["object", "null"], "properties": .object(properties),
      "required": .array(required), "additionalProperties": false,
    ]
  }

  private static let text: JSONValue = ["type": "string"]
  private static let number: JSONValue = ["type": ["number", "null"]]
  private static let count: JSONValue = ["type": "integer", "minimum": 0]
  private static let date: JSONValue = [
    "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
  ]
  private static let spans: JSONValue = [
    "type": "array",
    "items": [
      "type": "string",
      "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}(/[0-9]{4}-[0-9]{2}-[0-9]{2})?$",
    ],
  ]
  private static let reasons: [JSONValue] = MetricStatus.allCases.filter { $0 != .ok }
    .map { .string($0.rawValue) }
  private static let reason: JSONValue = ["type": "string", "enum": .array(reasons)]

  private static let coverageSchema = object([
    "asked": count, "found": count, "missing": spans,
    "invalid": map(of: text), "fell_back": map(of: text),
  ])

  private static let errorSchema = object([
    "code": [
      "type": "string", "enum": .array(ToolFault.codes.map(JSONValue.string)),
    ],
    "message": text, "retryable": ["type": "boolean"],
  ])

  /// An object with exactly these members.
  private static func object(_ properties: [String: JSONValue]) -> JSONValue {
    [
      "type": "object", "properties": .object(properties),
      "required": .array(properties.keys.sorted().map(JSONValue.string)),
      "additionalProperties": false,
    ]
  }

  /// An object with any members, or any of these, of one form.
  private static func map(of value: JSONValue, keys: [JSONValue]? = nil) -> JSONValue {
    var schema: [String: JSONValue] = ["type": "object", "additionalProperties": value]
    if let keys { schema["propertyNames"] = ["enum": .array(keys)] }
    return .object(schema)
  }
}
