/// A JSON value as RFC 8259 has it: a number is a finite double, an object has no duplicate keys.
///
/// Strings and keys compare as Swift strings do, so that texts which Unicode holds canonically
/// equivalent are equal; `canonicalBytes` still tells them apart.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number; finite in every parsed text.
  case number(Double)
  /// A string.
  case string(String)
  /// An array, in its order.
  case array([JSONValue])
  /// An object; its members have no order.
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

/// For coders of other libraries. `init(parsing:)` and `canonicalBytes` are stricter and faster.
extension JSONValue: Codable {
  /// Any value that a decoder offers.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// The value as a coder writes it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}
