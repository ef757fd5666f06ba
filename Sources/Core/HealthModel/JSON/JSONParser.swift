/// What is wrong with a text that should be JSON, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sort of fault, for callers that answer each differently (R13).
  public enum Kind: Hashable, Sendable {
    /// The bytes are not UTF-8.
    case encoding
    /// An escape names half a surrogate pair, so that the text has no UTF-8 form.
    case loneSurrogate
    /// The bytes are not one JSON text.
    case syntax
    /// An object has a key twice.
    case duplicateKey
    /// Arrays and objects are nested beyond the limit.
    case depth
    /// A number beyond what a double can hold, such as 1e999.
    case numberRange
  }

  /// The sort of fault.
  public let kind: Kind
  /// Zero-based offset of the offending byte.
  public let offset: Int
  /// A sentence's worth of reason, without the offset.
  public let reason: String

  package init(_ kind: Kind, at offset: Int, _ reason: String) {
    (self.kind, self.offset, self.reason) = (kind, offset, reason)
  }

  /// The reason and the offset, such as `a duplicate key "a" at byte 8`.
  public var description: String { "\(reason) at byte \(offset)" }
}

/// Why a text or a file is not valid, as one clause in this program's words.
package struct InvalidText: Error, Hashable, Sendable {
  package let message: String

  package init(_ message: String) { self.message = message }
}

extension JSONValue {
  /// Parses one JSON text strictly: UTF-8, no duplicate keys, no trailing bytes, finite numbers.
  ///
  /// Time and memory grow linearly with the text; a caller that reads from outside bounds the
  /// length first. Keys that Unicode holds canonically equivalent count as the same key.
  ///
  /// - Parameters:
  ///   - bytes: the whole text; a byte-order mark is refused.
  ///   - maximumDepth: nesting beyond this is refused, so that hostile input can't exhaust the
  ///     stack; 1 admits a flat array or object.
  /// - Throws: `JSONError` with the byte offset.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) {
    var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth)
    self = try parser.wholeText()
  }
}

/// A recursive-descent reader of RFC 8259 over bytes.
struct JSONParser {
  let bytes: [UInt8]
  let maximumDepth: Int
  var offset = 0
  private var depth = 0
  /// How many members the object had that ended last.
  private var lastCount = 0

  init(bytes: [UInt8], maximumDepth: Int) {
    (self.bytes, self.maximumDepth) = (bytes, maximumDepth)
  }

  mutating func wholeText() throws(JSONError) -> JSONValue {
    skipBlanks()
    guard offset < bytes.count else {
      throw JSONError(.syntax, at: offset, bytes.isEmpty ? "an empty text" : "nothing but blanks")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw JSONError(.syntax, at: 0, "a byte-order mark")
    }
    let value = try self.value()
    skipBlanks()
    guard offset == bytes.count else {
      throw JSONError(.syntax, at: offset, "more bytes after the value")
    }
    return value
  }

  mutating func value() throws(JSONError) -> JSONValue {
    guard let first = peek else {
      throw JSONError(.syntax, at: offset, "the text ends where a value is expected")
    }
    switch first {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "N"), UInt8(ascii: "I"):
      throw JSONError(
        .syntax, at: offset, "NaN and Infinity are not JSON numbers; a value expected")
    default: throw JSONError(.syntax, at: offset, "a value expected")
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    guard depth < maximumDepth else {
      throw JSONError(.depth, at: offset, "nesting deeper than \(maximumDepth)")
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    offset += 1
    var members: [String: JSONValue] = [:]
    skipBlanks()
    if take("}") { return .object(members) }
    // Objects beside each other often have as many members. The bound is for hostile texts.
    members.reserveCapacity(min(lastCount, 128))
    while true {
      skipBlanks()
      guard peek == UInt8(ascii: "\"") else {
        throw JSONError(.syntax, at: offset, "a key in double quotes expected")
      }
      let start = offset
      let key = try string()
      skipBlanks()
      guard take(":") else { throw JSONError(.syntax, at: offset, "a colon expected") }
      skipBlanks()
      let value = try self.value()
      guard members.updateValue(value, forKey: key) == nil else {
        throw JSONError(.duplicateKey, at: start, "a duplicate key \"\(key.prefix(40))\"")
      }
      skipBlanks()
      if take("}") {
        lastCount = members.count
        return .object(members)
      }
      guard take(",") else { throw JSONError(.syntax, at: offset, "a comma or } expected") }
    }
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    offset += 1
    var elements: [JSONValue] = []
    skipBlanks()
    if take("]") { return .array(elements) }
    while true {
      skipBlanks()
      elements.append(try value())
      skipBlanks()
      if take("]") { return .array(elements) }
      guard take(",") else { throw JSONError(.syntax, at: offset, "a comma or ] expected") }
    }
  }

  private mutating func literal(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONError) -> JSONValue {
    let expected = Array(String(describing: word).utf8)
    guard bytes[offset...].starts(with: expected) else {
      throw JSONError(.syntax, at: offset, "a value expected")
    }
    offset += expected.count
    return value
  }
}

extension JSONParser {
  /// The byte at the offset; nil at the end.
  var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Steps over `character` if it stands at the offset.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// Steps over the four blanks of JSON.
  mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
  }
}
