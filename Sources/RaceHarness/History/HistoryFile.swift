import HealthModel

/// Histories as JSON lines: a header, then one event to a line (docs/RACE.md).
package enum HistoryFile {
  /// What the header's `format` says.
  package static let format = "s3health-race-1"

  /// Longest line that is read, in bytes.
  static let maximumLine = 4096

  /// Why a text is no history: the line, counted from 1, and what is wrong with it.
  package struct Failure: Error, Hashable, Sendable {
    package let line: Int
    package let message: String
  }

  /// The lines of a history, each ended.
  package static func encode(_ history: RaceHistory) -> [UInt8] {
    var header: [String: JSONValue] = [
      "format": .string(format), "date": .string(history.date.description),
      "maximum_requests": .number(Double(history.maximumRequests)),
    ]
    if let dangling = history.dangling { header["dangling"] = .string(dangling.rawValue) }
    var bytes = JSONValue.object(header).canonicalBytes + [newline]
    for event in history.events { bytes += encode(event) + [newline] }
    return bytes
  }

  /// One event, without the newline.
  package static func encode(_ event: RaceHistory.Event) -> [UInt8] {
    var members: [String: JSONValue] = [
      "client": .string(event.client), "from": .number(Double(event.from)),
    ]
    members["to"] = event.to.map { .number(Double($0)) }
    switch event.observation {
    case .write(let id, let digest, let requests, let movesPointer):
      members["op"] = .string("write")
      members["value"] = .string(id.rawValue)
      members["digest"] = digest.map(JSONValue.string)
      members["requests"] = requests.map { .number(Double($0)) }
      if !movesPointer { members["moves_pointer"] = .bool(false) }
    case .read(let id):
      members["op"] = .string("read")
      members["value"] = id.map { .string($0.rawValue) } ?? .null
    case .pointer(let pointer):
      members["op"] = .string("pointer")
      switch pointer {
      case .absent: members["value"] = .null
      case .corrupt: members["corrupt"] = .bool(true)
      case .names(let id): members["value"] = .string(id.rawValue)
      }
    case .revision(let id, let digest):
      members["op"] = .string("revision")
      members["value"] = .string(id.rawValue)
      members["digest"] = digest.map(JSONValue.string) ?? .null
    }
    return JSONValue.object(members).canonicalBytes
  }

  /// Reads a history back; blank lines are passed over.
  package static func decode(_ bytes: [UInt8]) throws(Failure) -> RaceHistory {
    var history: RaceHistory?
    var number = 0
    for line in bytes.split(separator: newline, omittingEmptySubsequences: false) {
      number += 1
      guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) else { continue }
      let reader = try HistoryLine(line, number: number)
      if history == nil {
        history = try reader.header()
      } else {
        history?.events.append(try reader.event())
      }
    }
    guard let history else {
      throw Failure(line: max(number, 1), message: "the file is empty: there is no header")
    }
    return history
  }

  private static let newline = UInt8(ascii: "\n")
}

/// One line of a history, read and not believed.
private struct HistoryLine {
  let number: Int
  let members: [String: JSONValue]

  init(_ bytes: ArraySlice<UInt8>, number: Int) throws(HistoryFile.Failure) {
    self.number = number
    guard bytes.count <= HistoryFile.maximumLine else {
      throw HistoryFile.Failure(
        line: number, message: "longer than \(HistoryFile.maximumLine) bytes")
    }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: Array(bytes), maximumDepth: 2)
    } catch {
      throw HistoryFile.Failure(line: number, message: "not JSON: \(error)")
    }
    guard let members = value.objectValue else {
      throw HistoryFile.Failure(line: number, message: "not a JSON object")
    }
    self.members = members
  }

  func header() throws(HistoryFile.Failure) -> RaceHistory {
    let format = members["format"]?.stringValue
    guard format == HistoryFile.format else {
      throw failure(
        "a history begins with a line whose \"format\" is \"\(HistoryFile.format)\""
          + (format.map { ", not \"\($0.prefix(40))\"" } ?? ""))
    }
    guard let date = members["date"]?.stringValue.flatMap({ CalendarDate($0) }) else {
      throw failure("\"date\" must be YYYY-MM-DD")
    }
    var history = RaceHistory(date: date)
    if let most = try whole("maximum_requests") { history.maximumRequests = most }
    if members["dangling"] != nil { history.dangling = try id("dangling") }
    return history
  }

  func event() throws(HistoryFile.Failure) -> RaceHistory.Event {
    guard let client = members["client"]?.stringValue else { throw failure("no \"client\"") }
    guard let from = try whole("from") else { throw failure("no \"from\"") }
    let to = try whole("to")
    if let to, to < from { throw failure("\"to\" is before \"from\"") }
    let operation = members["op"]?.stringValue
    if to == nil, operation != "write" { throw failure("no \"to\": only a write may be open") }
    return RaceHistory.Event(
      client: client, from: from, to: to, observation: try observation(operation))
  }

  private func observation(
    _ operation: String?
  ) throws(HistoryFile.Failure) -> RaceHistory.Observation {
    switch operation {
    case "write":
      return .write(
        try id("value"), digest: members["digest"]?.stringValue, requests: try whole("requests"),
        movesPointer: members["moves_pointer"] != .bool(false))
    case "read": return .read(try optionalID("value"))
    case "pointer":
      if members["corrupt"] == .bool(true) { return .pointer(.corrupt) }
      return .pointer(try optionalID("value").map(RaceHistory.Pointer.names) ?? .absent)
    case "revision":
      return .revision(try id("value"), digest: members["digest"]?.stringValue)
    default: throw failure("\"op\" must be write, read, pointer or revision")
    }
  }

  private func optionalID(_ name: String) throws(HistoryFile.Failure) -> RevisionID? {
    guard let value = members[name] else { throw failure("no \"\(name)\"") }
    return value == .null ? nil : try id(name)
  }

  private func id(_ name: String) throws(HistoryFile.Failure) -> RevisionID {
    guard let id = members[name]?.stringValue.flatMap({ RevisionID($0) }) else {
      throw failure("\"\(name)\" must be a revision id (R6)")
    }
    return id
  }

  private func whole(_ name: String) throws(HistoryFile.Failure) -> Int? {
    guard let value = members[name], value != .null else { return nil }
    guard let number = value.numberValue, let whole = Int(exactly: number) else {
      throw failure("\"\(name)\" must be a whole number")
    }
    return whole
  }

  private func failure(_ message: String) -> HistoryFile.Failure {
    HistoryFile.Failure(line: number, message: message)
  }
}
