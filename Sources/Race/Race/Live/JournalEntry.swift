package import HealthModel

/// One line of a race process's journal, written before and after each of its actions.
///
/// The line is written before the request that it describes is sent. So a killed process has
/// recorded every write that it may have made.
package enum JournalEntry: Hashable, Sendable {
  /// A writer begins its `number`th publish.
  case began(client: Int, number: Int, at: Int)
  /// The create of a revision is about to be sent.
  case sent(client: Int, RevisionID, digest: String, at: Int)
  /// A publish was acknowledged, after this many requests.
  case ended(client: Int, number: Int, RevisionID, outcome: String, requests: Int, at: Int)
  /// A publish failed and will be retried.
  case failed(client: Int, number: Int, requests: Int, message: String, at: Int)
  /// A publish was abandoned.
  case gaveUp(client: Int, number: Int)
  /// A resolve or a read without an answer.
  case unanswered(message: String)
  /// Injected faults, counted by name.
  case struck([String: Int])
  /// An observation.
  case saw(RaceHistory.Event)
}

extension JournalEntry {
  /// The line, with its newline.
  package var line: [UInt8] {
    let members: [String: JSONValue]
    switch self {
    case .saw(let event): return HistoryFile.encode(event) + [HistoryFile.newline]
    case .began(let client, let number, let time):
      members = ["began": .whole(number), "client": .whole(client), "at": .whole(time)]
    case .sent(let client, let id, let digest, let time):
      members = [
        "sent": .string(id.rawValue), "client": .whole(client), "digest": .string(digest),
        "at": .whole(time),
      ]
    case .ended(let client, let number, let id, let outcome, let requests, let time):
      members = [
        "ended": .whole(number), "client": .whole(client), "id": .string(id.rawValue),
        "outcome": .string(outcome), "requests": .whole(requests), "at": .whole(time),
      ]
    case .failed(let client, let number, let requests, let message, let time):
      members = [
        "failed": .whole(number), "client": .whole(client), "requests": .whole(requests),
        "message": .string(String(message.prefix(500))), "at": .whole(time),
      ]
    case .gaveUp(let client, let number):
      members = ["gave_up": .whole(number), "client": .whole(client)]
    case .unanswered(let message):
      members = ["unanswered": .string(String(message.prefix(500)))]
    case .struck(let counts): members = ["struck": .object(counts.mapValues(JSONValue.whole))]
    }
    return JSONValue.object(members).canonicalBytes + [HistoryFile.newline]
  }

  /// Parses a line without its newline; nil if it is incomplete.
  package init?(_ line: ArraySlice<UInt8>) {
    guard let value = try? JSONValue(parsing: Array(line), maximumDepth: 3),
      let members = value.objectValue
    else { return nil }
    func whole(_ name: String) -> Int? { members[name]?.numberValue.flatMap { Int(exactly: $0) } }
    func text(_ name: String) -> String? { members[name]?.stringValue }
    func id(_ name: String) -> RevisionID? { text(name).flatMap { RevisionID($0) } }
    let client = whole("client") ?? -1
    let time = whole("at") ?? 0
    if members["op"] != nil {
      guard let event = try? HistoryLine(line, number: 0).event() else { return nil }
      self = .saw(event)
    } else if let number = whole("began") {
      self = .began(client: client, number: number, at: time)
    } else if let id = id("sent"), let digest = text("digest") {
      self = .sent(client: client, id, digest: digest, at: time)
    } else if let number = whole("ended"), let id = id("id"), let outcome = text("outcome"),
      let requests = whole("requests")
    {
      self = .ended(
        client: client, number: number, id, outcome: outcome, requests: requests, at: time)
    } else if let number = whole("failed"), let requests = whole("requests"),
      let message = text("message")
    {
      self = .failed(client: client, number: number, requests: requests, message: message, at: time)
    } else if let number = whole("gave_up") {
      self = .gaveUp(client: client, number: number)
    } else if let message = text("unanswered") {
      self = .unanswered(message: message)
    } else if let counts = members["struck"]?.objectValue {
      self = .struck(counts.compactMapValues { $0.numberValue.flatMap { Int(exactly: $0) } })
    } else {
      return nil
    }
  }
}

extension JSONValue {
  static func whole(_ number: Int) -> JSONValue { .number(Double(number)) }
}
