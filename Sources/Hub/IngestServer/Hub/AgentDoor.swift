package import MCPServer

/// What a server needs to answer AI agents (R53).
package struct AgentDoor: Sendable {
  /// Makes a call. It must end soon after its task is cancelled.
  package typealias Answering =
    @Sendable (_ call: ToolCall, _ progress: (@Sendable (Int, Int) -> Void)?) async -> ToolAnswer

  /// The program's version.
  let version: String
  let answer: Answering

  package init(version: String, answer: @escaping Answering) {
    (self.version, self.answer) = (version, answer)
  }
}
