import HealthModel
package import MCPServer

/// What a server needs to answer AI agents (R53).
package struct AgentService: Sendable {
  /// Makes a call. It must end soon after its task is cancelled.
  package typealias Answering =
    @Sendable (_ call: ToolCall, _ progress: (@Sendable (Int, Int) -> Void)?) async -> ToolAnswer

  let version: String
  let answer: Answering

  package init(version: String, answer: @escaping Answering) {
    (self.version, self.answer) = (version, answer)
  }
}

/// `/mcp`: the days for AI agents, over MCP's streamable HTTP (R53).
///
/// Each request stands alone, so any server of a store can answer any of them.
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
      Route(.post, path, for: .agents, limit: MessageHandler.maximumBytes, routes.answer)
    ]
  }

  private func answer(_ request: AuthenticatedRequest) async throws(RequestFailure) -> Answer {
    guard let service = try hub.part(of: request.device).agents else {
      throw RequestFailure(404, "not_found", "this server answers no agents")
    }
    let head = try AgentHead(request)
    let exchange = PostedExchange(
      request.body, head.routing, MessageHandler(version: service.version, naming: head.naming))
    guard let call = exchange.call else { return Answer(exchange.answer) }
    let agent = request.device.name
    if head.takesEvents, let progress = exchange.progress {
      return stream(exchange, call, service, of: agent, progress)
    }
    let places = places
    let found = await TimeLimit.run(seconds) {
      guard let place = await places.enter(agent) else { return exchange.overloaded }
      defer { withExtendedLifetime(place) {} }
      return exchange.answer(await service.answer(call, nil))
    }
    return Answer(found ?? exchange.late)
  }

  /// Events: how far the call is, and at last its answer. The call ends if the client leaves, and
  /// has its place until the answer is written.
  private func stream(
    _ exchange: PostedExchange, _ call: ToolCall, _ service: AgentService, of agent: String,
    _ progress: ProgressNotice
  ) -> Answer {
    let events = EventSubscription(session: agent)
    let (places, seconds, closed) = (places, seconds, WakeSignal())
    let work = Task {
      let entered = await TimeLimit.run(seconds) { await places.enter(agent) }
      guard let place = entered ?? nil else { return Self.end(events, exchange.overloaded) }
      defer { withExtendedLifetime(place) {} }
      let found = await TimeLimit.run(seconds) {
        exchange.answer(
          await service.answer(call) { done, total in
            guard let message = progress.message(done, of: total) else { return }
            events.send(.progress, Self.event(message))
          })
      }
      Self.end(events, found ?? exchange.late)
      let timer = Timer(seconds: Self.patience) {
        _ = events.endIfStuck(for: .zero)
        closed.raise()
      }
      await closed.wait()
      timer.cancel()
    }
    events.onClosed {
      closed.raise()
      work.cancel()
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

  private static func event(_ message: JSONValue) -> [UInt8] {
    Array("event: message\ndata: ".utf8) + message.canonicalBytes + Array("\n\n".utf8)
  }
}

extension Answer {
  fileprivate init(_ answer: HTTPAnswer) {
    guard let message = answer.message else {
      self.init(answer.status)
      return
    }
    self.init(answer.status, json: message)
    if answer.status == 503 { headers.append(HeaderField("Retry-After", "1")) }
  }
}

/// What the head of an agent's request asks for (R53).
struct AgentHead {
  let routing: RoutingFields
  let naming: ToolNaming
  /// Whether the answer may be a stream of events.
  let takesEvents: Bool

  /// - Throws: 403 for the page of another site, 406 and 415 for other formats, 400 for an unknown
  ///   query.
  init(_ request: AuthenticatedRequest) throws(RequestFailure) {
    // A page of another site that got hold of a token, or whose name leads here (DNS rebinding).
    guard
      !PageRequest.isForeign(site: nil, origin: request.header("Origin"), host: request.host)
    else {
      throw RequestFailure(403, "foreign_origin", "the request comes from another site's page")
    }
    naming = try Self.naming(request.query)
    routing = RoutingFields(
      version: request.header("MCP-Protocol-Version"), method: request.header("Mcp-Method"),
      name: request.header("Mcp-Name"))
    guard Self.types(request.header("Content-Type")) == ["application/json"] else {
      throw RequestFailure(
        415, "unsupported_type", "the body must be JSON, with Content-Type: application/json")
    }
    let accepted = Self.types(request.header("Accept") ?? "*/*")
    guard !accepted.isDisjoint(with: ["application/json", "application/*", "*/*"]) else {
      throw RequestFailure(
        406, "not_acceptable", "the answer is JSON, so Accept must have application/json")
    }
    takesEvents = accepted.contains("text/event-stream")
  }

  /// Media types in lower case, without their parameters.
  private static func types(_ value: String?) -> Set<String> {
    Set(
      (value ?? "").split(separator: ",").map { part in
        let type = part.prefix { $0 != ";" }.drop { $0 == " " || $0 == "\t" }
        return type.prefix { $0 != " " && $0 != "\t" }.lowercased()
      })
  }

  /// `tool_names=underscore`, for clients that allow no dot in a name.
  private static func naming(_ query: String?) throws(RequestFailure) -> ToolNaming {
    guard let query, !query.isEmpty else { return .dotted }
    let fields = FormText.fields(query.utf8)
    guard fields.count == 1, let naming = fields["tool_names"].flatMap(ToolNaming.init(rawValue:))
    else {
      throw RequestFailure(
        400, "invalid_query", "the only query is tool_names=underscore or tool_names=dotted")
    }
    return naming
  }
}
