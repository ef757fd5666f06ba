/// Walks over a JSON text value by value, so that a long one need not be held as values at once. It
/// takes what `JSONValue(parsing:)` takes, and refuses the rest with the same errors.
package struct JSONWalk {
  private var parser: JSONParser

  /// - Parameter maximumDepth: of each value that is read.
  package init(_ bytes: [UInt8], maximumDepth: Int) {
    parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth)
  }

  /// The place of the next byte. Only a place where a walk has stood before.
  package var offset: Int {
    get { parser.offset }
    set { parser.offset = newValue }
  }

  /// Steps into an object or an array; false if the next value is neither.
  package mutating func enter(_ bracket: Unicode.Scalar) -> Bool {
    parser.skipBlanks()
    return parser.take(bracket)
  }

  /// Whether another member or element follows; else steps out.
  package mutating func next(
    before bracket: Unicode.Scalar, isFirst: Bool
  ) throws(JSONError) -> Bool {
    parser.skipBlanks()
    if parser.take(bracket) { return false }
    guard isFirst || parser.take(",") else {
      throw JSONError(.syntax, at: offset, "a comma or \(bracket) expected")
    }
    return true
  }

  /// The key of a member, and the colon after it.
  package mutating func key() throws(JSONError) -> String {
    parser.skipBlanks()
    guard parser.peek == UInt8(ascii: "\"") else {
      throw JSONError(.syntax, at: offset, "a key in double quotes expected")
    }
    let key = try parser.string()
    parser.skipBlanks()
    guard parser.take(":") else { throw JSONError(.syntax, at: offset, "a colon expected") }
    return key
  }

  /// The next value, whole.
  package mutating func value() throws(JSONError) -> JSONValue {
    parser.skipBlanks()
    return try parser.value()
  }

  /// - Throws: if anything but blanks follows.
  package mutating func finish() throws(JSONError) {
    parser.skipBlanks()
    guard parser.peek == nil else {
      throw JSONError(.syntax, at: offset, "more bytes after the value")
    }
  }
}
