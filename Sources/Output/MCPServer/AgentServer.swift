package import HealthLedger

/// Serves one client over a pair of streams. `ProtocolMachine` makes the decisions (R53).
package struct AgentServer: Sendable {
  /// The streams, as closures: the effects of the server.
  package struct Streams: Sendable {
    /// The next bytes of input; nil at its end.
    package var read: @Sendable () async throws(LedgerError) -> [UInt8]?
    /// Queues a line, with its newline, for writing. Returns immediately.
    package var write: @Sendable ([UInt8]) -> Void
    /// Returns when so little queued output is unwritten that more may be read and further calls
    /// may begin.
    package var drained: @Sendable () async -> Void
    /// Writes a line to the log, which never contains personal data.
    package var note: @Sendable (String) -> Void

    package init(
      read: @escaping @Sendable () async throws(LedgerError) -> [UInt8]?,
      write: @escaping @Sendable ([UInt8]) -> Void,
      drained: @escaping @Sendable () async -> Void,
      note: @escaping @Sendable (String) -> Void
    ) {
      (self.read, self.write, self.drained, self.note) = (read, write, drained, note)
    }
  }

  private let streams: Streams
  private let conversation: Conversation

  /// - Parameter answer: runs a call. It must end soon after its task is cancelled.
  package init(
    _ machine: ProtocolMachine, _ streams: Streams,
    answer: @escaping @Sendable (ToolCall) async -> ToolAnswer
  ) {
    self.streams = streams
    conversation = Conversation(machine, streams, answer)
  }

  /// Serves until the input has ended and all answers are queued for writing.
  package func run() async throws(LedgerError) {
    var splitter = LineSplitter(maximumBytes: MessageHandler.maximumBytes)
    while let bytes = try await streams.read() {
      // One line at a time, because a piece can hold thousands of lines, each with an answer.
      for line in splitter.take(bytes) { await receive(line) }
    }
    if let line = splitter.last() { await receive(line) }
    await conversation.finish()
  }

  private func receive(_ line: LineSplitter.Line) async {
    await streams.drained()
    await conversation.receive(line)
  }

  /// Stops immediately: calls are cancelled, and nothing more is queued.
  package func stop() async {
    await conversation.stop()
  }
}

/// The machine, and the running calls.
///
/// It is an actor, so that output has the order in which the machine decided it: after a
/// cancellation was read, no answer to that request follows.
private actor Conversation {
  private var machine: ProtocolMachine
  private let streams: AgentServer.Streams
  private let answer: @Sendable (ToolCall) async -> ToolAnswer
  private var calls: [Int: Task<Void, Never>] = [:]
  private var hasEnded = false
  private var onEnd: CheckedContinuation<Void, Never>?

  init(
    _ machine: ProtocolMachine, _ streams: AgentServer.Streams,
    _ answer: @escaping @Sendable (ToolCall) async -> ToolAnswer
  ) {
    (self.machine, self.streams, self.answer) = (machine, streams, answer)
  }

  func receive(_ line: LineSplitter.Line) {
    switch line {
    case .whole(let bytes): perform(machine.handle(.line(bytes)))
    case .tooLong: perform(machine.handle(.oversizedLine))
    }
  }

  /// The input has ended. Returns when all answers are queued.
  func finish() async {
    perform(machine.handle(.endOfInput))
    if !hasEnded { await withCheckedContinuation { onEnd = $0 } }
  }

  func stop() {
    end()
  }

  private func perform(_ actions: [ProtocolMachine.Action]) {
    for action in actions where !hasEnded {
      switch action {
      case .send(let message): streams.write(message.canonicalBytes + [UInt8(ascii: "\n")])
      case .run(let ticket, let call): run(ticket, call)
      case .cancel(let ticket): calls[ticket]?.cancel()
      case .note(let words): streams.note(words)
      case .end: end()
      }
    }
  }

  private func run(_ ticket: Int, _ call: ToolCall) {
    calls[ticket] = Task { [answer, streams] in
      let found = await answer(call)
      // A call counts as running until there is room for its answer, so that no other call begins.
      await streams.drained()
      calls[ticket] = nil
      perform(machine.handle(.answered(ticket: ticket, found)))
    }
  }

  private func end() {
    hasEnded = true
    for call in calls.values { call.cancel() }
    onEnd?.resume()
    onEnd = nil
  }
}

/// Splits a stream of bytes into lines of bounded length; pure.
struct LineSplitter: Sendable {
  enum Line: Hashable, Sendable {
    /// A line without its newline.
    case whole([UInt8])
    /// A line over the size limit; its bytes were not kept.
    case tooLong
  }

  private let maximumBytes: Int
  private var kept: [UInt8] = []
  private var isTooLong = false

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// The lines that end in this piece of the stream.
  mutating func take(_ piece: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var rest = piece[...]
    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      keep(rest[..<newline])
      lines.append(end())
      rest = rest[(newline + 1)...]
    }
    keep(rest)
    return lines
  }

  /// What follows the last newline at the end of the stream; nil if there is nothing.
  mutating func last() -> Line? {
    kept.isEmpty && !isTooLong ? nil : end()
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    guard !isTooLong else { return }
    guard kept.count + bytes.count <= maximumBytes else {
      isTooLong = true
      kept = []
      return
    }
    kept += bytes
  }

  private mutating func end() -> Line {
    defer { (kept, isTooLong) = ([], false) }
    return isTooLong ? .tooLong : .whole(kept)
  }
}
