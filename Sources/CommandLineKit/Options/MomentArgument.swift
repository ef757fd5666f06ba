import ArgumentParser
import HealthLedger
package import HealthModel

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
