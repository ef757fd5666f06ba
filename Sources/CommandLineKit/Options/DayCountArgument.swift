package import ArgumentParser
import HealthLedger

/// A number of days on the command line: `30d`, `4w`, `30`.
package struct DayCountArgument: ExpressibleByArgument, Hashable {
  /// At least 1.
  package let days: Int

  package init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    guard (1...6).contains(digits.count), let number = Int(digits),
      let unit = Self.units[String(argument.dropFirst(digits.count))],
      (1...DateRange.mostDays).contains(number * unit)
    else { return nil }
    days = number * unit
  }

  private static let units = ["": 1, "d": 1, "w": 7]

  package static var defaultCompletionKind: CompletionKind { .list(["7d", "30d", "12w", "365d"]) }
}
