package import HealthModel

/// Which dates entries touch, and which batches bear on a date (R49).
package enum TouchedDates {
  /// The longest sample that counts, in seconds. A day and the night before it need the entries that
  /// begin up to two UTC dates before it, if none is longer.
  package static let longestSample = 28 * 3600

  /// How far after its receipt an entry may begin, in seconds: clocks are not exact.
  package static let tolerance = 15 * 60

  /// The first moment of which days are derived: 2000-01-01T00:00:00Z.
  package static let firstMoment = Timestamp(secondsSince1970: 946_684_800)

  /// The UTC dates under which entries that can bear on a local date are filed.
  package static func filed(for date: CalendarDate) -> ClosedRange<CalendarDate> {
    (date.adding(days: -2) ?? date)...(date.adding(days: 1) ?? date)
  }

  /// The local dates that entries touch which lie between two moments: those that they overlap, and
  /// the next one after an evening, whose night begins at 18:00.
  ///
  /// Moments that are not derived, before 2000 or after the receipt, touch nothing.
  /// - Throws: `ReportingDay.Failure` if the zone does not exist.
  package static func dates(
    from start: Timestamp, to end: Timestamp, receivedAt: Timestamp,
    at date: (Timestamp) throws(ReportingDay.Failure) -> CalendarDate
  ) throws(ReportingDay.Failure) -> Set<CalendarDate> {
    let last = min(end, receivedAt.adding(seconds: tolerance + longestSample))
    let first = max(start, firstMoment)
    guard first <= last else { return [] }
    var dates: Set<CalendarDate> = []
    var next: CalendarDate? = try date(first)
    // Eight hours after 18:00 it is the next date, also where a clock is set back that night. A date
    // too many costs a recompute that finds nothing.
    let end = try date(last.adding(seconds: 8 * 3600))
    while let day = next, day <= end, dates.count < maximumDates {
      dates.insert(day)
      next = day.adding(days: 1)
    }
    return dates
  }

  /// The most dates that one span touches: a sample that counts touches three.
  private static let maximumDates = 4000
}
