/// A length of time as people write it: `36h`, `2d`, `90m`, `1d12h`.
package struct DurationText: Hashable, Sendable {
  /// At least 1.
  package let seconds: Int

  package init?(_ text: String) {
    guard text.utf8.count <= 32 else { return nil }
    var total = 0
    var number: Int?
    for character in text {
      if let digit = character.isASCII ? character.wholeNumberValue : nil {
        let (next, overflow) = (number ?? 0).multipliedReportingOverflow(by: 10)
        guard !overflow, next <= 1_000_000_000 else { return nil }
        number = next + digit
      } else if let unit = Self.units[character], let count = number {
        total += count * unit
        number = nil
      } else {
        return nil
      }
    }
    guard number == nil, total > 0 else { return nil }
    seconds = total
  }

  private static let units: [Character: Int] = [
    "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]
}

/// A number of bytes as people write it: `64MB`, `500k`, `1 GB`, `0`. Units are multiples of 1,000.
package struct ByteSize: Hashable, Sendable {
  /// At most a terabyte.
  package let bytes: Int

  package init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    guard !digits.isEmpty, digits.count <= 13, let number = Int(digits),
      let scale = Self.units[unit]
    else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: scale)
    guard !overflow, bytes <= 1_000_000_000_000 else { return nil }
    self.bytes = bytes
  }

  private static let units = [
    "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
    "gb": 1_000_000_000,
  ]
}
