import ArgumentParser
import HealthLedger
import HealthModel

/// A moment as the command line names it (R36).
enum MomentArgument: ExpressibleByArgument, Equatable {
  /// With an offset or `Z`.
  case moment(Timestamp)
  /// A date, today or yesterday: the last second of that day in the reporting time zone.
  case endOf(DayArgument)
  /// What is neither.
  case unreadable(String)

  init(argument: String) {
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

extension Settings {
  /// The moment that an argument means.
  func moment(_ argument: MomentArgument) throws(LedgerError) -> Timestamp {
    switch argument {
    case .moment(let moment): return moment
    case .endOf(let day):
      let date = try date(day)
      do {
        return try ReportingDay(date: date, timeZoneName: timeZoneName).end.timestamp
          .adding(seconds: -1)
      } catch {
        throw error.ledgerError
      }
    case .unreadable(let text):
      throw LedgerError(
        .invalidArguments, "\"\(text.prefix(40))\" is no moment", rule: "R36",
        remedy: "use 2026-02-08T10:00:00Z, 2026-02-08T10:00:00+01:00, or YYYY-MM-DD for its end")
    }
  }
}
