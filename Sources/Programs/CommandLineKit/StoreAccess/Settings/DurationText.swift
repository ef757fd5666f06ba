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
