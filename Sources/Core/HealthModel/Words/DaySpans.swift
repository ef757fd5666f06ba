/// The moments of a day, and of the night that ends on it; seconds since 1970.
package struct DaySpans: Hashable, Sendable {
  package let day: Range<Int>
  package let night: Range<Int>

  package init(_ day: ReportingDay) {
    let (start, end) = (day.start.timestamp.secondsSince1970, day.end.timestamp.secondsSince1970)
    self.day = start..<max(start, end)
    // A zone that this machine does not know has an evening as well.
    night =
      (try? DayWindow(day.date, in: day.timeZoneName))?.night
      ?? (start - 6 * 3600)..<max(start, end - 6 * 3600)
  }

  /// Those of a date in another zone; nil where this machine does not know it.
  package init?(_ date: CalendarDate, in zone: String) {
    guard let day = try? ReportingDay(date: date, timeZoneName: zone) else { return nil }
    self.init(day)
  }

  package func span(of group: WordGroup) -> Range<Int> { group.isOfNight ? night : day }
}
