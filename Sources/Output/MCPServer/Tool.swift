import HealthLedger
package import HealthModel
import ObjectStore

/// The tools (R50), in the order in which they are listed.
package enum Tool: String, CaseIterable, Sendable {
  /// One date.
  case daily = "read_daily_metrics"
  /// All dates from one to another.
  case range = "read_range_metrics"
  /// Which metrics have data.
  case list = "list_metrics"
  /// What the days of a range have in common.
  case summary = "summarize_range"

  /// The tool's name in this spelling.
  func name(_ naming: ToolNaming) -> String {
    switch naming {
    case .dotted: "health.\(rawValue)"
    case .underscore: "health_\(rawValue)"
    }
  }

  /// The tool with this name, in either spelling.
  init?(name: String) {
    guard name.hasPrefix("health.") || name.hasPrefix("health_") else { return nil }
    self.init(rawValue: String(name.dropFirst(7)))
  }
}

/// How the list of tools spells names. Calls may use either spelling.
///
/// The protocol allows dots. Some clients pass names to services that do not, and then drop all
/// tools.
package enum ToolNaming: String, CaseIterable, Sendable {
  /// `health.read_daily_metrics`.
  case dotted
  /// `health_read_daily_metrics`.
  case underscore
}

/// One call of a tool, with unchecked arguments.
package struct ToolCall: Hashable, Sendable {
  package let tool: Tool
  package let arguments: [String: JSONValue]

  package init(_ tool: Tool, _ arguments: [String: JSONValue]) {
    (self.tool, self.arguments) = (tool, arguments)
  }
}

/// The result of a tool, or why it failed (R51, R52).
package struct ToolAnswer: Hashable, Sendable {
  /// Matches the tool's output schema in both cases.
  package let content: JSONValue
  package let isError: Bool

  init(_ content: JSONValue, isError: Bool = false) {
    (self.content, self.isError) = (content, isError)
  }

  /// A failure as the tool's answer (R52): message, key and remedy. It has no rule number, which means
  /// nothing to an agent, and no text from the store's server, which might influence the agent.
  ///
  /// - Parameter coverage: what is known about the requested dates, if they have no data.
  init(_ error: LedgerError, coverage: JSONValue? = nil) {
    var message = error.ownMessage
    if let key = error.key { message += " (\(key))" }
    if let remedy = error.remedy { message += "; \(remedy.wordsForAgents)" }
    var content: [String: JSONValue] = [
      "error": [
        "code": .string(error.code.rawValue), "message": .string(message),
        "retryable": .bool(error.isRetryable),
      ]
    ]
    content["coverage"] = coverage
    self.init(.object(content), isError: true)
  }
}

// The words of remedies for an agent. An agent has reading tools and no command line: it can ask again,
// for other dates, or ask the person. There is no `default`, so that a new case does not compile
// until it has words.

extension LedgerError.Remedy {
  /// The remedy for an agent.
  fileprivate var wordsForAgents: String {
    switch self {
    case .text(let words): words
    case .all(let remedies): remedies.map(\.wordsForAgents).joined(separator: "; ")
    case .store(let remedy): remedy.wordsForAgents
    case .raiseDayLimit: "ask for fewer days at a time"
    case .listRevisions(let date): "ask the person to look at the revisions of \(date)"
    case .publish, .publishOrAllowMissing, .publishEach, .publishAfter, .movePointer, .listFindings,
      .chooseEmptyFolder:
      // Tools only read, so none of these occurs.
      "ask the person to \(self)"
    case .awaitPointer, .input: description
    }
  }
}

extension StoreError.Remedy {
  /// The remedy for an agent. The person owns the store's settings.
  fileprivate var wordsForAgents: String {
    switch self {
    case .text(let words): words
    case .all(let remedies): remedies.map(\.wordsForAgents).joined(separator: "; ")
    case .retry, .retryLater: description
    case .allowMoreTime: "try again, or ask the person to allow more time"
    case .diagnose, .raiseLimit, .runAs, .setClock, .encryptTransport, .trustAuthority,
      .exportCredentials, .checkEndpoint, .checkEndpointAndNetwork, .checkServerAndNetwork,
      .checkAddressing, .createBucket, .checkBucketName, .simplifyPrefix, .chooseRegion,
      .chooseEndpointAndRegion, .leaveOutEncryption, .checkEncryption:
      "ask the person to \(self)"
    }
  }
}
