import HealthModel

/// Parts of the output schemas: JSON Schemas of values, with descriptions for the agents that read
/// them.
struct OutputSchema {
  private(set) var json: [String: JSONValue]

  private init(_ type: JSONValue, _ words: String, _ more: [String: JSONValue] = [:]) {
    json = ["type": type, "description": .string(words)]
    json.merge(more) { _, more in more }
  }

  static func text(_ words: String) -> OutputSchema { .init("string", words) }

  static func flag(_ words: String) -> OutputSchema { .init("boolean", words) }

  static func count(_ words: String) -> OutputSchema {
    .init("integer", words, ["minimum": 0])
  }

  static func number(_ words: String) -> OutputSchema { .init(["number", "null"], words) }

  static func word(_ words: String, of values: [String]) -> OutputSchema {
    .init("string", words, ["enum": .array(values.map(JSONValue.string))])
  }

  static func date(_ words: String) -> OutputSchema {
    .init("string", words, ["pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"])
  }

  /// A moment in UTC.
  static func moment(_ words: String) -> OutputSchema {
    .init("string", words, ["pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"])
  }

  /// A moment with its offset from UTC.
  static func localMoment(_ words: String) -> OutputSchema {
    .init(
      "string", words,
      [
        "pattern": """
        ^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}:[0-9]{2}(:[0-9]{2})?$
        """
      ])
  }

  /// The name of a time zone, or null.
  static func zone(_ words: String) -> OutputSchema {
    .init(["string", "null"], words, ["pattern": "^[A-Za-z0-9_+/-]{1,64}$"])
  }

  static func array(
    _ words: String, of element: OutputSchema, counting: ClosedRange<Int>? = nil
  ) -> OutputSchema {
    var more: [String: JSONValue] = ["items": .object(element.json)]
    if let counting {
      more["minItems"] = .number(Double(counting.lowerBound))
      more["maxItems"] = .number(Double(counting.upperBound))
    }
    return .init("array", words, more)
  }

  /// Dates; consecutive dates may be given as an interval.
  static func spans(_ words: String) -> OutputSchema {
    let span = OutputSchema(
      "string", "A date, or FROM/TO for all dates from one to another.",
      ["pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}(/[0-9]{4}-[0-9]{2}-[0-9]{2})?$"])
    return array(words, of: span)
  }

  /// An object with exactly these members. All of them are required, except the optional ones.
  static func object(
    _ words: String, _ members: [String: OutputSchema], optional: Set<String> = [],
    orNull: Bool = false
  ) -> OutputSchema {
    .init(
      orNull ? ["object", "null"] : "object", words,
      [
        "properties": .object(members.mapValues { .object($0.json) }),
        "required": .array(
          members.keys.filter { !optional.contains($0) }.sorted().map(JSONValue.string)),
        "additionalProperties": false,
      ])
  }

  /// An object whose keys are not known in advance, or are some of these.
  static func map(
    _ words: String, of value: OutputSchema, keys: JSONValue? = nil
  ) -> OutputSchema {
    .init(
      "object", words,
      ["additionalProperties": .object(value.json)].merging(
        keys.map { ["propertyNames": $0] } ?? [:]
      ) { mine, _ in mine })
  }

  /// Keys that are metrics.
  static let metricKeys: JSONValue = ["pattern": "^[a-z][a-z0-9_]*$"]

  /// Keys that are dates.
  static let dateKeys: JSONValue = ["pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"]
}
