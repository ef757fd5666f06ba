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
  }

  enum Admission {
    case start(Ticket)
    case wait
    /// Its id belongs to a call that has no answer yet.
    case duplicate
    case full
  }

  /// Most calls that run at once, and most that wait.
  let limits: (running: Int, waiting: Int)
  private var entries: [Ticket: Entry] = [:]
  private var tickets: [RequestID: Ticket] = [:]
  private var running: Set<Ticket> = []
  /// Oldest first.
  private var waiting: ArraySlice<Ticket> = []
  private var nextTicket: Ticket = 1

  init(running: Int, waiting: Int) { limits = (running, waiting) }

  /// True where no call is owed an answer.
  var isEmpty: Bool { entries.isEmpty }

  mutating func admit(_ entry: Entry) -> Admission {
    guard tickets[entry.id] == nil else { return .duplicate }
    let mayStart = running.count < limits.running
    guard mayStart || waiting.count < limits.waiting else { return .full }
    let ticket = nextTicket
    nextTicket += 1
    entries[ticket] = entry
    tickets[entry.id] = ticket
    guard mayStart else {
      waiting.append(ticket)
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
    if !isRunning { waiting.removeAll { $0 == ticket } }
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
    return (entry, (next, waiting.call))
  }
}
