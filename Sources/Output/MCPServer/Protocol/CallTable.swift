import HealthModel

/// The calls without an answer: which of them run, which wait, and their ids.
///
/// A cancelled call leaves the table immediately. If it was running, its place is free once it has
/// ended.
struct CallTable {
  /// A call's number, which is never reused.
  typealias Ticket = Int

  /// A call and where its answer is sent.
  struct Entry {
    let id: RequestID
    let call: ToolCall
    let form: RequestedForm
    let version: ProtocolVersion
    let destination: Destination

    /// The bytes that it takes to keep the call.
    var bytes: Int { id.byteCount + JSONValue.object(call.arguments).canonicalBytes.count }
  }

  enum Admission {
    case start(Ticket)
    case wait
    /// Its id belongs to a call that has no answer yet.
    case duplicate
    case full
  }

  /// The limits on calls that run, on calls that wait, and on the bytes of those.
  let limits: (running: Int, waiting: Int, waitingBytes: Int)
  private var entries: [Ticket: Entry] = [:]
  private var tickets: [RequestID: Ticket] = [:]
  private var running: Set<Ticket> = []
  /// Oldest first.
  private var waiting: ArraySlice<Ticket> = []
  private var waitingBytes = 0
  private var nextTicket: Ticket = 1

  init(running: Int, waiting: Int, waitingBytes: Int) {
    limits = (running, waiting, waitingBytes)
  }

  /// True if no call waits for an answer.
  var isEmpty: Bool { entries.isEmpty }

  mutating func admit(_ entry: Entry) -> Admission {
    guard tickets[entry.id] == nil else { return .duplicate }
    let mayStart = running.count < limits.running
    let bytes = mayStart ? 0 : entry.bytes
    guard
      mayStart
        || (waiting.count < limits.waiting && waitingBytes + bytes <= limits.waitingBytes)
    else { return .full }
    let ticket = nextTicket
    nextTicket += 1
    entries[ticket] = entry
    tickets[entry.id] = ticket
    guard mayStart else {
      waiting.append(ticket)
      waitingBytes += bytes
      return .wait
    }
    running.insert(ticket)
    return .start(ticket)
  }

  /// Removes a call; nil if no such call waits for an answer.
  mutating func cancel(_ id: RequestID) -> (ticket: Ticket, entry: Entry, isRunning: Bool)? {
    guard let ticket = tickets.removeValue(forKey: id),
      let entry = entries.removeValue(forKey: ticket)
    else { return nil }
    let isRunning = running.contains(ticket)
    // Immediately, so that an endless series of calls and cancellations takes no memory.
    if !isRunning {
      waiting.removeAll { $0 == ticket }
      waitingBytes -= entry.bytes
    }
    return (ticket, entry, isRunning)
  }

  /// A call has ended. Returns whom to answer (nil if it was cancelled), and the next call.
  mutating func finish(
    _ ticket: Ticket
  ) -> (answered: Entry?, next: (ticket: Ticket, call: ToolCall)?) {
    running.remove(ticket)
    let entry = entries.removeValue(forKey: ticket)
    if let entry { tickets[entry.id] = nil }
    guard let next = waiting.popFirst(), let waiting = entries[next] else { return (entry, nil) }
    running.insert(next)
    waitingBytes -= waiting.bytes
    return (entry, (next, waiting.call))
  }
}
