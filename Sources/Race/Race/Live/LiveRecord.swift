package import HealthModel

/// The combined journals of a round's processes: a history to check, and counts.
package struct LiveRecord: Sendable {
  package private(set) var history: RaceHistory
  package private(set) var tally = LiveTally()
  /// How far each writer got, by its number.
  package private(set) var progress: [Int: LiveProgress] = [:]
  /// Revisions whose publish was acknowledged.
  package private(set) var acknowledged: Set<RevisionID> = []

  private let movesPointer: Bool
  /// The indices of the writes in the history.
  private var writes: [Write: Int] = [:]
  /// When a writer's current publish began, and the revision that it sent last.
  private var underWay: [Int: (began: Int, sent: RevisionID?)] = [:]

  /// The indices of what was said in the history, by writer and number.
  private var words: [Word: Int] = [:]

  private struct Word: Hashable {
    var client: Int
    var number: Int
  }

  private struct Write: Hashable {
    var client: Int
    var id: RevisionID
  }

  /// - Parameter movesPointer: false if the store has no compare-and-swap.
  package init(_ date: CalendarDate, movesPointer: Bool) {
    history = RaceHistory(date: date, maximumRequests: RaceHistory.maximumRequestsOfLooks)
    history.isInNanoseconds = true
    self.movesPointer = movesPointer
  }

  /// Adds a journal as far as it was written. Text after the last newline is incomplete; its action
  /// had not begun.
  package mutating func add(journal: [UInt8]) {
    for line in journal.split(separator: HistoryFile.newline) {
      if let entry = JournalEntry(line) { add(entry) }
    }
  }

  package mutating func add(_ event: RaceHistory.Event) {
    history.events.append(event)
    switch event.observation {
    case .read: tally.resolves += 1
    case .pointer: tally.looks += 1
    case .revision: tally.revisionsRead += 1
    case .write, .said, .shown: break
    }
  }

  private mutating func add(_ entry: JournalEntry) {
    switch entry {
    case .saw(let event): add(event)
    case .began(let client, let number, let time):
      progress[client] = LiveProgress(next: number, isBegun: true)
      underWay[client] = (time, nil)
      say(client, number, at: time)
      tally.attempts += 1
    case .sent(let client, let id, let digest, let time):
      guard let id = RevisionID(id) else { return }
      underWay[client]?.sent = id
      open(client, id, digest: digest, at: time)
    case .ended(let client, let number, let id, let outcome, let requests, let time):
      guard let id = RevisionID(id) else { return }
      progress[client] = LiveProgress(next: number + 1)
      tally.end(outcome, requests: requests)
      acknowledged.insert(id)
      open(client, id, digest: nil, at: underWay[client]?.began ?? time)
      close(client, id, requests: requests, at: time)
      underWay[client] = nil
      if let place = words[Word(client: client, number: number)] {
        history.events[place].to = history.events[place].to ?? time
      }
    case .failed(let client, _, let requests, let message):
      tally.fail(message, requests: requests)
      if let id = underWay[client]?.sent { close(client, id, requests: requests, at: nil) }
    case .gaveUp: tally.givenUp += 1
    case .unanswered(let message): tally.unanswered(message)
    case .struck(let counts): tally.faults.merge(counts) { $0 + $1 }
    }
  }

  /// Notes what a publish says, from its first attempt on.
  private mutating func say(_ client: Int, _ number: Int, at time: Int) {
    let word = Word(client: client, number: number)
    guard words[word] == nil else { return }
    words[word] = history.events.count
    let numbers = LiveWriter.words(client, number).map { ($0.key.rawValue, $0.value) }
    history.events.append(
      RaceHistory.Event(
        client: LiveWriter.name(client), from: time, to: nil,
        observation: .said(Dictionary(uniqueKeysWithValues: numbers))))
  }

  /// Begins a write. Later details are added to it. What was sent and failed may be sent again by the same
  /// id with other bytes, because more of the day was found since: that is another write.
  private mutating func open(_ client: Int, _ id: RevisionID, digest: String?, at time: Int) {
    if let place = writes[Write(client: client, id: id)] {
      guard case .write(_, let known, _, _) = history.events[place].observation, let digest,
        digest != known
      else { return }
    }
    writes[Write(client: client, id: id)] = history.events.count
    history.events.append(
      RaceHistory.Event(
        client: LiveWriter.name(client), from: time, to: nil,
        observation: .write(id, digest: digest, requests: nil, movesPointer: movesPointer)))
  }

  /// Ends a write: with its first acknowledgement, or only with its number of requests.
  private mutating func close(_ client: Int, _ id: RevisionID, requests: Int, at time: Int?) {
    guard let place = writes[Write(client: client, id: id)],
      case .write(_, let digest, let known, _) = history.events[place].observation
    else { return }
    history.events[place].to = history.events[place].to ?? time
    history.events[place].observation = .write(
      id, digest: digest, requests: max(requests, known ?? 0), movesPointer: movesPointer)
  }
}
