import Foundation
package import HealthLedger
package import HealthModel
package import HealthStreams

extension JSONValue {
  /// A result as its document (docs/OUTPUT.md): `daysHeld` is the member `days_held`, and what is nil is
  /// null.
  package init(encoding result: any Encodable) throws(LedgerError) {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    do {
      self = try JSONValue(parsing: Array(try encoder.encode(result)))
    } catch {
      throw LedgerError(.internal, "the result can't be written as JSON: \(error)")
    }
  }
}

/// A document that is written out member by member, where a type of its own would say no more.
package struct Document: Encodable, ExpressibleByDictionaryLiteral {
  private var members: [String: any Encodable] = [:]

  package init(dictionaryLiteral members: (String, any Encodable)...) {
    for (name, value) in members { self.members[name] = value }
  }

  package init(_ document: any Encodable) throws(LedgerError) {
    members = try JSONValue(encoding: document).objectValue ?? [:]
  }

  package subscript(name: String) -> (any Encodable)? {
    get { members[name] }
    set { members[name] = newValue }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(members.mapValues(Member.init))
  }

  private struct Member: Encodable {
    let value: any Encodable

    /// By a container: a coder changes the names of a dictionary that encodes itself.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }
}

/// A member that is left out where it is nil.
@propertyWrapper package struct OmittedIfNil<Value: Encodable>: Encodable {
  package var wrappedValue: Value?

  package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}

/// What people alone see, and no document has.
@propertyWrapper package struct TextOnly<Value>: Encodable {
  package var wrappedValue: Value

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package func encode(to encoder: any Encoder) {}
}

extension OmittedIfNil: Sendable where Value: Sendable {}
extension TextOnly: Sendable where Value: Sendable {}

// What the synthesised `encode(to:)` of results calls: nil is null, unless it is to be left out.
extension KeyedEncodingContainer {
  package mutating func encode<Value>(_ member: OmittedIfNil<Value>, forKey key: Key) throws {
    if let value = member.wrappedValue { try encode(value, forKey: key) }
  }
  package mutating func encode<Value>(_ member: TextOnly<Value>, forKey key: Key) throws {}
  package mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try encode(value, forKey: key)
  }
  package mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    try encode(value, forKey: key)
  }
  package mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    try encode(value, forKey: key)
  }
  package mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    try encode(value, forKey: key)
  }
}

/// What a document has as the text that people read.
package protocol EncodedAsText: Encodable, CustomStringConvertible {}

extension EncodedAsText {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension CalendarDate: EncodedAsText {}
extension Timestamp: EncodedAsText {}
extension RevisionID: EncodedAsText {}
extension PersonID: EncodedAsText {}
extension RunID: Encodable {}
extension DataSource: Encodable {}
extension DailyMetric: Encodable {}
extension StreamName: Encodable {}
extension LedgerError.Code: Encodable {}
