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
