import ArgumentParser
import HealthLedger
import HealthModel

/// A date as the command line names it.
enum DayArgument: ExpressibleByArgument, Equatable {
  case today
  case yesterday
  case date(CalendarDate)
  /// Every day of the input; for `put` only.
  case all
  /// What is not a date: refused like any other wrong input, with its rule, once a command runs.
  case unreadable(String)

  init(argument: String) {
    switch argument {
    case "today": self = .today
    case "yesterday": self = .yesterday
    case "all": self = .all
    default:
      self = CalendarDate(argument).map { .date($0) } ?? .unreadable(argument)
    }
  }

  static var defaultCompletionKind: CompletionKind { .list(["today", "yesterday"]) }

  var defaultValueDescription: String {
    switch self {
    case .today: "today"
    case .yesterday: "yesterday"
    case .all: "all"
    case .date(let date): date.description
    case .unreadable(let text): text
    }
  }

  /// The date meant (R1) where the reporting time zone has the date `today`; nil for `all`.
  func date(today: CalendarDate) throws(LedgerError) -> CalendarDate? {
    switch self {
    case .all: return nil
    case .date(let date): return date
    case .today: return today
    case .yesterday: return today.adding(days: -1)
    case .unreadable(let text):
      throw LedgerError(
        .invalidArguments, "\"\(text.prefix(40))\" is not a valid date (YYYY-MM-DD)", rule: "R1",
        remedy: "use today, yesterday, or YYYY-MM-DD of a day that the calendar has")
    }
  }
}
