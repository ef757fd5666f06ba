/// What agents may be let in for (R63): there is one thing.
enum AgentScope {
  /// As OAuth names it.
  static let name = "days.read"
}
