/// A moment in microseconds, UTC: what tables keep, and what the order of receipts goes by.
package struct PreciseMoment: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  package let microseconds: Int

  package init(microseconds: Int) { self.microseconds = microseconds }

  /// - Parameter secondsSince1970: at most a few thousand years from 1970.
  package init(secondsSince1970: Int64) { microseconds = Int(secondsSince1970) * 1_000_000 }

  package init(_ timestamp: Timestamp) {
    self.init(secondsSince1970: Int64(timestamp.secondsSince1970))
  }

  /// Parses `YYYY-MM-DDTHH:MM:SSZ` with up to 9 decimals of a second, of which six are kept, as
  /// PostgreSQL keeps them. Nil for anything else.
  package init?(_ text: String) {
    guard let whole = Timestamp(text) else { return nil }
    var fraction = 0
    let bytes = Array(text.utf8.dropLast())
    if bytes.count > 19 {
      for place in 0..<6 {
        let digit = place + 20 < bytes.count ? Int(bytes[place + 20]) - 48 : 0
        fraction = fraction * 10 + digit
      }
    }
    microseconds = whole.secondsSince1970 * 1_000_000 + fraction
  }

  /// The moment this much later; negative: earlier.
  package func adding(microseconds more: Int) -> PreciseMoment {
    PreciseMoment(microseconds: microseconds + more)
  }

  /// The same moment, the fraction of its second cut.
  package var timestamp: Timestamp { parts.second }

  package static func < (a: PreciseMoment, b: PreciseMoment) -> Bool {
    a.microseconds < b.microseconds
  }

  /// The whole second, and the microseconds in it.
  private var parts: (second: Timestamp, rest: Int) {
    let (second, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return rest < 0
      ? (Timestamp(secondsSince1970: second - 1), rest + 1_000_000)
      : (Timestamp(secondsSince1970: second), rest)
  }
}

extension PreciseMoment: CustomStringConvertible {
  /// `YYYY-MM-DDTHH:MM:SSZ`, with as many decimals as are needed.
  package var description: String {
    let (second, rest) = parts
    guard rest > 0 else { return "\(second)" }
    var decimals = String(rest)
    decimals = String(repeating: "0", count: 6 - decimals.utf8.count) + decimals
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(second)".dropLast() + ".\(decimals)Z"
  }
}
