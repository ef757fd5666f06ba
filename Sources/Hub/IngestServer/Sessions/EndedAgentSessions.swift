import HealthModel

/// The sessions that agents have ended early (R53). Their number is bounded for each agent and for all:
/// when one is dropped, every session that began no later counts as ended. Pure.
struct EndedAgentSessions: Hashable, Sendable {
  private struct Own: Hashable, Sendable {
    /// Sessions that began then or earlier are over.
    var before = 0
    /// When each began, by its id.
    var begun: [String: Int] = [:]

    /// All that is kept.
    var moments: [Int] { (before > 0 ? [before] : []) + begun.values }
    var count: Int { begun.count + (before > 0 ? 1 : 0) }

    mutating func forgetEarliest() {
      guard let earliest = begun.values.min() else { return }
      before = max(before, earliest)
      begun = begun.filter { $0.value > before }
    }
  }

  /// The most sessions of one agent, and of all.
  static let (maximumOfOne, maximum) = (1024, 4096)
  /// The most bytes of the document.
  static let maximumBytes = 1 << 20
  private static let format = "ended-agent-sessions.v0"

  /// All sessions that began then or earlier are over.
  private var before = 0
  private var agents: [String: Own] = [:]

  init() {}

  /// - Parameter agent: the name of the token or the grant.
  func contains(_ session: AgentSession, of agent: String) -> Bool {
    guard session.begun > before else { return true }
    guard let own = agents[agent] else { return false }
    return session.begun <= own.before || own.begun[session.id] != nil
  }

  mutating func end(_ session: AgentSession, of agent: String, at now: Timestamp) {
    // An expired session need not be kept.
    drop(upTo: now.secondsSince1970 - AgentSession.lifetime)
    guard !contains(session, of: agent) else { return }
    agents[agent, default: Own()].begun[session.id] = session.begun
    while agents[agent]?.begun.count ?? 0 > Self.maximumOfOne { agents[agent]?.forgetEarliest() }
    while agents.values.reduce(0, { $0 + $1.count }) > Self.maximum,
      let earliest = agents.values.flatMap(\.moments).min()
    {
      before = max(before, earliest)
      drop(upTo: before)
    }
  }

  private mutating func drop(upTo moment: Int) {
    agents = agents.compactMapValues { own in
      let rest = Own(
        before: own.before > moment ? own.before : 0,
        begun: own.begun.filter { $0.value > moment })
      return rest.count > 0 ? rest : nil
    }
  }

  // MARK: - The document

  var document: [UInt8] {
    JSONValue.object([
      "format": .string(Self.format), "before": .number(Double(before)),
      "agents": .object(
        agents.mapValues { own in
          .object([
            "before": .number(Double(own.before)),
            "begun": .object(own.begun.mapValues { .number(Double($0)) }),
          ])
        }),
    ]).canonicalBytes
  }

  /// Nil for anything else.
  init?(parsing bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes, maximumDepth: 5),
      value["format"]?.stringValue == Self.format, let before = Self.moment(value["before"]),
      let listed = value["agents"]?.objectValue
    else { return nil }
    self.before = before
    for (name, value) in listed {
      guard let before = Self.moment(value["before"]), let sessions = value["begun"]?.objectValue
      else { return nil }
      agents[name] = Own(before: before, begun: sessions.compactMapValues(Self.moment))
    }
  }

  private static func moment(_ value: JSONValue?) -> Int? {
    value?.numberValue.flatMap { Int(exactly: $0) }
  }
}
