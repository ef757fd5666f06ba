package import HealthLedger
import HealthModel

/// A tool's own error (R52).
package struct ToolFault: Error, Hashable, Sendable {
  package let error: LedgerError
  /// What is known about the requested dates, if the failure is that they have no data.
  let coverage: JSONValue?

  init(_ error: LedgerError, coverage: JSONValue) {
    (self.error, self.coverage) = (error, coverage)
  }

  package init(_ error: LedgerError) {
    (self.error, coverage) = (error, nil)
  }

  /// The codes of R40.
  static let codes = LedgerError.Code.allCases.map(\.rawValue).sorted()

  /// The failure as the tool's answer.
  package var answer: ToolAnswer {
    var content: [String: JSONValue] = [
      "error": [
        "code": .string(error.code.rawValue), "message": .string(message),
        "retryable": .bool(error.isRetryable),
      ]
    ]
    content["coverage"] = coverage
    return ToolAnswer(.object(content), isError: true)
  }

  /// Message, key and remedy. It has no rule number, which means nothing to an agent, and no text
  /// from the store's server, which might influence the agent.
  private var message: String {
    var text = error.ownMessage
    if let key = error.key { text += " (\(key))" }
    if let remedy = error.remedy { text += "; \(remedy.wordsForAgents)" }
    return text
  }
}
