package import HealthModel

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
