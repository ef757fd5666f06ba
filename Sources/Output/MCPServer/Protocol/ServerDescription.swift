import HealthModel

/// How the server describes itself, the same in every answer.
package struct ServerDescription: Hashable, Sendable {
  let version: String
  let naming: ToolNaming

  /// - Parameters:
  /// - version: the program's version.
  /// - naming: how lists spell the tools' names.
  package init(version: String, naming: ToolNaming) {
    (self.version, self.naming) = (version, naming)
  }

  var info: JSONValue { ["name": "s3health", "version": .string(version)] }

  private var capabilities: JSONValue { ["tools": [:], "resources": [:], "prompts": [:]] }

  private var instructions: JSONValue {
    """
    Reads one person's daily health metrics: steps, energy, exercise, stand hours, resting heart \
    rate, heart rate variability and sleep, one value a day. A null is not zero: metric_status and \
    null_reasons say why there is no value. Dates without data are in missing_dates and coverage. \
    A day that is not over, or that was captured before its end and not again since, has sums of \
    a part of it: look at day_over and partial, or at days_not_over and partial_dates, and at \
    freshness before you speak of today. For more than one day use the range tool and name only \
    the metrics you need; for many days ask for the format compact, and for means ask \
    summarize_range. list_metrics says which metrics and dates have data.
    """
  }

  /// The result of `initialize`.
  func initialized(_ version: ProtocolVersion) -> [String: JSONValue] {
    [
      "protocolVersion": .string(version.rawValue), "capabilities": capabilities,
      "serverInfo": info, "instructions": instructions,
    ]
  }

  /// The result of `server/discover`.
  var discovered: [String: JSONValue] {
    [
      "supportedVersions": .array(
        ProtocolVersion.newestFirst.map { .string($0.rawValue) }),
      "capabilities": capabilities, "instructions": instructions,
    ].merging(Self.cacheable) { mine, _ in mine }
  }

  /// The result of `tools/list`.
  func tools(_ version: ProtocolVersion) -> [String: JSONValue] {
    let tools = Tool.allCases.map { $0.definition(version, naming) }
    return ["tools": .array(tools)]
      .merging(version.isPerRequest ? Self.cacheable : [:]) { mine, _ in mine }
  }

  /// The lists stay the same while the server runs, and are for this client only.
  static let cacheable: [String: JSONValue] = [
    "ttlMs": 3_600_000, "cacheScope": "private",
  ]

  /// The answer to a request, in the form that its version requires.
  func response(
    _ result: [String: JSONValue], to id: RequestID, _ version: ProtocolVersion
  ) -> JSONValue {
    var result = result
    if version.isPerRequest {
      result["resultType"] = "complete"
      result["_meta"] = [RequestMetadata.serverInfoKey: info]
    }
    return ["jsonrpc": "2.0", "id": id.value, "result": .object(result)]
  }
}
