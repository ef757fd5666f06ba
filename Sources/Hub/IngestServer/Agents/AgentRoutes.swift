import HealthModel
import MCPServer

/// `/mcp`: the days for AI agents, over MCP's streamable HTTP (R53).
///
/// Each request stands alone: the ids of sessions and events carry all that is needed, so any server of
/// a store can answer any request.
struct AgentRoutes: Sendable {
  static let path = "/mcp"

  let hub: Hub
  private let places = WorkPlaces()
  /// How long a request may take: less than the server would let it, so that its answer has its id.
  private let seconds: Int

  /// How long the last event of a stream may take to get through, in seconds.
  private static let patience = 60.0

  static func routes(_ hub: Hub) -> [Route] {
    guard hub.own.agents != nil else { return [] }
    let routes = AgentRoutes(hub: hub, seconds: max(1, hub.limits.handlingSeconds - 2))
    return [
      Route(.post, path, for: .agents, limit: PostedExchange.maximumBytes) {
        (request) async throws(RequestFailure) in
        try await routes.answer(request)
      },
      Route(.get, path, for: .agents, limit: 0) { (request) async throws(RequestFailure) in
        try await routes.listen(request)
      },
      Route(.delete, path, for: .agents, limit: 0) { (request) async throws(RequestFailure) in
        try await routes.end(request)
      },
    ]
  }

  func door(_ request: AuthenticatedRequest) throws(RequestFailure) -> AgentDoor {
    guard let door = try hub.part(of: request.device).agents else {
      throw RequestFailure(404, "not_found", "this server answers no agents")
    }
    return door
  }

  private func answer(_ request: AuthenticatedRequest) async throws(RequestFailure) -> Answer {
    let door = try door(request)
    var head = try AgentHead(posted: request)
    let caller = try await hub.sessions.caller(
      request.device.name, head.session, at: request.receivedAt)
    head.speak(caller.session)
    let exchange = PostedExchange(
      request.body, head.routing, ServerDescription(version: door.version, naming: head.naming))
    guard exchange.isWaiting else { return atOnce(exchange, caller, at: request.receivedAt) }
    if head.takesEvents, exchange.progress != nil {
      let ids = exchange.resumable.flatMap {
        AgentEventIDs($0, caller.seal, session: caller.sessionID)
      }
      return stream(exchange, door, of: caller, ids)
    }
    return await whole(exchange, door, of: caller)
  }

  /// The answer to a request that needs no tool call.
  private func atOnce(
    _ exchange: PostedExchange, _ caller: AgentSessions.Caller, at now: Timestamp
  ) -> Answer {
    if let session = caller.session, let id = exchange.cancelled {
      hub.sessions.calls.cancel(id, in: session)
    }
    var answer = Answer(exchange.answer)
    if let version = exchange.agreed {
      let session = AgentSession(version, at: now)
      answer.headers.append(HeaderField("Mcp-Session-Id", session.text(caller.seal)))
    }
    return answer
  }

  /// The answer in one piece; nothing if the client has cancelled it.
  private func whole(
    _ exchange: PostedExchange, _ door: AgentDoor, of caller: AgentSessions.Caller
  ) async -> Answer {
    let (places, seconds, calls) = (places, seconds, hub.sessions.calls)
    let work = Task {
      await TimeLimit.run(seconds) {
        guard let place = await places.enter(caller.agent) else { return exchange.overloaded }
        defer { withExtendedLifetime(place) {} }
        return await Self.finished(exchange, door, progress: nil)
      }
    }
    let entry = calls.begin(exchange.id, in: caller.session)
    defer { calls.end(entry, exchange.id, in: caller.session) }
    entry.onCancel { work.cancel() }
    let found = await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    return entry.isCancelled ? Answer(202) : Answer(found ?? exchange.late)
  }

  /// Makes the calls.
  private static func finished(
    _ exchange: PostedExchange, _ door: AgentDoor, progress: (@Sendable (Int, Int) -> Void)?
  ) async -> HTTPAnswer {
    var exchange = exchange
    await exchange.finish { await door.answer($0, progress) }
    return exchange.answer
  }

  /// Events: how far the call is, and at last its answer. The call ends if the client leaves, and
  /// has its place until the answer is written.
  ///
  /// - Parameters:
  ///   - ids: nil where no stream is resumed.
  ///   - done: the progress that the client already knows of.
  func stream(
    _ exchange: PostedExchange, _ door: AgentDoor, of caller: AgentSessions.Caller,
    _ ids: AgentEventIDs?, after done: Int = 0
  ) -> Answer {
    let events = EventSubscription(session: caller.agent)
    if let ids, ids.call.isPrimed { events.send(.hello, Self.primer(ids.text(done))) }
    let (places, seconds, closed) = (places, seconds, WakeSignal())
    let call = Task {
      let entered = await TimeLimit.run(seconds) { await places.enter(caller.agent) }
      guard let place = entered ?? nil else {
        return Self.end(events, exchange.overloaded, ids?.last)
      }
      defer { withExtendedLifetime(place) {} }
      let found = await TimeLimit.run(seconds) {
        await Self.finished(exchange, door) { done, total in
          guard let message = exchange.progress?.message(done, of: total) else { return }
          events.send(.progress, Self.event(message, ids?.text(done)))
        }
      }
      Self.end(events, found ?? exchange.late, ids?.last)
      let timer = Timer(seconds: Self.patience) {
        _ = events.endIfStuck(for: .zero)
        closed.raise()
      }
      await closed.wait()
      timer.cancel()
    }
    let calls = hub.sessions.calls
    let entry = calls.begin(exchange.id, in: caller.session)
    entry.onCancel {
      // A client that cancels gets no answer, and must not resume.
      if let ids, ids.call.isPrimed { events.send(.answer, Self.primer(ids.last)) }
      events.end()
    }
    events.onClosed {
      calls.end(entry, exchange.id, in: caller.session)
      closed.raise()
      call.cancel()
    }
    return Self.opened(events)
  }

  /// An answer that is a stream.
  static func opened(_ events: EventSubscription) -> Answer {
    var answer = Answer(200, bytes: [], type: "text/event-stream")
    // A proxy must not hold events back.
    answer.headers.append(HeaderField("X-Accel-Buffering", "no"))
    answer.events = events
    return answer
  }

  private static func end(_ events: EventSubscription, _ answer: HTTPAnswer, _ id: String?) {
    if let message = answer.message { events.send(.answer, event(message, id)) }
    events.end()
  }

  /// A message as an event.
  private static func event(_ message: JSONValue, _ id: String?) -> [UInt8] {
    Array((id.map { "id: \($0)\n" } ?? "").utf8) + Array("event: message\ndata: ".utf8)
      + message.canonicalBytes + Array("\n\n".utf8)
  }

  /// An event that is nothing but an id.
  private static func primer(_ id: String) -> [UInt8] {
    Array("id: \(id)\nretry: 3000\ndata:\n\n".utf8)
  }
}

extension Answer {
  /// An answer to an agent.
  init(_ answer: HTTPAnswer) {
    guard let message = answer.message else {
      self.init(answer.status)
      return
    }
    self.init(answer.status, json: message)
    if answer.status == 503 { headers.append(HeaderField("Retry-After", "1")) }
  }
}
