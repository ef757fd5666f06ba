package import HealthLedger
package import HealthModel

extension ToolAnswer {
  /// The codes of R40.
  static let codes = LedgerError.Code.allCases.map(\.rawValue).sorted()

  /// A failure as the tool's answer (R52).
  ///
  /// - Parameter coverage: what is known about the requested dates, if they have no data.
  package init(_ error: LedgerError, coverage: JSONValue? = nil) {
    var content: [String: JSONValue] = [
      "error": [
        "code": .string(error.code.rawValue), "message": .string(Self.message(error)),
        "retryable": .bool(error.isRetryable),
      ]
    ]
    content["coverage"] = coverage
    self.init(.object(content), isError: true)
  }

  /// Message, key and remedy. It has no rule number, which means nothing to an agent, and no text
  /// from the store's server, which might influence the agent.
  private static func message(_ error: LedgerError) -> String {
    var text = error.ownMessage
    if let key = error.key { text += " (\(key))" }
    if let remedy = error.remedy { text += "; \(remedy.wordsForAgents)" }
    return text
  }
}
