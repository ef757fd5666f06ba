package import HealthModel

/// The protocol as a pure state machine (R53): messages and ended calls in, messages and calls out.
///
/// It has neither a clock nor a stream. `AgentServer` carries out its actions.
package struct ProtocolMachine: Sendable {
  package enum Event: Sendable {
    /// One line of input, without its newline.
    case line([UInt8])
    /// A message, or an array of them, that was read already.
    case message(JSONValue)
    /// A line over the size limit, which was not kept.
    case oversizedLine
    /// A call has ended.
    case answered(ticket: Int, ToolAnswer)
    case endOfInput
  }

  package enum Action: Hashable, Sendable {
    /// Write one line.
    case send(JSONValue)
    /// Begin a call.
    case run(ticket: Int, ToolCall)
    /// Nobody waits for this call any more.
    case cancel(ticket: Int)
    /// For the log: a message that gets no answer.
    case note(String)
    /// Everything was sent and nothing more will come. Given once.
    case end
  }

  package struct Limits: Hashable, Sendable {
    /// The most bytes of a line.
    package var lineBytes = 1 << 20
    /// The deepest nesting of a message.
    package var depth = 64
    /// The most calls that run at once.
    package var running = 8
    /// The most calls that wait.
    package var waiting = 4096
    /// The most bytes of the ids and arguments of waiting calls.
    package var waitingBytes = 4 << 20
    /// The most messages of a batch.
    package var batchMessages = 1024
    /// The most bytes of batch answers, which are kept until the batch is complete.
    package var batchBytes = 4 << 20

    package init() {}
  }

  package let limits: Limits
  let server: ServerDescription
  /// The version that `initialize` agreed on; nil before it.
  var agreed: ProtocolVersion?
  var calls: CallTable
  var batches: BatchTable
  private var inputHasEnded = false
  private var hasEnded = false

  /// - Parameter agreed: the version that was agreed on elsewhere, if any.
  package init(
    _ server: ServerDescription, limits: Limits = Limits(), agreed: ProtocolVersion? = nil
  ) {
    (self.server, self.limits, self.agreed) = (server, limits, agreed)
    calls = CallTable(
      running: limits.running, waiting: limits.waiting, waitingBytes: limits.waitingBytes)
    batches = BatchTable(maximumBytes: limits.batchBytes)
  }

  package mutating func handle(_ event: Event) -> [Action] {
    var actions: [Action]
    switch event {
    case .line(let bytes): actions = line(bytes)
    case .message(let value): actions = received(value.withoutAbsentParameters)
    case .oversizedLine:
      actions = [refuse(nil, .parse("the line has more than \(limits.lineBytes) bytes"))]
    case .answered(let ticket, let answer): actions = answered(ticket, answer)
    case .endOfInput:
      inputHasEnded = true
      actions = []
    }
    if inputHasEnded, calls.isEmpty, !hasEnded {
      hasEnded = true
      actions.append(.end)
    }
    return actions
  }

  private mutating func line(_ bytes: [UInt8]) -> [Action] {
    // Blank lines between messages are ignored.
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return [] }
    do throws(JSONError) {
      return received(
        try JSONValue(parsing: bytes, maximumDepth: limits.depth).withoutAbsentParameters)
    } catch {
      return [refuse(nil, .parse(error.description))]
    }
  }

  private mutating func received(_ value: JSONValue) -> [Action] {
    if case .array(let messages) = value { return batch(messages) }
    return message(value, to: .line)
  }

  private mutating func batch(_ messages: [JSONValue]) -> [Action] {
    guard agreed?.hasBatches == true else {
      let reason = "only version \(ProtocolVersion.march2025.rawValue) supports batches"
      return [refuse(nil, .invalidRequest(reason))]
    }
    guard !messages.isEmpty else { return [refuse(nil, .invalidRequest("an empty batch"))] }
    guard messages.count <= limits.batchMessages else {
      let reason =
        "a batch of \(messages.count) messages; at most \(limits.batchMessages) are allowed"
      return [refuse(nil, .invalidRequest(reason))]
    }
    guard let number = batches.begin() else {
      return [refuse(nil, .invalidRequest("too many batches wait for their answers"))]
    }
    var actions: [Action] = []
    for value in messages { actions += message(value, to: .batch(number)) }
    return actions + settle(number)
  }

  private mutating func message(_ value: JSONValue, to destination: Destination) -> [Action] {
    switch IncomingMessage(value) {
    case .request(let request): self.request(request, to: destination)
    case .notification("notifications/cancelled", let params): cancelled(params)
    case .notification("notifications/initialized", _): []
    case .notification(let method, _): [.note("ignored the notification \(method.prefix(80))")]
    case .response: [.note("ignored an answer: this server sends no requests")]
    case .malformed(let id, let error): deliver(error.response(to: id), of: id, to: destination)
    }
  }

  private func refuse(_ id: RequestID?, _ error: ProtocolError) -> Action {
    .send(error.response(to: id))
  }

  /// Sends an answer, or keeps it for its batch.
  mutating func deliver(
    _ answer: JSONValue, of id: RequestID?, to destination: Destination
  ) -> [Action] {
    switch destination {
    case .line: return [.send(answer)]
    case .batch(let number):
      batches.add(answer, to: number, orElse: ProtocolError.batchTooLarge.response(to: id))
      return []
    }
  }

  /// A batch waits for one answer less.
  mutating func settle(_ number: Int) -> [Action] {
    batches.settle(number).map { [.send($0)] } ?? []
  }
}
