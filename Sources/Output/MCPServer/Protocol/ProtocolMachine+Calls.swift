import HealthModel

extension ProtocolMachine {
  /// Begins a call, or queues it.
  ///
  /// - Throws: `invalidParams` for an unknown tool or an invalid call. The tool itself checks the
  ///   arguments (R52).
  mutating func call(
    _ id: RequestID, _ params: [String: JSONValue], _ version: ProtocolVersion,
    to destination: Destination
  ) throws(ProtocolError) -> [Action] {
    let name = try params.string("name")
    guard let tool = Tool(name: name) else {
      let names = Tool.allCases.map { $0.name(server.naming) }.joined(separator: ", ")
      throw .invalidParams("there is no tool \"\(name.prefix(80))\"; the tools are \(names)")
    }
    return try run(
      ToolCall(tool, try params.object("arguments")), for: id, as: .tool, version, to: destination)
  }

  /// Begins a call for a request, or queues it.
  mutating func run(
    _ call: ToolCall, for id: RequestID, as form: RequestedForm, _ version: ProtocolVersion,
    to destination: Destination
  ) throws(ProtocolError) -> [Action] {
    let admission = calls.admit(
      .init(id: id, call: call, form: form, version: version, destination: destination))
    switch admission {
    case .duplicate: throw .invalidRequest("the id belongs to a call that is not answered yet")
    case .full: throw .overloaded
    case .start, .wait: break
    }
    if case .batch(let number) = destination { batches.owe(number) }
    guard case .start(let ticket) = admission else { return [] }
    return [.run(ticket: ticket, call)]
  }

  /// A call has ended. Returns its answer, unless it was cancelled, and the next call.
  mutating func answered(_ ticket: Int, _ answer: ToolAnswer) -> [Action] {
    let (entry, next) = calls.finish(ticket)
    var actions: [Action] = []
    if let entry {
      let response = server.response(to: entry, answer)
      actions += deliver(response, of: entry.id, to: entry.destination)
      if case .batch(let number) = entry.destination { actions += settle(number) }
    }
    if let next { actions.append(.run(ticket: next.ticket, next.call)) }
    return actions
  }

  /// The client no longer wants an answer and gets none. An unknown id is not an error, because the
  /// answer may already have been sent.
  mutating func cancelled(_ params: [String: JSONValue]) -> [Action] {
    guard let id = params["requestId"].flatMap(RequestID.init), let cancelled = calls.cancel(id)
    else { return [.note("ignored a cancellation: no such call is running")] }
    var actions: [Action] = cancelled.isRunning ? [.cancel(ticket: cancelled.ticket)] : []
    if case .batch(let number) = cancelled.entry.destination { actions += settle(number) }
    return actions
  }
}

/// Members of a request's parameters.
extension [String: JSONValue] {
  func string(_ name: String) throws(ProtocolError) -> String {
    guard let text = self[name]?.stringValue else {
      throw .invalidParams("`\(name)` must be a string")
    }
    return text
  }

  /// An object, or a text that holds one; without members if it is left out.
  func object(_ name: String) throws(ProtocolError) -> [String: JSONValue] {
    let value = self[name] ?? [:]
    guard case .object(let members) = value.encodedOnceMore ?? value else {
      throw .invalidParams("`\(name)` must be an object")
    }
    return members
  }
}
