import ArgumentParser

/// A duration on the command line: `36h`, `2d`, `90m`, `1d12h`.
struct DurationArgument: ExpressibleByArgument, Hashable {
  /// Seconds; at least 1.
  let seconds: Int
  private let text: String

  var duration: Duration { .seconds(seconds) }

  init?(argument: String) {
    guard argument.utf8.count <= 32 else { return nil }
    var total = 0
    var number: Int?
    for character in argument {
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
    (seconds, text) = (total, argument)
  }

  private static let units: [Character: Int] = [
    "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]

  var defaultValueDescription: String { text }
}
