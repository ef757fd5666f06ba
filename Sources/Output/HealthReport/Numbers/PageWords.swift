import HealthModel

/// Words and dates of the page, in English.
enum PageWords {
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  /// 0 for Monday to 6 for Sunday.
  static func weekday(_ date: CalendarDate) -> Int {
    // 1970-01-01 was a Thursday.
    ((date.daysSince1970 + 3) % 7 + 7) % 7
  }

  /// `Sunday 8 February 2026`.
  static func long(_ date: CalendarDate) -> String { "\(near(date)) \(date.year)" }

  /// `Sunday 8 February`, for places that show the year already.
  static func near(_ date: CalendarDate) -> String {
    "\(weekdays[weekday(date)]) \(date.day) \(months[date.month - 1])"
  }

  /// `Feb`.
  static func shortMonth(_ date: CalendarDate) -> String {
    String(months[date.month - 1].prefix(3))
  }

  /// `1 day`, `2 days`, with commas between thousands.
  static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  static func grouped(_ number: Int) -> String { Double(number).grouped }

  /// The two greatest units of an age: `2 days 4 hours`.
  static func age(_ seconds: Int) -> String {
    let minutes = seconds / 60
    if minutes < 1 { return "less than a minute" }
    if minutes < 60 { return count(minutes, "minute") }
    let hours = minutes / 60
    if hours < 24 {
      return count(hours, "hour") + (minutes % 60 > 0 ? " " + count(minutes % 60, "minute") : "")
    }
    let days = hours / 24
    return count(days, "day") + (days < 14 && hours % 24 > 0 ? " " + count(hours % 24, "hour") : "")
  }

  /// `2026-02-09 06:00 UTC`.
  static func moment(_ moment: Timestamp) -> String {
    let text = moment.description
    return text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"
  }

  /// Whole per cent of a count, never 100 for less than all nor 0 for more than nothing.
  static func percent(_ part: Int, of whole: Int) -> String {
    guard whole > 0, part > 0 else { return "0 %" }
    if part >= whole { return "100 %" }
    return "\(min(99, max(1, part * 100 / whole))) %"
  }

  /// `2026-02-05`, or `2026-02-05 to 2026-02-09, 5 days`.
  static func run(_ run: DateRuns.Run) -> String {
    run.count == 1
      ? "\(run.first)" : "\(run.first) to \(run.last), \(count(run.count, "day"))"
  }

  /// Days of a month in runs: `2, 5 to 9`.
  static func runs(_ days: [Int]) -> String {
    var runs: [(Int, Int)] = []
    for day in days {
      if let last = runs.last, last.1 + 1 == day {
        runs[runs.count - 1].1 = day
      } else {
        runs.append((day, day))
      }
    }
    return runs.map { $0.0 == $0.1 ? "\($0.0)" : "\($0.0) to \($0.1)" }.joined(separator: ", ")
  }
}

extension String {
  /// With a capital first letter.
  var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
