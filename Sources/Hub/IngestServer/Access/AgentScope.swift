/// The only scope of agents (R63).
enum AgentScope {
  /// As OAuth names it.
  static let name = "days.read"
}
