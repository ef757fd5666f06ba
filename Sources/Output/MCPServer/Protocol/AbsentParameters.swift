import HealthModel

extension JSONValue {
  /// A message, or a batch of them, without what clients write as null for what they leave out: the
  /// parameters, a member of them or of their `_meta`, and the id of a notification (R53).
  var withoutAbsentParameters: JSONValue {
    switch self {
    case .array(let messages): .array(messages.map { $0.withoutAbsent })
    default: withoutAbsent
    }
  }

  private var withoutAbsent: JSONValue {
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
}

extension JSONValue {
  /// What a text says that a client has encoded once more; nil for any other value (R50).
  ///
  /// Several clients write a list or an object as a text that holds its JSON.
  var encodedOnceMore: JSONValue? {
    guard case .string(let text) = self else { return nil }
    return try? JSONValue(parsing: Array(text.utf8), maximumDepth: 8)
  }
}
