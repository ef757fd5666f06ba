package import ArgumentParser
package import HealthLedger
package import HealthModel

/// A date on the command line.
package enum DayArgument: ExpressibleByArgument, Equatable {
  case today
  case yesterday
  case date(CalendarDate)
  /// Every day of the input; for `put` only.
  case all
  /// Not a date. It is refused when the command runs, like other invalid input, with its rule.
  case unreadable(String)

  package init(argument: String) {
    switch argument {
    case "today": self = .today
    case "yesterday": self = .yesterday
    case "all": self = .all
    default:
      self = CalendarDate(argument).map { .date($0) } ?? .unreadable(argument)
    }
  }

  package static var defaultCompletionKind: CompletionKind { .list(["today", "yesterday"]) }

  package var defaultValueDescription: String {
    switch self {
    case .today: "today"
    case .yesterday: "yesterday"
    case .all: "all"
    case .date(let date): date.description
    case .unreadable(let text): text
    }
  }

  /// The date (R1), if the date in the reporting time zone is `today`; nil for `all`.
  package func date(today: CalendarDate) throws(LedgerError) -> CalendarDate? {
    switch self {
    case .all: return nil
    case .date(let date): return date
    case .today: return today
    case .yesterday: return today.adding(days: -1)
    case .unreadable(let text):
      throw LedgerError(
        .invalidArguments, "\"\(text.prefix(40))\" is not a valid date (YYYY-MM-DD)", rule: "R1",
        remedy: "use today, yesterday, or an existing date as YYYY-MM-DD")
    }
  }
}

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

/// A day or several as one word: `yesterday`, `2026-02-08`, `7d`, `2026-02-01..2026-02-08`.
package enum SpanArgument: ExpressibleByArgument, Equatable {
  case day(DayArgument)
  /// The last days up to today.
  case last(DayCountArgument)
  /// From one date to another; nil where none is written.
  case range(DayArgument?, DayArgument?)

  package init(argument: String) {
    if let dots = argument.firstRange(of: "..") {
      let ends = [argument[..<dots.lowerBound], argument[dots.upperBound...]].map {
        $0.isEmpty ? nil : DayArgument(argument: String($0))
      }
      self = .range(ends[0], ends[1])
    } else if let unit = argument.last, !unit.isNumber,
      let count = DayCountArgument(argument: argument)
    {
      self = .last(count)
    } else {
      self = .day(DayArgument(argument: argument))
    }
  }

  package static var defaultCompletionKind: CompletionKind {
    .list(["today", "yesterday", "7d", "30d"])
  }
}

/// A moment on the command line (R36).
package enum MomentArgument: ExpressibleByArgument, Equatable {
  /// With an offset or `Z`.
  case moment(Timestamp)
  /// A date, today or yesterday: the last second of that day in the reporting time zone.
  case endOf(DayArgument)
  /// What is neither.
  case unreadable(String)

  package init(argument: String) {
    if let moment = Timestamp(argument) {
      self = .moment(moment)
    } else if let local = ReportingDay.LocalMoment(argument) {
      self = .moment(local.timestamp)
    } else {
      switch DayArgument(argument: argument) {
      case .all, .unreadable: self = .unreadable(argument)
      case let day: self = .endOf(day)
      }
    }
  }
}

/// A duration on the command line: `36h`, `2d`, `90m`, `1d12h`.
package struct DurationArgument: ExpressibleByArgument, Hashable {
  /// Seconds; at least 1.
  package let seconds: Int
  private let text: String

  package var duration: Duration { .seconds(seconds) }

  package init?(argument: String) {
    guard let duration = DurationText(argument) else { return nil }
    (seconds, text) = (duration.seconds, argument)
  }

  package var defaultValueDescription: String { text }
}
