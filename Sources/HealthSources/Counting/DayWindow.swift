internal import HealthModel

/// One day and the night that ends on it.
struct DayWindow {
  let day: ReportingDay
  /// The moments that count for it; where the zone changes, not just the day's.
  let range: Range<Int>
  /// From 18:00 to 18:00 by the clock on the wall; seconds since 1970.
  let night: Range<Int>
}

extension DayWindow {
  /// What a person should know of a day that counts other moments than its own.
  var notes: [String] {
    let start = day.start.timestamp.secondsSince1970
    guard range.lowerBound != start else { return [] }
    let minutes = abs(range.lowerBound - start) / 60
    return [
      range.lowerBound < start
        ? "the first day in \(day.timeZoneName): the \(minutes) minutes since the day before count, too"
        : "the first day in \(day.timeZoneName): its first \(minutes) minutes count for the day before"
    ]
  }
}
