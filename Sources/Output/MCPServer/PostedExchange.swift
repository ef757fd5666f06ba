import ContentDigests
package import HealthModel

/// One POST of MCP's streamable HTTP, from its body to its answer (R53). Pure.
///
/// Nothing is kept for the next one: each names its version. So any server can take any of them.
package struct PostedExchange: Sendable {
  private var isPerRequest = false
  private var id: RequestID?
  private var message: JSONValue?
  private var pending: PendingCall?
  /// How to report the progress of the call; nil if the client did not ask for it.
  package private(set) var progress: ProgressNotice?

  /// Reads a body, and answers it as far as no call is needed.
  package init(_ body: [UInt8], _ fields: RoutingFields, _ handler: MessageHandler) {
    isPerRequest = fields.isPerRequest
    do throws(ProtocolError) {
      let value = try MessageHandler.parse(body)
      id = value["id"].flatMap(RequestID.init)
      let version = try fields.version(of: value)
      isPerRequest = version.isPerRequest
      if version.isPerRequest, value["method"] == "initialize" {
        throw .methodNotFound("initialize")
      }
      switch handler.reply(to: value, agreed: version.isPerRequest ? nil : version) {
      case .answer(let answer), .begun(_, let answer): message = answer
      case .call(let call): (pending, progress) = (call, ProgressNotice(value))
      // A client cancels by leaving.
      case .cancel, .nothing: break
      }
    } catch {
      message = error.response(to: id)
    }
  }

  /// The call that the answer needs, if it needs one.
  package var call: ToolCall? { pending?.call }

  /// What is sent back if no call is needed.
  package var answer: HTTPAnswer {
    guard let message else { return HTTPAnswer(status: 202, message: nil) }
    // 2026-07-28 says which status, and the earlier revisions only that what can't be taken gets one
    // of an error.
    let status =
      switch message["error"]?["code"]?.numberValue {
      case -32700, -32600, -32020, -32022: 400
      case -32602: isPerRequest ? 400 : 200
      case -32601: isPerRequest ? 404 : 200
      default: 200
      }
    return HTTPAnswer(status: status, message: message)
  }

  /// What is sent back once the call has ended.
  package func answer(_ answer: ToolAnswer) -> HTTPAnswer {
    var ended = self
    ended.message = pending?.respond(answer)
    return ended.answer
  }

  /// The answer instead, while too many calls wait.
  package var overloaded: HTTPAnswer { refusal(.overloaded) }

  /// The answer instead, if the call took too long.
  package var late: HTTPAnswer { refusal(.late) }

  private func refusal(_ error: ProtocolError) -> HTTPAnswer {
    HTTPAnswer(status: 503, message: error.response(to: id))
  }
}

/// The answer to a POST.
package struct HTTPAnswer: Hashable, Sendable {
  package let status: Int
  /// Nil if nothing is owed.
  package let message: JSONValue?
}

/// Reports to a client how far a call has got, if its request asked for that (R53).
package struct ProgressNotice: Hashable, Sendable {
  private let token: JSONValue

  /// Nil if the request has no token for it.
  init?(_ request: JSONValue) {
    switch request["params"]?["_meta"]?["progressToken"] {
    case .string(let text): token = .string(text)
    case .number(let number): token = .number(number)
    default: return nil
    }
  }

  /// The notification after so many dates; nil if the last one is recent enough. There are at most 20
  /// for one call.
  package func message(_ done: Int, of total: Int) -> JSONValue? {
    guard total > 1, done * 20 / total > (done - 1) * 20 / total else { return nil }
    return [
      "jsonrpc": "2.0", "method": "notifications/progress",
      "params": [
        "progressToken": token, "progress": .number(Double(done)), "total": .number(Double(total)),
      ],
    ]
  }
}

/// The header fields of a POST that repeat what its body says, for servers on the way that do not read
/// the body (R53). Several fields of one name are joined by commas, and then equal nothing.
package struct RoutingFields: Hashable, Sendable {
  private let version: String?
  private let method: String?
  private let name: String?

  /// - Parameters:
  ///   - version: the value of `MCP-Protocol-Version`; nil if it is absent.
  ///   - method: the value of `Mcp-Method`.
  ///   - name: the value of `Mcp-Name`.
  package init(version: String?, method: String?, name: String?) {
    (self.version, self.method, self.name) = (version, method, name)
  }

  /// Whether the client speaks a revision whose requests name their version in `_meta`.
  var isPerRequest: Bool { version.flatMap(ProtocolVersion.init)?.isPerRequest ?? false }

  /// The version that a message is sent in.
  ///
  /// - Throws: `unsupportedVersion` for one that is not served; since 2026-07-28 `headerMismatch`
  ///   where a field differs from the body.
  func version(of message: JSONValue) throws(ProtocolError) -> ProtocolVersion {
    let named = MessageHandler.namedVersion(message)
    guard let version else {
      if named != nil { throw .headerMismatch("MCP-Protocol-Version is missing") }
      // Clients of that revision send no such field.
      return .march2025
    }
    guard let served = ProtocolVersion(rawValue: version) else {
      if let named, named != .string(version) { throw Self.differs }
      throw .unsupportedVersion(version)
    }
    guard served.isPerRequest else {
      guard let named else { return served }
      return try lateVersion(of: message, named)
    }
    guard message.objectValue != nil else { throw .invalidRequest("a message is an object") }
    // Notifications need not name anything.
    if message["id"] != nil {
      guard let named else { throw MessageHandler.versionMissing }
      guard named.stringValue == version else { throw Self.differs }
      try check(message)
    }
    return served
  }

  private static let differs = ProtocolError.headerMismatch(
    "MCP-Protocol-Version differs from `_meta`")

  /// The version of a message whose field names a revision that has no version in `_meta`.
  ///
  /// Gateways of agents write that field themselves, and not for each message, so it can lag behind what
  /// the agent has found to be served. Refused, such an agent could read nothing; and of all revisions the
  /// tools give the same. The fields that came with `_meta` must fit, where they are sent.
  private func lateVersion(
    of message: JSONValue, _ named: JSONValue
  ) throws(ProtocolError) -> ProtocolVersion {
    guard let own = named.stringValue.flatMap(ProtocolVersion.init), own.isPerRequest else {
      throw Self.differs
    }
    if method != nil || name != nil { try check(message) }
    return own
  }

  private func check(_ message: JSONValue) throws(ProtocolError) {
    let requested = message["method"]?.stringValue
    guard requested == method else { throw .headerMismatch("Mcp-Method is not the method") }
    guard let member = Self.members[requested ?? ""],
      let value = message["params"]?[member]?.stringValue
    else { return }
    guard name.flatMap(Self.decoded) == value else {
      throw .headerMismatch("Mcp-Name is not `\(member)`")
    }
  }

  /// The member that `Mcp-Name` repeats, by method.
  private static let members = [
    "tools/call": "name", "prompts/get": "name", "resources/read": "uri",
  ]

  /// A field's value, which is `=?base64?...?=` if the text fits no field; nil for a broken one.
  private static func decoded(_ value: String) -> String? {
    let (start, end) = ("=?base64?", "?=")
    guard value.hasPrefix(start), value.hasSuffix(end), value.utf8.count >= 11 else { return value }
    let inner = value.dropFirst(start.count).dropLast(end.count)
    guard let bytes = Base64.decode(inner.utf8), Base64.encode(bytes) == inner else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
