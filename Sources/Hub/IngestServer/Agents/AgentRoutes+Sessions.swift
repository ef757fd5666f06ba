import MCPServer

/// GET and DELETE of `/mcp`, for the revisions that have sessions (R53).
extension AgentRoutes {
  /// Opens a stream: the rest of an answer whose stream was lost, or one for messages from the server.
  func listen(_ request: AuthenticatedRequest) async throws(RequestFailure) -> Answer {
    let door = try door(request)
    let head = try AgentHead(bare: request)
    guard head.session != nil || head.lastEvent != nil else { throw AgentHead.onlyPost }
    guard head.takesEvents else {
      throw RequestFailure(
        406, "not_acceptable", "the answer is a stream, so Accept must have text/event-stream")
    }
    let caller = try await hub.sessions.caller(
      request.device.name, head.session, at: request.receivedAt)
    guard let sent = head.lastEvent else {
      guard let session = caller.session else { throw AgentHead.onlyPost }
      return Self.opened(try hub.sessions.streams.open(session, of: caller.agent))
    }
    switch AgentEventIDs.place(sent, caller.seal, session: caller.sessionID) {
    case nil:
      throw RequestFailure(
        400, "unknown_event", "the server has sent no such event in this session; ask again")
    case .end:
      throw RequestFailure(400, "nothing_follows", "the event was the last of its stream")
    case .after(let done, let ids):
      let exchange = PostedExchange(
        resuming: ids.call, after: done,
        ServerDescription(version: door.version, naming: head.naming))
      return stream(exchange, door, of: caller, ids, after: done)
    }
  }

  /// Ends a session.
  func end(_ request: AuthenticatedRequest) async throws(RequestFailure) -> Answer {
    let head = try AgentHead(bare: request)
    guard head.session != nil else { throw AgentHead.onlyPost }
    let caller = try await hub.sessions.caller(
      request.device.name, head.session, at: request.receivedAt)
    guard let session = caller.session else { throw AgentHead.onlyPost }
    try await hub.sessions.end(session, of: caller.agent, at: request.receivedAt)
    return Answer(204)
  }
}
