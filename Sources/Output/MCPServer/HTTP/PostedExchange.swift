package import HealthModel

/// One POST of MCP's streamable HTTP, from its body to its answer (R53). Pure but for the calls.
///
/// Nothing is kept for the next one: each names its version, or its session does. So any server can
/// take any of them.
package struct PostedExchange: Sendable {
  /// The most bytes of a body.
  package static let maximumBytes = ProtocolMachine.Limits().lineBytes

  private var machine: ProtocolMachine
  private let isPerRequest: Bool
  private var message: JSONValue?
  private var calls: [(ticket: Int, call: ToolCall)] = []
  /// The id of the request; nil for a batch, a notification and what is neither.
  package private(set) var id: RequestID?
  /// The version that `initialize` has agreed on, if that was the request.
  package private(set) var agreed: ProtocolVersion?
  /// The request whose call the client no longer wants.
  package private(set) var cancelled: RequestID?
  /// The request, for a client that has to resume; nil if its revision has no resumption.
  package private(set) var resumable: ResumableCall?

  /// How to report the progress of the one call; nil if the client did not ask for it.
  package private(set) var progress: ProgressNotice?

  /// Reads a body, and answers it as far as no call is needed.
  package init(_ body: [UInt8], _ fields: RoutingFields, _ server: ServerDescription) {
    var limits = ProtocolMachine.Limits()
    // The calls of a batch run one after another.
    limits.running = 1
    isPerRequest = fields.isPerRequest
    machine = ProtocolMachine(server, limits: limits)
    do throws(ProtocolError) {
      let value = try Self.parsed(body, limits).withoutAbsentParameters
      id = value["id"].flatMap(RequestID.init)
      let version = try fields.version(of: value)
      machine = ProtocolMachine(
        server, limits: limits, agreed: version.isPerRequest ? nil : version)
      if version.isPerRequest, value["method"] == "initialize" {
        throw .methodNotFound("initialize")
      }
      take(machine.handle(.message(value)))
      if isWaiting {
        progress = ProgressNotice(value)
        resumable = version.isPerRequest ? nil : ResumableCall(value, version)
      }
      if value["method"] == "initialize" {
        agreed = message?["result"]?["protocolVersion"]?.stringValue
          .flatMap(ProtocolVersion.init(rawValue:))
      }
      if value["method"] == "notifications/cancelled" {
        cancelled = value["params"]?["requestId"].flatMap(RequestID.init)
      }
    } catch {
      message = error.response(to: id)
    }
  }

  /// Makes the call again, for a client that has lost the stream.
  ///
  /// - Parameter done: the progress that was reported to the client.
  package init(
    resuming call: ResumableCall, after done: Int, _ server: ServerDescription
  ) {
    let fields = RoutingFields(version: call.version.rawValue, method: nil, name: nil)
    self.init(call.message.canonicalBytes, fields, server)
    progress?.done = done
  }

  private static func parsed(
    _ body: [UInt8], _ limits: ProtocolMachine.Limits
  ) throws(ProtocolError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: body, maximumDepth: limits.depth)
    } catch {
      throw .parse(error.description)
    }
  }

  /// Whether calls are to be made.
  package var isWaiting: Bool { !calls.isEmpty }

  /// Makes the calls.
  package mutating func finish(_ answer: (ToolCall) async -> ToolAnswer) async {
    while let next = calls.popLast() {
      take(machine.handle(.answered(ticket: next.ticket, await answer(next.call))))
    }
  }

  private mutating func take(_ actions: [ProtocolMachine.Action]) {
    for action in actions {
      switch action {
      case .send(let message): self.message = message
      case .run(let ticket, let call): calls.append((ticket, call))
      case .cancel, .note, .end: break
      }
    }
  }

  /// What is sent back.
  package var answer: HTTPAnswer {
    guard let message else { return HTTPAnswer(status: 202, message: nil) }
    return HTTPAnswer(status: status(of: message), message: message)
  }

  /// The answer instead, while too many calls wait.
  package var overloaded: HTTPAnswer { refusal(.overloaded) }

  /// The answer instead, if the calls took too long.
  package var late: HTTPAnswer { refusal(.late) }

  private func refusal(_ error: ProtocolError) -> HTTPAnswer {
    HTTPAnswer(status: 503, message: error.response(to: id))
  }

  /// The status of an answer: 2026-07-28 says which, and the earlier revisions only that what can't
  /// be taken gets one of an error.
  private func status(of message: JSONValue) -> Int {
    switch message["error"]?["code"]?.numberValue {
    case -32700, -32600, -32020, -32022: 400
    case -32602: isPerRequest ? 400 : 200
    case -32601: isPerRequest ? 404 : 200
    default: 200
    }
  }
}

/// The answer to a POST.
package struct HTTPAnswer: Hashable, Sendable {
  package let status: Int
  /// Nil if nothing is owed.
  package let message: JSONValue?
}
