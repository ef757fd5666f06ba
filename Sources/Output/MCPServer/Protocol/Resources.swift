import HealthModel

/// What agents can read by address (R62): a day, and the catalogue of metrics.
enum Resources {
  static let catalogue = "health://metrics"
  static let dayPrefix = "health://days/"

  /// The date of a day's address, in a form of R50.
  static func date(_ uri: String) -> String? {
    guard uri.hasPrefix(dayPrefix) else { return nil }
    let date = String(uri.dropFirst(dayPrefix.count))
    return DayWord(date) == nil ? nil : date
  }

  /// - Parameter lasting: true if it stays the same while the server runs.
  static func contents(
    _ uri: String, _ content: JSONValue, _ version: ProtocolVersion, lasting: Bool
  ) -> [String: JSONValue] {
    let text = String(decoding: content.canonicalBytes, as: UTF8.self)
    var result: [String: JSONValue] = [
      "contents": [["uri": .string(uri), "mimeType": "application/json", "text": .string(text)]]
    ]
    guard version.isPerRequest else { return result }
    result.merge(ServerDescription.cacheable) { mine, _ in mine }
    // A day may be published again at any moment.
    if !lasting { result["ttlMs"] = 0 }
    return result
  }

  static func described(
    _ members: [String: JSONValue], _ title: JSONValue, _ version: ProtocolVersion
  ) -> JSONValue {
    var members = members
    if version.hasStructuredContent { members["title"] = title }
    return .object(members)
  }
}

extension ServerDescription {
  /// The result of `resources/list`.
  func resources(_ version: ProtocolVersion) -> [String: JSONValue] {
    list(
      "resources",
      [
        Resources.described(
          [
            "uri": .string(Resources.catalogue), "name": "metrics",
            "mimeType": "application/json",
            "description": "All metrics that a day can have: unit, meaning, and how it is made.",
          ], "Catalogue of metrics", version)
      ], version)
  }

  /// The result of `resources/templates/list`.
  func templates(_ version: ProtocolVersion) -> [String: JSONValue] {
    list(
      "resourceTemplates",
      [
        Resources.described(
          [
            "uriTemplate": .string("\(Resources.dayPrefix){date}"), "name": "day",
            "mimeType": "application/json",
            "description": .string(
              "One day, as \(Tool.daily.name(naming)) answers it. date: \(DayWord.forms)."),
          ], "Health metrics of one day", version)
      ], version)
  }

  func list(
    _ name: String, _ elements: [JSONValue], _ version: ProtocolVersion
  ) -> [String: JSONValue] {
    [name: .array(elements)]
      .merging(version.isPerRequest ? Self.cacheable : [:]) { mine, _ in mine }
  }
}

extension ProtocolMachine {
  /// Answers with the catalogue, or begins to read a day.
  mutating func read(
    _ id: RequestID, _ params: [String: JSONValue], _ version: ProtocolVersion,
    to destination: Destination
  ) throws(ProtocolError) -> [Action] {
    let uri = try params.string("uri")
    if uri == Resources.catalogue {
      let result = Resources.contents(uri, DailyMetric.catalogue, version, lasting: true)
      return deliver(server.response(result, to: id, version), of: id, to: destination)
    }
    guard let date = Resources.date(uri) else { throw .resourceNotFound(uri, version) }
    return try run(
      ToolCall(.daily, ["date": .string(date)]), for: id, as: .resource(uri: uri), version,
      to: destination)
  }
}
