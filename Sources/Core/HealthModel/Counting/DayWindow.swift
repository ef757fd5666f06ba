/// One day and the night that ends on it.
package struct DayWindow {
  package let day: ReportingDay
  /// The moments that count for it; where the zone changes, not just the day's.
  package let range: Range<Int>
  /// From 18:00 to 18:00 by the clock on the wall; seconds since 1970.
  package let night: Range<Int>

  package init(day: ReportingDay, range: Range<Int>, night: Range<Int>) {
    (self.day, self.range, self.night) = (day, range, night)
  }

  /// A date of somebody who stays in one zone.
  package init(_ date: CalendarDate, in timeZoneName: String) throws(ReportingDay.Failure) {
    let day = try ReportingDay(date: date, timeZoneName: timeZoneName)
    let (start, end) = (day.start.timestamp, day.end.timestamp)
    let evening = try Self.evening(of: day)
    var before: ReportingDay?
    var date = date.adding(days: -1)
    // A zone may have skipped the date before.
    while let earlier = date, before == nil {
      do {
        before = try ReportingDay(date: earlier, timeZoneName: timeZoneName)
      } catch {
        guard case .skippedDate = error else { throw error }
        date = earlier.adding(days: -1)
      }
    }
    let first = try before.map { day throws(ReportingDay.Failure) in try Self.evening(of: day) }
    self.init(
      day: day, range: start.secondsSince1970..<max(start, end).secondsSince1970,
      night: min(first ?? evening - 86_400, evening)..<evening)
  }

  /// 18:00 by the clock on the wall; the offset there may differ from that of either midnight.
  package static func evening(of day: ReportingDay) throws(ReportingDay.Failure) -> Int {
    let wall = day.date.daysSince1970 * 86_400 + 18 * 3600
    let guess = Timestamp(secondsSince1970: wall - day.end.offsetSeconds)
    let offset = try ReportingDay.offsetSeconds(at: guess, timeZoneName: day.timeZoneName)
    let (first, last) = (day.start.timestamp.secondsSince1970, day.end.timestamp.secondsSince1970)
    return min(max(wall - offset, first), max(first, last))
  }
}

extension DayWindow {
  /// What a person should know of a day that counts other moments than its own.
  package var notes: [String] {
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
