package import HealthModel

/// One client on a pair of streams, as a pure state machine (R53): lines and ended calls in, lines and
/// calls out. `AgentServer` carries out its actions.
package struct ProtocolMachine: Sendable {
  package enum Event: Sendable {
    /// One line of input, without its newline.
    case line([UInt8])
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
    /// The most calls that run at once.
    var running = 8
    /// The most calls that wait.
    var waiting = 4096
    /// The most bytes of the ids and arguments of waiting calls.
    var waitingBytes = 4 << 20
  }

  private let handler: MessageHandler
  private let limits: Limits
  /// The version that `initialize` agreed on; nil before it.
  private(set) var agreed: ProtocolVersion?
  /// Calls that are not answered yet, by numbers that are never reused. A cancelled one leaves
  /// immediately; if it was running, its place is free once it has ended.
  private var calls: [Int: PendingCall] = [:]
  private var tickets: [RequestID: Int] = [:]
  private var running: Set<Int> = []
  /// Oldest first.
  private var waiting: ArraySlice<Int> = []
  private var waitingBytes = 0
  private var lastTicket = 0
  private var inputHasEnded = false
  private var hasEnded = false

  package init(_ handler: MessageHandler) { self.init(handler, Limits()) }

  init(_ handler: MessageHandler, _ limits: Limits) {
    (self.handler, self.limits) = (handler, limits)
  }

  package mutating func handle(_ event: Event) -> [Action] {
    var actions: [Action]
    switch event {
    case .line(let bytes): actions = line(bytes)
    case .oversizedLine:
      let reason = "the line has more than \(MessageHandler.maximumBytes) bytes"
      actions = [.send(ProtocolError.parse(reason).response(to: nil))]
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
    let message: JSONValue
    do throws(ProtocolError) {
      message = try MessageHandler.parse(bytes)
    } catch {
      return [.send(error.response(to: nil))]
    }
    switch handler.reply(to: message, agreed: agreed) {
    case .answer(let answer): return [.send(answer)]
    case .begun(let version, let answer):
      agreed = version
      return [.send(answer)]
    case .call(let call): return admit(call)
    case .cancel(let id): return cancel(id)
    case .nothing(let note): return note.map { [.note($0)] } ?? []
    }
  }

  /// Begins a call, or queues it.
  private mutating func admit(_ call: PendingCall) -> [Action] {
    func refused(_ error: ProtocolError) -> [Action] { [.send(error.response(to: call.id))] }
    guard tickets[call.id] == nil else {
      return refused(.invalidRequest("the id belongs to a call that is not answered yet"))
    }
    let mayStart = running.count < limits.running
    let bytes = mayStart ? 0 : call.bytes
    guard
      mayStart
        || (waiting.count < limits.waiting && waitingBytes + bytes <= limits.waitingBytes)
    else { return refused(.overloaded) }
    lastTicket += 1
    calls[lastTicket] = call
    tickets[call.id] = lastTicket
    guard mayStart else {
      waiting.append(lastTicket)
      waitingBytes += bytes
      return []
    }
    running.insert(lastTicket)
    return [.run(ticket: lastTicket, call.call)]
  }

  /// A call has ended. Returns its answer, unless it was cancelled, and the next call.
  private mutating func answered(_ ticket: Int, _ answer: ToolAnswer) -> [Action] {
    running.remove(ticket)
    var actions: [Action] = []
    if let call = calls.removeValue(forKey: ticket) {
      tickets[call.id] = nil
      actions.append(.send(call.respond(answer)))
    }
    if let next = waiting.popFirst(), let call = calls[next] {
      running.insert(next)
      waitingBytes -= call.bytes
      actions.append(.run(ticket: next, call.call))
    }
    return actions
  }

  /// The client no longer wants an answer and gets none. An unknown id is not an error, because the
  /// answer may already have been sent.
  private mutating func cancel(_ id: RequestID?) -> [Action] {
    guard let id, let ticket = tickets.removeValue(forKey: id),
      let call = calls.removeValue(forKey: ticket)
    else { return [.note("ignored a cancellation: no such call is running")] }
    if running.contains(ticket) { return [.cancel(ticket: ticket)] }
    // Immediately, so that an endless series of calls and cancellations takes no memory.
    waiting.removeAll { $0 == ticket }
    waitingBytes -= call.bytes
    return []
  }
}
