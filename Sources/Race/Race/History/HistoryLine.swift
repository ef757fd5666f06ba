import HealthModel

/// One line of a history, parsed and validated.
struct HistoryLine {
  let number: Int
  let members: [String: JSONValue]

  init(_ bytes: ArraySlice<UInt8>, number: Int) throws(InvalidText) {
    self.number = number
    guard bytes.count <= HistoryFile.maximumLine else {
      throw HistoryFile.failure(line: number, "longer than \(HistoryFile.maximumLine) bytes")
    }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: Array(bytes), maximumDepth: 2)
    } catch {
      throw HistoryFile.failure(line: number, "not JSON: \(error)")
    }
    guard let members = value.objectValue else {
      throw HistoryFile.failure(line: number, "not a JSON object")
    }
    self.members = members
  }

  /// Whether a history begins with this line.
  var isHeader: Bool { members["format"] != nil }

  func header() throws(InvalidText) -> RaceHistory {
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
    history.isInNanoseconds = members["unit"] == .string("ns")
    return history
  }

  func event() throws(InvalidText) -> RaceHistory.Event {
    guard let client = members["client"]?.stringValue else { throw failure("no \"client\"") }
    guard let from = try whole("from") else { throw failure("no \"from\"") }
    let to = try whole("to")
    if let to, to < from { throw failure("\"to\" is before \"from\"") }
    let operation = members["op"]?.stringValue
    if to == nil, operation != "write", operation != "said" {
      throw failure("no \"to\": only a write may be open")
    }
    return RaceHistory.Event(
      client: client, from: from, to: to, observation: try observation(operation))
  }

  private func observation(_ operation: String?) throws(InvalidText) -> RaceHistory.Observation {
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
    case "said": return .said(try numbers())
    case "shown": return .shown(try numbers())
    default: throw failure("\"op\" must be write, read, pointer, revision, said or shown")
    }
  }

  private func numbers() throws(InvalidText) -> [String: Double] {
    guard let value = members["value"]?.objectValue else {
      throw failure("\"value\" must be an object of numbers")
    }
    return value.compactMapValues(\.numberValue)
  }

  private func optionalID(_ name: String) throws(InvalidText) -> RevisionID? {
    guard let value = members[name] else { throw failure("no \"\(name)\"") }
    return value == .null ? nil : try id(name)
  }

  private func id(_ name: String) throws(InvalidText) -> RevisionID {
    guard let id = members[name]?.stringValue.flatMap({ RevisionID($0) }) else {
      throw failure("\"\(name)\" must be a revision id (R6)")
    }
    return id
  }

  private func whole(_ name: String) throws(InvalidText) -> Int? {
    guard let value = members[name], value != .null else { return nil }
    guard let number = value.numberValue, let whole = Int(exactly: number) else {
      throw failure("\"\(name)\" must be a whole number")
    }
    return whole
  }

  private func failure(_ message: String) -> InvalidText {
    HistoryFile.failure(line: number, message)
  }
}
