/// Reads a document's members one by one and gathers every violation on the way.
///
/// Each read that fails notes why and gives nil, and reading goes on: one look at a document shows
/// all that is wrong with it.
struct DocumentReader {
  /// All that was found so far, in the order of reading.
  private(set) var violations: [Violation] = []

  /// Whether all that was read so far can be understood (R41).
  var isReadable: Bool { !violations.contains(where: \.hidesDocument) }

  /// The whole text's object; nil, with the reason noted, where it is not an object (R13).
  mutating func object(_ bytes: [UInt8], maximumBytes: Int) -> [String: JSONValue]? {
    guard bytes.count <= maximumBytes else {
      note("R13", .tooLarge, at: "", "\(bytes.count) bytes; at most \(maximumBytes) are allowed")
      return nil
    }
    do throws(JSONError) {
      let value = try JSONValue(parsing: bytes, maximumDepth: 64)
      guard let members = value.objectValue else {
        note("R13", .wrongType, at: "", "the document must be an object, not \(value.kind)")
        return nil
      }
      return members
    } catch {
      // Bytes that are not UTF-8 are not JSON either, but the former is what went wrong.
      let isText = error.kind != .syntax || String(validating: bytes, as: UTF8.self) != nil
      note(
        "R13", isText ? ViolationCode(error.kind) : .notUTF8, at: "", error.description)
      return nil
    }
  }

  /// Adds a violation.
  ///
  /// - Parameter hides: whether a document with it is unreadable, where its code leaves that open.
  mutating func note(
    _ rule: String, _ code: ViolationCode, at pointer: String, _ message: String,
    hides: Bool = true
  ) {
    let hidesDocument =
      switch code.reading {
      case .hidden: true
      case .readable: false
      case .either: hides
      }
    violations.append(
      Violation(
        rule: rule, code: code.rawValue, pointer: pointer, message: message,
        hidesDocument: hidesDocument))
  }

  /// A member that must be there; nil, with the reason noted, if it is not.
  mutating func member(
    _ key: String, of members: [String: JSONValue], at parent: String, rule: String,
    hides: Bool = true
  ) -> JSONValue? {
    if let value = members[key] { return value }
    note(rule, .missingMember, at: "\(parent)/\(key)", "the member is missing", hides: hides)
    return nil
  }

  /// A member that must be an object.
  mutating func object(
    _ key: String, of members: [String: JSONValue], at parent: String = "", rule: String,
    hides: Bool = true
  ) -> [String: JSONValue]? {
    member(key, of: members, at: parent, rule: rule, hides: hides).flatMap {
      form("an object", of: $0, $0.objectValue, at: "\(parent)/\(key)", rule: rule, hides: hides)
    }
  }

  /// A member that must be a string.
  mutating func string(
    _ key: String, of members: [String: JSONValue], at parent: String = "", rule: String,
    hides: Bool = true
  ) -> String? {
    member(key, of: members, at: parent, rule: rule, hides: hides).flatMap {
      form("a string", of: $0, $0.stringValue, at: "\(parent)/\(key)", rule: rule, hides: hides)
    }
  }

  /// What was read of a value; nil, with the reason noted, where it has another form.
  private mutating func form<Form>(
    _ expected: String, of value: JSONValue, _ read: Form?, at pointer: String, rule: String,
    hides: Bool
  ) -> Form? {
    if read == nil {
      note(
        rule, .wrongType, at: pointer, "\(expected) expected, not \(value.kind)", hides: hides)
    }
    return read
  }
}

extension JSONValue {
  /// The kind of value, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension ViolationCode {
  init(_ kind: JSONError.Kind) {
    switch kind {
    case .encoding: self = .notUTF8
    case .syntax: self = .notJSON
    case .duplicateKey: self = .duplicateKey
    case .depth: self = .tooDeep
    case .numberRange: self = .numberOutOfRange
    case .loneSurrogate: self = .loneSurrogate
    }
  }
}
