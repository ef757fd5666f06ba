import ArgumentParser
import HealthModel

/// A date as the command line names it.
enum DayArgument: ExpressibleByArgument, Equatable {
  case today
  case yesterday
  case date(CalendarDate)
  /// Every day of the input; for `put` only.
  case all

  init?(argument: String) {
    switch argument {
    case "today": self = .today
    case "yesterday": self = .yesterday
    case "all": self = .all
    default:
      guard let date = CalendarDate(argument) else { return nil }
      self = .date(date)
    }
  }

  var defaultValueDescription: String {
    switch self {
    case .today: "today"
    case .yesterday: "yesterday"
    case .all: "all"
    case .date(let date): date.description
    }
  }

  /// The date meant, in the reporting time zone at `now` (R3); nil for `all`.
  func date(
    now: Timestamp, timeZoneName: String
  ) throws(ReportingDay.Failure) -> CalendarDate? {
    switch self {
    case .all: return nil
    case .date(let date): return date
    case .today: return try ReportingDay.date(at: now, timeZoneName: timeZoneName)
    case .yesterday:
      return try ReportingDay.date(at: now, timeZoneName: timeZoneName).adding(days: -1)
    }
  }
}
