package import HealthModel

/// Histories as JSON lines: a header, then one event per line (docs/RACE.md). A file may hold
/// several histories, each with its own header.
package enum HistoryFile {
  /// The value of `format` in the header.
  package static let format = "s3health-race-1"

  /// The longest line that is read, in bytes.
  package static let maximumLine = 4096

  /// Why a text is not a history: the line, counted from 1, and what is wrong with it.
  static func failure(line: Int, _ message: String) -> InvalidText {
    InvalidText("line \(line) is not a line of a history: \(message)")
  }

  /// The lines of a history, with their newlines.
  package static func encode(_ history: RaceHistory) -> [UInt8] {
    var header: [String: JSONValue] = [
      "format": .string(format), "date": .string(history.date.description),
      "maximum_requests": .number(Double(history.maximumRequests)),
    ]
    if let dangling = history.dangling { header["dangling"] = .string(dangling.rawValue) }
    if history.isInNanoseconds { header["unit"] = .string("ns") }
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
    case .said(let numbers), .shown(let numbers):
      members["op"] = .string(event.observation == .said(numbers) ? "said" : "shown")
      members["value"] = .object(numbers.mapValues(JSONValue.number))
    }
    return JSONValue.object(members).canonicalBytes
  }

  /// Parses a file with one history. Blank lines are ignored.
  package static func decode(_ bytes: [UInt8]) throws(InvalidText) -> RaceHistory {
    var reader = HistoryReader()
    for line in bytes.split(separator: newline, omittingEmptySubsequences: false) {
      guard try reader.take(line) == nil else {
        throw failure(line: reader.lines, "a second history begins here")
      }
    }
    return try reader.finish()
  }

  static let newline = UInt8(ascii: "\n")
}

/// Reads a file of histories line by line, so that only one of them is in memory at a time.
package struct HistoryReader {
  private var history: RaceHistory?
  /// The number of lines read so far.
  package private(set) var lines = 0

  package init() {}

  /// Reads the next line, without its newline.
  ///
  /// - Returns: the previous history, if this line begins another one.
  package mutating func take(_ line: ArraySlice<UInt8>) throws(InvalidText) -> RaceHistory? {
    lines += 1
    guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) else { return nil }
    let reader = try HistoryLine(line, number: lines)
    if history == nil || reader.isHeader {
      let ended = history
      history = try reader.header()
      return ended
    }
    history?.events.append(try reader.event())
    return nil
  }

  /// The last history.
  package mutating func finish() throws(InvalidText) -> RaceHistory {
    guard let history else {
      throw HistoryFile.failure(
        line: max(lines, 1), "the file is empty: there is no header")
    }
    self.history = nil
    return history
  }
}
