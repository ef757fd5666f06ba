/// Walks over a JSON text value by value, so that a long one need be held neither as values nor, where it is
/// read a part at a time, as bytes. It takes what `JSONValue(parsing:)` takes, and refuses the rest with the
/// same words.
package struct JSONWalk<Failure: Error> {
  private var parser: JSONParser
  /// Where in the text the parser's bytes begin.
  private var base = 0
  /// Gives at most so many bytes from an offset on; none at the end. Nil where all are in memory.
  private let read: ((_ offset: Int, _ most: Int) throws(Failure) -> [UInt8])?
  private var isAtEnd: Bool
  private let fault: (JSONError) -> Failure

  private static var chunk: Int { 1 << 20 }
  /// Most bytes of one value of a text that is read in parts, such as a row.
  private static var longestValue: Int { 32 << 20 }

  /// Walks over a text in memory.
  ///
  /// - Parameter fault: makes the caller's error of one of JSON.
  package init(_ bytes: [UInt8], maximumDepth: Int, fault: @escaping (JSONError) -> Failure) {
    parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth)
    (read, isAtEnd, self.fault) = (nil, true, fault)
  }

  /// Walks over a text of any length, a part at a time.
  package init(
    reading: @escaping (_ offset: Int, _ most: Int) throws(Failure) -> [UInt8], maximumDepth: Int,
    fault: @escaping (JSONError) -> Failure
  ) throws(Failure) {
    parser = JSONParser(bytes: [], maximumDepth: maximumDepth)
    (read, isAtEnd, self.fault) = (reading, false, fault)
    try fill()
  }

  /// The place of the next byte.
  package var offset: Int { base + parser.offset }

  /// Goes to a place where the walk has stood before; what stands around it is as now.
  package mutating func seek(_ place: Int) throws(Failure) {
    if place >= base, place <= base + parser.bytes.count {
      parser.offset = place - base
    } else {
      (base, parser.bytes, parser.offset, isAtEnd) = (place, [], 0, false)
      try fill()
    }
  }

  /// Steps over a UTF-8 byte-order mark.
  package mutating func skipMark() {
    if parser.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.offset = 3 }
  }

  /// Steps into an object or an array; false if the next value is not one.
  package mutating func enter(_ bracket: Unicode.Scalar) throws(Failure) -> Bool {
    guard try take(bracket) else { return false }
    guard parser.depth < parser.maximumDepth else {
      throw fault(at: offset - 1, "nesting deeper than \(parser.maximumDepth)", .depth)
    }
    parser.depth += 1
    return true
  }

  /// Whether another member or element follows; else steps out.
  package mutating func next(
    before bracket: Unicode.Scalar, isFirst: Bool
  ) throws(Failure) -> Bool {
    if try take(bracket) {
      parser.depth -= 1
      return false
    }
    if !isFirst, try !take(",") { throw fault(at: offset, "a comma or \(bracket) expected") }
    return true
  }

  /// Each member of the object that was entered, by its key; `body` takes the value.
  package mutating func members(
    _ body: (inout Self, String) throws(Failure) -> Void
  ) throws(Failure) {
    var keys: Set<String> = []
    while try next(before: "}", isFirst: keys.isEmpty) {
      _ = try peek()
      let place = offset
      guard parser.peek == UInt8(ascii: "\""), case .string(let key) = try value() else {
        throw fault(at: place, "a key in double quotes expected")
      }
      guard keys.insert(key).inserted else {
        throw fault(at: place, "a duplicate key \"\(key.prefix(40))\"", .duplicateKey)
      }
      guard try take(":") else { throw fault(at: offset, "a colon expected") }
      try body(&self, key)
    }
  }

  /// Each element of the array that was entered; `body` takes the value.
  package mutating func elements(
    _ body: (inout Self) throws(Failure) -> Void
  ) throws(Failure) {
    var isFirst = true
    while try next(before: "]", isFirst: isFirst) {
      isFirst = false
      try body(&self)
    }
  }

  /// Takes the next value, whole.
  package mutating func value() throws(Failure) -> JSONValue {
    _ = try peek()
    while !isAtEnd, JSONValue.end(in: parser.bytes, from: parser.offset) == nil {
      guard parser.bytes.count - parser.offset <= Self.longestValue else {
        throw fault(at: offset, "a value is too long")
      }
      try fill()
    }
    do throws(JSONError) {
      return try parser.value()
    } catch {
      throw fault(at: base + error.offset, error.reason, error.kind)
    }
  }

  /// - Throws: if anything but blanks follows.
  package mutating func finish() throws(Failure) {
    if try peek() != nil { throw fault(at: offset, "more bytes after the value") }
  }

  /// The first byte of what follows; nil at the end.
  private mutating func peek() throws(Failure) -> UInt8? {
    while true {
      parser.skipBlanks()
      if let byte = parser.peek { return byte }
      if isAtEnd { return nil }
      try fill()
    }
  }

  private mutating func take(_ byte: Unicode.Scalar) throws(Failure) -> Bool {
    _ = try peek()
    return parser.take(byte)
  }

  /// Reads on, and lets go of what was passed.
  private mutating func fill() throws(Failure) {
    let more = try read?(base + parser.bytes.count, Self.chunk) ?? []
    isAtEnd = more.isEmpty
    parser.bytes.removeFirst(parser.offset)
    (base, parser.offset) = (offset, 0)
    parser.bytes += more
  }

  private func fault(
    at place: Int, _ reason: String, _ kind: JSONError.Kind = .syntax
  ) -> Failure {
    fault(JSONError(kind, at: place, reason))
  }
}

extension JSONValue {
  /// Where the value ends that begins at a place of well-formed JSON, before `bound`; nil if that is not in
  /// the bytes.
  package static func end(
    in bytes: [UInt8], from start: Int, before bound: Int? = nil
  ) -> Int? {
    let bound = bound ?? bytes.count
    var (place, depth) = (start, 0)
    while place < bound {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        place += 1
        while place < bound, bytes[place] != UInt8(ascii: "\"") {
          place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        if place >= bound { return nil }
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
