import HealthModel
import ObjectStore

/// The sessions of agents (R53): whether one is open, and what only this server knows of it.
package struct AgentSessions: Sendable {
  private let tokens: TokenKeeper
  private let record: AgentSessionRecord
  private let now: @Sendable () -> Timestamp
  let streams = AgentStreams()
  let calls = CallsInSessions()

  /// - Parameter prefix: that of the store; empty, or with a `/` at its end.
  init(
    _ tokens: TokenKeeper, in store: any ObjectStore, prefix: String,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.tokens, self.now) = (tokens, now)
    record = AgentSessionRecord(store, prefix: prefix)
  }

  /// Who asks, and in which session.
  struct Caller: Sendable {
    let agent: String
    let seal: AgentSeal
    /// Nil for a request without a session.
    let session: AgentSession?
    /// The session's id as the client sent it; empty if it sent none.
    let sessionID: String
  }

  /// Checks the session of a request.
  ///
  /// - Parameter id: the value of `Mcp-Session-Id`; nil for a request without a session.
  /// - Throws: 404 unless the session belongs to this agent and is open.
  func caller(
    _ agent: String, _ id: String?, at now: Timestamp
  ) async throws(RequestFailure) -> Caller {
    let table: TokenTable
    do throws(HubServerError) {
      table = try tokens.table()
    } catch {
      throw .unavailable("the server can't check tokens at the moment", cause: error.message)
    }
    guard let seal = table.agentSeal(of: agent) else { throw Self.unknown }
    guard let id else { return Caller(agent: agent, seal: seal, session: nil, sessionID: "") }
    guard let session = AgentSession(id, seal, at: now) else { throw Self.unknown }
    guard await !record.contains(session, of: agent) else { throw Self.unknown }
    return Caller(agent: agent, seal: seal, session: session, sessionID: id)
  }

  private static let unknown = RequestFailure(
    404, "unknown_session", "there is no such session any more; begin a new one with initialize")

  /// Ends a session, here and on the other servers of the store.
  func end(
    _ session: AgentSession, of agent: String, at now: Timestamp
  ) async throws(RequestFailure) {
    try await record.end(session, of: agent, at: now)
    streams.end(session)
  }

  /// Keeps streams open until it is cancelled.
  func run() async {
    await streams.run { session, agent in
      guard session.isOpen(at: now()), (try? tokens.table())?.agentSeal(of: agent) != nil else {
        return false
      }
      return await !record.contains(session, of: agent)
    }
  }
}
