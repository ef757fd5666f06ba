package import HealthModel

/// Answers messages of the protocol, the same over stdio and over HTTP (R53). Pure: what needs the
/// store is a call of a tool, which whoever serves the client makes.
package struct MessageHandler: Hashable, Sendable {
  /// The deepest nesting and the most bytes of a message.
  package static let (maximumDepth, maximumBytes) = (64, 1 << 20)

  private let program: String
  private let naming: ToolNaming

  /// - Parameters:
  ///   - version: the program's version.
  ///   - naming: how lists spell the tools' names.
  package init(version: String, naming: ToolNaming) {
    (program, self.naming) = (version, naming)
  }

  /// What a message leads to.
  package enum Reply: Sendable {
    case answer(JSONValue)
    /// The answer to `initialize`, and the version that it has agreed on.
    case begun(ProtocolVersion, JSONValue)
    case call(PendingCall)
    /// The client no longer wants the answer to a request; nil if none can have this id.
    case cancel(RequestID?)
    /// No answer is owed. What to say in the log, if anything.
    case nothing(note: String?)
  }

  static func parse(_ bytes: [UInt8]) throws(ProtocolError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes, maximumDepth: maximumDepth).withoutAbsentParameters
    } catch {
      throw .parse(error.description)
    }
  }

  /// - Parameters:
  ///   - value: a message from `parse`.
  ///   - agreed: the version that `initialize` agreed on; nil before it.
  func reply(to value: JSONValue, agreed: ProtocolVersion?) -> Reply {
    let id = value["id"].flatMap(RequestID.init)
    do throws(ProtocolError) {
      if case .array = value {
        throw .invalidRequest("batches are not supported; send each message alone")
      }
      guard case .object(let members) = value else {
        throw .invalidRequest("a message is an object")
      }
      guard members["jsonrpc"] == "2.0" else {
        throw .invalidRequest("`jsonrpc` must be \"2.0\"")
      }
      guard let named = members["method"] else {
        guard members["result"] == nil, members["error"] == nil else {
          return .nothing(note: "ignored an answer: this server sends no requests")
        }
        throw .invalidRequest("`method` is missing")
      }
      guard let method = named.stringValue else {
        throw .invalidRequest("`method` must be a string")
      }
      guard members["id"] != nil else {
        switch method {
        case "notifications/cancelled":
          return .cancel(members["params"]?["requestId"].flatMap(RequestID.init))
        case "notifications/initialized": return .nothing(note: nil)
        default: return .nothing(note: "ignored the notification \(method.prefix(80))")
        }
      }
      guard let id else {
        throw .invalidRequest("`id` must be a string, or an integer below 2^53")
      }
      return try reply(to: method, id, members["params"] ?? [:], agreed)
    } catch {
      return .answer(error.response(to: id))
    }
  }

  /// The methods of all protocol versions.
  private enum Method: String {
    case initialize, ping
    case discover = "server/discover"
    case listTools = "tools/list"
    case callTool = "tools/call"
    case listResources = "resources/list"
    case listTemplates = "resources/templates/list"
    case readResource = "resources/read"
    case listPrompts = "prompts/list"
    case getPrompt = "prompts/get"

    func exists(in version: ProtocolVersion) -> Bool {
      switch self {
      case .initialize, .ping: !version.isPerRequest
      case .discover: version.isPerRequest
      default: true
      }
    }
  }

  private func reply(
    to name: String, _ id: RequestID, _ params: JSONValue, _ agreed: ProtocolVersion?
  ) throws(ProtocolError) -> Reply {
    guard let method = Method(rawValue: name) else { throw .methodNotFound(name) }
    guard case .object(let params) = params else {
      throw .invalidParams("`params` must be an object")
    }
    if method == .initialize {
      let asked = ProtocolVersion(rawValue: try params.string("protocolVersion"))
      let version = min(asked ?? .latestWithHandshake, .latestWithHandshake)
      let result: [String: JSONValue] = [
        "protocolVersion": .string(version.rawValue), "capabilities": Self.capabilities,
        "serverInfo": info, "instructions": Self.instructions,
      ]
      return .begun(version, response(result, to: id, version))
    }
    let version = try version(method, params, agreed)
    guard method.exists(in: version) else { throw .methodNotFound(name) }
    if name.hasSuffix("/list"), params["cursor"] != nil {
      throw .invalidParams("the list has only one page, so no `cursor` is valid")
    }
    func list(_ name: String, _ elements: [JSONValue]) -> Reply {
      let result = [name: JSONValue.array(elements)].merging(cacheable(version)) { mine, _ in mine }
      return .answer(response(result, to: id, version))
    }
    switch method {
    case .initialize, .ping: return .answer(response([:], to: id, version))
    case .discover:
      let result: [String: JSONValue] = [
        "supportedVersions": ProtocolVersion.newestFirst, "capabilities": Self.capabilities,
        "instructions": Self.instructions,
      ]
      return .answer(
        response(result.merging(cacheable(version)) { mine, _ in mine }, to: id, version))
    case .listTools: return list("tools", Tool.allCases.map { $0.definition(version, naming) })
    case .listResources: return list("resources", [Resources.catalogue(version)])
    case .listTemplates: return list("resourceTemplates", [Resources.day(version, naming)])
    case .listPrompts: return list("prompts", AgentPrompt.allCases.map { $0.definition(version) })
    case .callTool: return .call(try call(id, params, version))
    case .readResource: return try read(id, params, version)
    case .getPrompt: return .call(try prompt(id, params, version))
    }
  }

  private static let versionKey = "io.modelcontextprotocol/protocolVersion"
  private static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
  private static let serverInfoKey = "io.modelcontextprotocol/serverInfo"

  /// The version that a message names in `_meta`, as requests do since 2026-07-28.
  static func namedVersion(_ message: JSONValue) -> JSONValue? {
    message["params"]?["_meta"]?[versionKey]
  }

  static let versionMissing = ProtocolError.invalidParams("`_meta` must have `\(versionKey)`")

  /// The protocol version for a request: the one that it names, or the one that `initialize` agreed
  /// on.
  private func version(
    _ method: Method, _ params: [String: JSONValue], _ agreed: ProtocolVersion?
  ) throws(ProtocolError) -> ProtocolVersion {
    if let meta = params["_meta"] {
      guard let members = meta.objectValue else {
        throw .invalidParams("`_meta` must be an object")
      }
      if let named = members[Self.versionKey] {
        guard let text = named.stringValue else {
          throw .invalidParams("`\(Self.versionKey)` in `_meta` must be a string")
        }
        guard let version = ProtocolVersion(rawValue: text), version.isPerRequest else {
          throw .unsupportedVersion(text)
        }
        guard members[Self.capabilitiesKey]?.objectValue != nil else {
          throw .invalidParams("`_meta` must have `\(Self.capabilitiesKey)`, an object")
        }
        return version
      }
    }
    if method == .discover { throw Self.versionMissing }
    if let agreed { return agreed }
    // A client may check whether the server is there before it begins.
    if method == .ping { return .latestWithHandshake }
    throw .invalidParams(
      "begin with `initialize`, or name the version in `_meta` as `\(Self.versionKey)`")
  }

  /// The tool itself checks the arguments (R52).
  private func call(
    _ id: RequestID, _ params: [String: JSONValue], _ version: ProtocolVersion
  ) throws(ProtocolError) -> PendingCall {
    let name = try params.string("name")
    guard let tool = Tool(name: name) else {
      let names = Tool.allCases.map { $0.name(naming) }.joined(separator: ", ")
      throw .invalidParams("unknown tool \"\(name.prefix(80))\"; the tools are \(names)")
    }
    return PendingCall(id, ToolCall(tool, try params.object("arguments"))) { answer in
      var result: [String: JSONValue] = [
        "content": [["type": "text", "text": answer.content.text]],
        "isError": .bool(answer.isError),
      ]
      if version.hasStructuredContent { result["structuredContent"] = answer.content }
      return response(result, to: id, version)
    }
  }

  /// A day, or the catalogue, by its address (R62).
  private func read(
    _ id: RequestID, _ params: [String: JSONValue], _ version: ProtocolVersion
  ) throws(ProtocolError) -> Reply {
    let uri = try params.string("uri")
    @Sendable func contents(_ content: JSONValue, _ cache: [String: JSONValue]) -> JSONValue {
      let contents: JSONValue = [
        ["uri": .string(uri), "mimeType": "application/json", "text": content.text]
      ]
      return response(cache.merging(["contents": contents]) { $1 }, to: id, version)
    }
    let cache = cacheable(version)
    if uri == Resources.catalogue { return .answer(contents(DailyMetric.catalogue, cache)) }
    guard let date = Resources.date(uri) else { throw .resourceNotFound(uri, version) }
    return .call(
      PendingCall(id, ToolCall(.daily, ["date": .string(date)])) { answer in
        guard !answer.isError else {
          let fault = answer.content["error"]
          let isMissing = fault?["code"] == "DATA_NOT_FOUND"
          let error: ProtocolError = isMissing ? .resourceNotFound(uri, version) : .failed(fault)
          return error.response(to: id)
        }
        // A day may be published again at any moment.
        return contents(answer.content, cache.merging(cache.isEmpty ? [:] : ["ttlMs": 0]) { $1 })
      })
  }

  /// Looks which metrics a prompt can name (R62).
  private func prompt(
    _ id: RequestID, _ params: [String: JSONValue], _ version: ProtocolVersion
  ) throws(ProtocolError) -> PendingCall {
    let prompt = try AgentPrompt(named: try params.string("name"))
    let reason = try prompt.reason(try params.object("arguments"))
    return PendingCall(id, prompt.call) { answer in
      guard !answer.isError else {
        return ProtocolError.failed(answer.content["error"]).response(to: id)
      }
      let result = prompt.result(of: answer.content, reason: reason, naming)
      return response(result, to: id, version)
    }
  }

  private var info: JSONValue { ["name": "s3health", "version": .string(program)] }

  private static let capabilities: JSONValue = ["tools": [:], "resources": [:], "prompts": [:]]

  private static let instructions: JSONValue = """
    Reads one person's daily health metrics: steps, energy, exercise, stand hours, resting heart \
    rate, heart rate variability and sleep, one value a day. A null is not zero: metric_status and \
    null_reasons say why there is no value. Dates without data are in missing_dates and coverage. \
    A day that is not over, or of which a source had a part alone, has sums of a part of it: \
    look at day_over and partial, or at days_not_over and partial_dates, and at \
    freshness before you speak of today. For more than one day use the range tool and name only \
    the metrics you need; for many days ask for the format compact, and for means ask \
    summarize_range. list_metrics says which metrics and dates have data.
    """

  /// The lists stay the same while the server runs, and are for this client only.
  private func cacheable(_ version: ProtocolVersion) -> [String: JSONValue] {
    version.isPerRequest ? ["ttlMs": 3_600_000, "cacheScope": "private"] : [:]
  }

  /// The answer to a request, in the form that its version requires.
  private func response(
    _ result: [String: JSONValue], to id: RequestID, _ version: ProtocolVersion
  ) -> JSONValue {
    var result = result
    if version.isPerRequest {
      result["resultType"] = "complete"
      result["_meta"] = [Self.serverInfoKey: info]
    }
    return ["jsonrpc": "2.0", "id": id.value, "result": .object(result)]
  }
}

/// A request that is answered once the call of a tool has ended.
package struct PendingCall: Sendable {
  let id: RequestID
  package let call: ToolCall
  /// The response to the request.
  let respond: @Sendable (ToolAnswer) -> JSONValue

  init(
    _ id: RequestID, _ call: ToolCall, respond: @escaping @Sendable (ToolAnswer) -> JSONValue
  ) {
    (self.id, self.call, self.respond) = (id, call, respond)
  }

  /// The bytes that it takes to keep the call.
  var bytes: Int { id.text.count + JSONValue.object(call.arguments).canonicalBytes.count }
}

/// Members of a request's parameters.
extension [String: JSONValue] {
  fileprivate func string(_ name: String) throws(ProtocolError) -> String {
    guard let text = self[name]?.stringValue else {
      throw .invalidParams("`\(name)` must be a string")
    }
    return text
  }

  /// An object, or a text that holds one; without members if it is left out.
  fileprivate func object(_ name: String) throws(ProtocolError) -> [String: JSONValue] {
    let value = self[name] ?? [:]
    guard case .object(let members) = value.encodedOnceMore ?? value else {
      throw .invalidParams("`\(name)` must be an object")
    }
    return members
  }
}
