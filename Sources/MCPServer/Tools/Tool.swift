/// The tools (R50), in the order in which they are listed.
package enum Tool: CaseIterable, Sendable {
  /// One date.
  case daily
  /// All dates from one to another.
  case range

  private var word: String {
    switch self {
    case .daily: "read_daily_metrics"
    case .range: "read_range_metrics"
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
