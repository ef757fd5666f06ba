import HealthModel

/// Parts of the output schemas: JSON Schemas of values, with descriptions for the agents that read
/// them. They are short, because a client may pass the whole list of tools to a model (R52).
struct OutputSchema {
  private(set) var json: [String: JSONValue]

  /// - Parameter words: nil for an element that its array's words describe.
  private init(_ type: JSONValue, _ words: String?, _ more: [String: JSONValue] = [:]) {
    json = ["type": type]
    json["description"] = words.map(JSONValue.string)
    json.merge(more) { _, more in more }
  }

  static func text(_ words: String? = nil) -> OutputSchema { .init("string", words) }

  /// A value that is described elsewhere in the list of tools.
  static func seen(_ words: String, _ type: JSONValue, required: [String] = []) -> OutputSchema {
    .init(
      type, words, required.isEmpty ? [:] : ["required": .array(required.map(JSONValue.string))])
  }

  static func flag(_ words: String) -> OutputSchema { .init("boolean", words) }

  static func count(_ words: String) -> OutputSchema {
    .init("integer", words, ["minimum": 0])
  }

  static func number(_ words: String? = nil) -> OutputSchema { .init(["number", "null"], words) }

  static func word(_ words: String, of values: [String]) -> OutputSchema {
    .init("string", words, ["enum": .array(values.map(JSONValue.string))])
  }

  static func date(_ words: String? = nil) -> OutputSchema {
    .init("string", words, ["format": "date"])
  }

  /// A moment in UTC.
  static func moment(_ words: String) -> OutputSchema {
    .init("string", words, ["pattern": "^[0-9T:-]{19}Z$"])
  }

  /// A moment with its offset from UTC.
  static func localMoment(_ words: String) -> OutputSchema {
    .init("string", words, ["pattern": "^[0-9T:-]{19}[+-][0-9:]{5,8}$"])
  }

  /// The name of a time zone, or null.
  static func zone(_ words: String) -> OutputSchema {
    .init(["string", "null"], words, ["pattern": "^[A-Za-z0-9_+/-]{1,64}$"])
  }

  static func array(
    _ words: String, of element: OutputSchema, atMost count: Int? = nil
  ) -> OutputSchema {
    var more: [String: JSONValue] = ["items": .object(element.json)]
    more["maxItems"] = count.map { .number(Double($0)) }
    return .init("array", words, more)
  }

  /// Dates, one by one.
  static func dates(_ words: String) -> OutputSchema { array(words, of: date()) }

  /// Dates; consecutive dates may be given as an interval, which the words say.
  static func spans(_ words: String) -> OutputSchema {
    array(words, of: .init("string", nil, ["pattern": "^[0-9-]{10}(/[0-9-]{10})?$"]))
  }

  /// An object with exactly these members. All of them are required, except the optional ones.
  static func object(
    _ words: String?, _ members: [String: OutputSchema], optional: Set<String> = [],
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

  /// An object whose keys are not known in advance.
  static func map(
    _ words: String, of value: OutputSchema, keys: JSONValue? = nil, required: [String] = []
  ) -> OutputSchema {
    var more: [String: JSONValue] = ["additionalProperties": .object(value.json)]
    more["propertyNames"] = keys
    if !required.isEmpty {
      more["required"] = .array(required.map(JSONValue.string))
      more["maxProperties"] = .number(Double(required.count))
    }
    return .init("object", words, more)
  }

  /// Keys that are dates.
  static let dateKeys: JSONValue = ["format": "date"]
}
