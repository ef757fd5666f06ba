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
