/// A JSON value as RFC 8259 has it: a number is a finite double, an object has no duplicate keys.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The member of an object; nil for another kind of value or an absent key.
  public subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The text of a string value; nil for another kind.
  public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value of a number; nil for another kind.
  public var numberValue: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The elements of an array; nil for another kind.
  public var arrayValue: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members of an object; nil for another kind.
  public var objectValue: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }
}
