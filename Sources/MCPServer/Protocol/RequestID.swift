package import HealthModel

/// The id of a request: a string, or an integer that a double can hold exactly.
///
/// Compared by its JSON text: `1` and `"1"` differ, and so do strings that are equivalent in
/// Unicode.
package struct RequestID: Hashable, Sendable {
  /// As it was received.
  package let value: JSONValue
  private let text: [UInt8]
  /// The size of its JSON text in bytes.
  var byteCount: Int { text.count }

  /// Nil for any other kind of value, for fractions, and for integers above 2^53 - 1, which this
  /// server could not send back unchanged.
  package init?(_ value: JSONValue) {
    switch value {
    case .string: break
    case .number(let number):
      guard let whole = Int(exactly: number), whole.magnitude < 1 << 53 else { return nil }
    default: return nil
    }
    self.value = value
    text = value.canonicalBytes
  }

  package static func == (a: RequestID, b: RequestID) -> Bool { a.text == b.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
