import MCPServer

/// What the head of an agent's request asks for (R53).
struct AgentHead {
  private(set) var routing: RoutingFields
  let naming: ToolNaming
  /// Whether the answer may be a stream of events.
  let takesEvents: Bool
  /// The value of `Mcp-Session-Id`; nil without one, and in revisions that have none.
  let session: String?
  /// The id of the last event that the client received.
  let lastEvent: String?

  private static let events = "text/event-stream"

  /// The head of a POST.
  ///
  /// - Throws: 403 for the page of another site, 406 and 415 for other formats, 400 for an unknown
  ///   query.
  init(posted request: AuthenticatedRequest) throws(RequestFailure) {
    try self.init(request)
    guard Self.types(request.header("Content-Type")) == ["application/json"] else {
      throw RequestFailure(
        415, "unsupported_type", "the body must be JSON, with Content-Type: application/json")
    }
    let accepted = Self.types(request.header("Accept") ?? "*/*")
    guard !accepted.isDisjoint(with: ["application/json", "application/*", "*/*"]) else {
      throw RequestFailure(
        406, "not_acceptable", "the answer is JSON, so Accept must have application/json")
    }
  }

  /// The head of a GET or a DELETE.
  ///
  /// - Throws: the same, and 405 in a revision that has neither.
  init(bare request: AuthenticatedRequest) throws(RequestFailure) {
    try self.init(request)
    guard routing.isServed else {
      throw RequestFailure(
        400, "unsupported_version", "this server does not support that MCP-Protocol-Version")
    }
    guard !routing.isPerRequest else { throw Self.onlyPost }
  }

  /// For a request that only makes sense as a POST.
  static var onlyPost: RequestFailure {
    var failure = RequestFailure(
      405, "method_not_allowed", "without a session this path takes POST")
    failure.headers = [HeaderField("Allow", "POST")]
    return failure
  }

  private init(_ request: AuthenticatedRequest) throws(RequestFailure) {
    // A page of another site that got hold of a token, or whose name leads here (DNS rebinding).
    guard
      !PageRequest.isForeign(site: nil, origin: request.header("Origin"), host: request.host)
    else {
      throw RequestFailure(403, "foreign_origin", "the request comes from another site's page")
    }
    takesEvents = Self.types(request.header("Accept")).contains(Self.events)
    naming = try Self.naming(request.query)
    routing = RoutingFields(
      version: request.header("MCP-Protocol-Version"), method: request.header("Mcp-Method"),
      name: request.header("Mcp-Name"))
    session = routing.isPerRequest ? nil : request.header("Mcp-Session-Id")
    lastEvent = request.header("Last-Event-ID")
  }

  /// Takes the revision of a session where the request names none.
  mutating func speak(_ session: AgentSession?) {
    if let session { routing.usual = session.version }
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
