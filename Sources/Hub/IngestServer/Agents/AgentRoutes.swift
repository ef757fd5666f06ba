import HealthModel
import MCPServer

/// `/mcp`: the days for AI agents, over MCP's streamable HTTP (R53).
///
/// No session is kept: each request is answered by itself, so any server of a store may take any of
/// them. There is no stream that a GET could open, and no session that a DELETE could end.
struct AgentRoutes: Sendable {
  static let path = "/mcp"

  private let hub: Hub
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
      }
    ]
  }

  private func answer(_ request: AuthenticatedRequest) async throws(RequestFailure) -> Answer {
    guard let door = try hub.part(of: request.device).agents else {
      throw RequestFailure(404, "not_found", "this server answers no agents")
    }
    let head = try AgentHead(request)
    let exchange = PostedExchange(
      request.body, head.routing, ServerDescription(version: door.version, naming: head.naming))
    guard exchange.isWaiting else { return Answer(exchange.answer) }
    let device = request.device.name
    if head.takesEvents, let notice = exchange.progress {
      return stream(exchange, door, of: device, notice)
    }
    let places = places
    let found = await TimeLimit.run(seconds) {
      guard let place = await places.enter(device) else { return exchange.overloaded }
      defer { withExtendedLifetime(place) {} }
      return await Self.finished(exchange, door, progress: nil)
    }
    return Answer(found ?? exchange.late)
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
  private func stream(
    _ exchange: PostedExchange, _ door: AgentDoor, of device: String, _ notice: ProgressNotice
  ) -> Answer {
    let events = EventSubscription(session: device)
    let (places, seconds, closed) = (places, seconds, WakeSignal())
    let call = Task {
      let entered = await TimeLimit.run(seconds) { await places.enter(device) }
      guard let place = entered ?? nil else { return Self.end(events, exchange.overloaded) }
      defer { withExtendedLifetime(place) {} }
      let found = await TimeLimit.run(seconds) {
        await Self.finished(exchange, door) { done, total in
          guard let message = notice.message(done, of: total) else { return }
          events.send(.progress, Self.event(message))
        }
      }
      let answer = found ?? exchange.late
      Self.end(events, answer)
      let timer = Timer(seconds: Self.patience) {
        _ = events.endIfStuck(for: .zero)
        closed.raise()
      }
      await closed.wait()
      timer.cancel()
    }
    events.onClosed {
      closed.raise()
      call.cancel()
    }
    var answer = Answer(200, bytes: [], type: "text/event-stream")
    // A proxy must not hold events back.
    answer.headers.append(HeaderField("X-Accel-Buffering", "no"))
    answer.events = events
    return answer
  }

  private static func end(_ events: EventSubscription, _ answer: HTTPAnswer) {
    if let message = answer.message { events.send(.answer, event(message)) }
    events.end()
  }

  /// A message as an event. It has no id, because no stream is resumed: whoever loses one asks again.
  private static func event(_ message: JSONValue) -> [UInt8] {
    Array("event: message\ndata: ".utf8) + message.canonicalBytes + Array("\n\n".utf8)
  }
}

extension Answer {
  /// An answer to an agent.
  fileprivate init(_ answer: HTTPAnswer) {
    guard let message = answer.message else {
      self.init(answer.status)
      return
    }
    self.init(answer.status, json: message)
    if answer.status == 503 { headers.append(HeaderField("Retry-After", "1")) }
  }
}
