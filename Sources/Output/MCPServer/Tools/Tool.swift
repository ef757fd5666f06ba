package import HealthModel

/// The tools (R50), in the order in which they are listed.
package enum Tool: CaseIterable, Sendable {
  /// One date.
  case daily
  /// All dates from one to another.
  case range
  /// Which metrics have data.
  case list
  /// What the days of a range have in common.
  case summary

  private var word: String {
    switch self {
    case .daily: "read_daily_metrics"
    case .range: "read_range_metrics"
    case .list: "list_metrics"
    case .summary: "summarize_range"
    }
  }

  /// The tool's name in this spelling.
  func name(_ naming: ToolNaming) -> String {
    switch naming {
    case .dotted: "health.\(word)"
    case .underscore: "health_\(word)"
    }
  }

  /// The tool with this name, in either spelling.
  init?(name: String) {
    let tool = Self.allCases.first { tool in
      ToolNaming.allCases.contains { tool.name($0) == name }
    }
    guard let tool else { return nil }
    self = tool
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

  package init(_ content: JSONValue, isError: Bool = false) {
    (self.content, self.isError) = (content, isError)
  }

  /// The result of `tools/call`: JSON for programs, and the same as text for models.
  func result(_ version: ProtocolVersion) -> [String: JSONValue] {
    let text = String(decoding: content.canonicalBytes, as: UTF8.self)
    var result: [String: JSONValue] = [
      "content": [["type": "text", "text": .string(text)]], "isError": .bool(isError),
    ]
    if version.hasStructuredContent { result["structuredContent"] = content }
    return result
  }
}
