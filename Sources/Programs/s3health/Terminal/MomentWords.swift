import CommandLineKit
import HealthModel

extension Timestamp {
  /// How long ago it was: `3 minutes ago`.
  func ago(_ now: Timestamp) -> String {
    let seconds = now.secondsSince1970 - secondsSince1970
    let (count, unit) =
      switch seconds {
      case ..<0: (0, "")
      case ..<120: (seconds, "second")
      case ..<7200: (seconds / 60, "minute")
      case ..<172_800: (seconds / 3600, "hour")
      default: (seconds / 86_400, "day")
      }
    return unit.isEmpty
      ? "in the future" : "\(count.grouped) \(unit)\(count == 1 ? "" : "s") ago"
  }
}

extension CalendarDate {
  /// How many days before today it is: `yesterday`, `3 days ago`.
  func ago(_ today: CalendarDate) -> String {
    let days = days(until: today)
    switch days {
    case 0: return "today"
    case 1: return "yesterday"
    case 2...: return "\(days.grouped) days ago"
    case -1: return "tomorrow"
    default: return "\((-days).grouped) days ahead"
    }
  }
}
