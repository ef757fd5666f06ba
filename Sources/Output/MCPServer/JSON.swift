public import HealthModel

// Messages and schemas are written as they look on the wire.

extension JSONValue: ExpressibleByStringInterpolation {
  /// A string.
  public init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// `true` or `false`.
  public init(booleanLiteral flag: Bool) { self = .bool(flag) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral number: Int) { self = .number(Double(number)) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// An object; the keys of a literal must differ.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(Dictionary(uniqueKeysWithValues: members))
  }
}

extension JSONValue {
  /// Texts, in their order.
  static func strings(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map(string)) }

  /// An object with a member for each metric.
  static func byMetric(
    _ metrics: some Sequence<DailyMetric>, _ value: (DailyMetric) -> JSONValue?
  ) -> JSONValue {
    .object(metrics.reduce(into: [:]) { $0[$1.rawValue] = value($1) })
  }

  /// A number with at most six decimals; null for none, or for one that has no value.
  static func rounded(_ number: Double?) -> JSONValue {
    guard let number, number.isFinite else { return .null }
    return .number(number.roundedToMillionths)
  }

  /// Whether clients write it for an argument that they leave out: null, or an empty text.
  var isLeftOut: Bool { self == .null || self == "" }

  /// A message without what clients write as null for what they leave out: the parameters, a member
  /// of them or of their `_meta`, and the id of a notification (R53).
  var withoutAbsentParameters: JSONValue {
    guard case .object(var members) = self else { return self }
    if members["id"] == .null,
      members["method"]?.stringValue?.hasPrefix("notifications/") == true
    {
      members["id"] = nil
    }
    switch members["params"] {
    case .null?: members["params"] = nil
    case .object(var params)?:
      params = params.filter { $0.value != .null }
      if case .object(let meta)? = params["_meta"] {
        params["_meta"] = .object(meta.filter { $0.value != .null })
      }
      members["params"] = .object(params)
    default: break
    }
    return .object(members)
  }

  /// What a text says that a client has encoded once more; nil for any other value (R50).
  ///
  /// Several clients write a list or an object as a text that holds its JSON.
  var encodedOnceMore: JSONValue? {
    guard case .string(let text) = self else { return nil }
    return try? JSONValue(parsing: Array(text.utf8), maximumDepth: 8)
  }

  /// The JSON as text, as models read it.
  var text: JSONValue { .string(String(decoding: canonicalBytes, as: UTF8.self)) }
}
