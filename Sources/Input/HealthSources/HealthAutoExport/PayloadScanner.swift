internal import HealthModel

/// Where the bytes of a payload come from: a file of any size, read a part at a time.
package struct PayloadBytes {
  /// At most so many bytes from an offset on; none at the end.
  package let read: (_ offset: Int, _ most: Int) throws(SourceError) -> [UInt8]

  package init(read: @escaping (_ offset: Int, _ most: Int) throws(SourceError) -> [UInt8]) {
    self.read = read
  }

  /// Bytes that are in memory.
  package init(_ bytes: [UInt8]) {
    self.init { (offset, most) throws(SourceError) in
      Array(bytes[min(offset, bytes.count)..<min(offset + most, bytes.count)])
    }
  }
}

/// Walks through one JSON text a value at a time, as strict as `JSONValue(parsing:)`, in memory that
/// does not grow with the text.
struct PayloadScanner {
  private let bytes: PayloadBytes
  /// A part of the text, and where in the text it begins.
  private var buffer: [UInt8] = []
  private var base = 0
  private var place = 0
  private var isAtEnd = false
  /// Objects and arrays that are open around the value.
  private var depth = 0

  private static let chunk = 1 << 20
  /// Most bytes of one value, such as a row.
  private static let longestValue = 32 << 20
  private static let maximumDepth = 64

  /// A UTF-8 byte-order mark is skipped.
  init(_ bytes: PayloadBytes) throws(SourceError) {
    self.bytes = bytes
    try fill()
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  var offset: Int { base + place }

  /// Goes to an offset; what stands around it is as before.
  mutating func seek(_ offset: Int) throws(SourceError) {
    if offset >= base, offset <= base + buffer.count {
      place = offset - base
      return
    }
    (base, place, buffer, isAtEnd) = (offset, 0, [], false)
    try fill()
  }

  /// The first byte of the next value; nil at the end.
  mutating func next() throws(SourceError) -> UInt8? {
    while true {
      while place < buffer.count {
        switch buffer[place] {
        case 0x20, 0x0A, 0x0D, 0x09: place += 1
        case let byte: return byte
        }
      }
      if isAtEnd { return nil }
      try fill()
    }
  }

  /// Each member of the object that is next, by its key; `body` takes the value.
  mutating func members(
    _ body: (inout PayloadScanner, String) throws(SourceError) -> Void
  ) throws(SourceError) {
    try open()
    defer { depth -= 1 }
    var keys: Set<String> = []
    if try take(UInt8(ascii: "}")) { return }
    repeat {
      guard try next() == UInt8(ascii: "\""), case .string(let key) = try value() else {
        throw fault("a key in double quotes expected")
      }
      guard keys.insert(key).inserted else {
        throw fault("a duplicate key \"\(key.prefix(40))\"")
      }
      guard try take(UInt8(ascii: ":")) else { throw fault("a colon expected") }
      try body(&self, key)
    } while try take(UInt8(ascii: ","))
    guard try take(UInt8(ascii: "}")) else { throw fault("a comma or } expected") }
  }

  /// Each element of the array that is next, with its index; `body` takes the value.
  mutating func elements(
    _ body: (inout PayloadScanner, Int) throws(SourceError) -> Void
  ) throws(SourceError) {
    try open()
    defer { depth -= 1 }
    if try take(UInt8(ascii: "]")) { return }
    var index = 0
    repeat {
      try body(&self, index)
      index += 1
    } while try take(UInt8(ascii: ","))
    guard try take(UInt8(ascii: "]")) else { throw fault("a comma or ] expected") }
  }

  /// Takes the next value.
  mutating func value() throws(SourceError) -> JSONValue {
    guard try next() != nil else { throw fault("the text ends where a value is expected") }
    var end = Self.end(of: buffer, from: place)
    while end == nil, !isAtEnd {
      guard buffer.count - place <= Self.longestValue else { throw fault("a value is too long") }
      try fill()
      end = Self.end(of: buffer, from: place)
    }
    let text = Array(buffer[place..<(end ?? buffer.count)])
    do throws(JSONError) {
      let value = try JSONValue(parsing: text, maximumDepth: max(Self.maximumDepth - depth, 1))
      place += text.count
      return value
    } catch {
      throw fault(error.reason, at: offset + error.offset)
    }
  }

  /// Nothing may follow.
  mutating func end() throws(SourceError) {
    if try next() != nil { throw fault("more bytes after the value") }
  }

  private mutating func open() throws(SourceError) {
    guard try next() != nil, depth < Self.maximumDepth else { throw fault("a value expected") }
    place += 1
    depth += 1
  }

  private mutating func take(_ byte: UInt8) throws(SourceError) -> Bool {
    guard try next() == byte else { return false }
    place += 1
    return true
  }

  /// Reads on, and lets go of what was passed.
  private mutating func fill() throws(SourceError) {
    let more = try bytes.read(base + buffer.count, Self.chunk)
    isAtEnd = more.isEmpty
    buffer.removeFirst(place)
    (base, place) = (base + place, 0)
    buffer += more
  }

  private func fault(_ reason: String, at offset: Int? = nil) -> SourceError {
    SourceError(
      .notJSON, "the input is not valid JSON: \(reason) at byte \(offset ?? self.offset)",
      remedy: "correct the file there, or export it again if it was cut off")
  }

  /// Where the value ends that begins at an offset; nil if that is not in the bytes.
  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    var (place, depth) = (start, 0)
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
          place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        if place >= bytes.count { return nil }
        if depth == 0 { return place + 1 }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // One that nothing has opened ends a number or a word before it.
        if depth == 0 { return place }
        depth -= 1
        if depth == 0 { return place + 1 }
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
        if depth == 0 { return place }
      default: break
      }
      place += 1
    }
    return nil
  }
}

/// Reads a payload a row at a time, so that a large one needs no more memory than what its rows say.
extension HealthAutoExport {
  /// Adds a payload that was captured after those added before, as `add(parts:)` does.
  ///
  /// - Parameter isPayload: whether a text is a payload, by its members; throws for an unknown form.
  /// - Throws: `SourceError` notJSON, or notRecognised for an input that is not a payload. The reader
  ///   must not be used after the first; after the second it is as it was.
  mutating func add(
    scanning bytes: PayloadBytes, isPayload: (JSONValue) throws(SourceError) -> Bool
  ) throws(SourceError) {
    var scanner = try PayloadScanner(bytes)
    var (members, data): ([String: JSONValue], [String: JSONValue]?) = ([:], nil)
    var counts: [String: Int] = [:]
    begin()
    guard try scanner.next() == UInt8(ascii: "{") else {
      _ = try isPayload(try scanner.value())
      return
    }
    try scanner.members { (scanner, key) throws(SourceError) in
      switch (key, try scanner.next()) {
      case ("data", UInt8(ascii: "{")):
        var own: [String: JSONValue] = [:]
        try scanner.members { (scanner, key) throws(SourceError) in
          let at = "/data/\(key)"
          (own[key], counts[key]) = try take(key, at: at, of: &scanner, isData: true)
        }
        data = own
        members[key] = .object(own)
      default: (members[key], _) = try take(key, at: "/\(key)", of: &scanner, isData: false)
      }
    }
    try scanner.end()
    guard try isPayload(.object(members)) else {
      let isMixed = data?["metrics"]?.arrayValue != nil
      throw SourceError(
        isMixed ? .invalid : .notRecognised, "the input is not a payload of Health Auto Export",
        remedy: .input(.publishAlone))
    }
    if data?["metrics"] ?? .null == .null { noteNoMetrics() }
    unused.add(data.map { .object($0) } ?? .null, counts)
    end()
  }

  /// Reads one member, and returns what it is: of an array one element, and how many there are.
  private mutating func take(
    _ key: String, at pointer: String, of scanner: inout PayloadScanner, isData: Bool
  ) throws(SourceError) -> (JSONValue, Int?) {
    guard try scanner.next() == UInt8(ascii: "[") else {
      let value = try scanner.value()
      if isData, key == "metrics", value != .null { noteNoArray() }
      return (value, nil)
    }
    var count = 0
    try scanner.elements { (scanner, index) throws(SourceError) in
      count += 1
      if isData, key == "metrics" {
        try takeSeries(index, of: &scanner)
      } else {
        let row = try scanner.value()
        if key == "workouts" { addWorkout(row, at: "\(pointer)/\(index)") }
      }
    }
    return (.array(Array(repeating: .null, count: min(count, 1))), count)
  }

  /// Reads one metric. Its rows can stand before its name and its unit: then they are passed, and read
  /// when these are known.
  private mutating func takeSeries(
    _ index: Int, of scanner: inout PayloadScanner
  ) throws(SourceError) {
    guard try scanner.next() == UInt8(ascii: "{") else {
      let element = try scanner.value()
      _ = series(element, index: index)
      return
    }
    var (members, rows): ([String: JSONValue], Int?) = ([:], nil)
    var isRead = false
    try scanner.members { (scanner, key) throws(SourceError) in
      guard key == "data", try scanner.next() == UInt8(ascii: "[") else {
        members[key] = try scanner.value()
        return
      }
      members[key] = .array([])
      if members["name"] != nil, members["units"] != nil {
        isRead = true
        try takeRows(of: .object(members), index, of: &scanner)
        return
      }
      rows = scanner.offset
      try scanner.elements { (scanner, _) throws(SourceError) in _ = try scanner.value() }
    }
    guard !isRead else { return }
    guard let rows else {
      _ = series(.object(members), index: index)
      noteUnused(.object(members), rows: 0)
      return
    }
    let end = scanner.offset
    try scanner.seek(rows)
    try takeRows(of: .object(members), index, of: &scanner)
    try scanner.seek(end)
  }

  /// Reads the rows of a metric, an array that is next.
  private mutating func takeRows(
    of element: JSONValue, _ index: Int, of scanner: inout PayloadScanner
  ) throws(SourceError) {
    let series = series(element, index: index)
    if let series { open(series) }
    var count = 0
    try scanner.elements { (scanner, _) throws(SourceError) in
      let row = try scanner.value()
      count += 1
      if series != nil { addRow(row) }
    }
    close()
    if series == nil { noteUnused(element, rows: count) }
  }
}
