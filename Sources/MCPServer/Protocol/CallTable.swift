import HealthModel

/// The calls that have no answer yet: which run, which wait, and which id each has.
///
/// A cancelled call leaves the table at once; where it ran, its place is free when it has ended.
struct CallTable {
  /// A call's number, never used twice.
  typealias Ticket = Int

  /// A call and where its answer goes.
  struct Entry {
    let id: RequestID
    let call: ToolCall
    let version: ProtocolVersion
    let destination: Destination

    /// What it costs to keep the call.
    var bytes: Int { id.byteCount + JSONValue.object(call.arguments).canonicalBytes.count }
  }

  enum Admission {
    case start(Ticket)
    case wait
    /// Its id belongs to a call that has no answer yet.
    case duplicate
    case full
  }

  /// Most calls that run at once; most that wait, and their bytes.
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

  /// True where no call is owed an answer.
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

  /// Forgets a call; nil where no such call is owed an answer.
  mutating func cancel(_ id: RequestID) -> (ticket: Ticket, entry: Entry, isRunning: Bool)? {
    guard let ticket = tickets.removeValue(forKey: id),
      let entry = entries.removeValue(forKey: ticket)
    else { return nil }
    let isRunning = running.contains(ticket)
    // At once, so that calls sent and cancelled without end take no memory.
    if !isRunning {
      waiting.removeAll { $0 == ticket }
      waitingBytes -= entry.bytes
    }
    return (ticket, entry, isRunning)
  }

  /// A call has ended: whom to answer (nil where it was cancelled), and which call is next.
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
