import MCPServer

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
    naming = try Self.naming(request.query)
    routing = RoutingFields(
      version: request.header("MCP-Protocol-Version"), method: request.header("Mcp-Method"),
      name: request.header("Mcp-Name"))
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
