package import HealthModel

/// Which part of a payload an entry has (R55).
package struct PayloadPart: Hashable, Sendable {
  /// The digest of the payload as it came.
  package let payload: String
  /// From 1.
  package let number: Int
  package let count: Int

  init(of payload: String, number: Int, count: Int) {
    (self.payload, self.number, self.count) = (payload, number, count)
  }

  /// The member `part` of an entry; nil if it is not one.
  package init?(_ value: JSONValue) {
    guard let payload = value["payload"]?.stringValue, payload.utf8.count == 64,
      let number = value["number"]?.numberValue.flatMap({ Int(exactly: $0) }),
      let count = value["count"]?.numberValue.flatMap({ Int(exactly: $0) }),
      (1...10_000).contains(count), (1...count).contains(number)
    else { return nil }
    self.init(of: payload, number: number, count: count)
  }

  var json: JSONValue {
    .object([
      "payload": .string(payload), "number": .number(Double(number)),
      "count": .number(Double(count)),
    ])
  }
}
