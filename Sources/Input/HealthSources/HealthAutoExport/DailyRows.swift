import HealthModel

/// Series whose rows are whole days: HealthKit has merged and summed them already.
enum DailyRows {
  /// What a series holds.
  enum Shape: Equatable {
    case samples
    /// Whether two of them follow each other, so that the export is by day.
    case days(areNeighbours: Bool)
    /// Rows weeks apart, or on the first of months: they give no number for a day.
    case weeksOrMonths
  }

  /// The shape of a series whose rows all begin at a midnight, as written or of the reporting zone.
  ///
  /// - Parameter areSums: whether a week's row would make a day's number several times too large. Then
  ///   a week without a row changes nothing.
  static func shape(_ dates: Set<CalendarDate>, areSums: Bool) -> Shape {
    let sorted = dates.sorted()
    let gaps = zip(sorted, sorted.dropFirst()).map { $0.days(until: $1) }
    let areWeeks = gaps.count >= 2 && gaps.allSatisfy { areSums ? $0 % 7 == 0 : $0 == 7 }
    let areMonths = !gaps.isEmpty && sorted.allSatisfy { $0.day == 1 }
    return areWeeks || areMonths ? .weeksOrMonths : .days(areNeighbours: gaps.contains(1))
  }

  /// The day of a daily row: the date as written, because the phone summed its own day, whatever zone
  /// it was in; nil where the row begins at no midnight.
  static func date(
    of row: QuantityRow, calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> CalendarDate? {
    if row.isMidnight { return row.writtenDate }
    let day = try calendar.day(at: row.start)
    return day.start == row.start ? day.date : nil
  }
}

/// How long the rows of a payload are, as the app says.
package enum RowLength: Hashable, Sendable {
  /// Whole days. Rows that are 7 days apart are then not weeks.
  case day
  /// Hours or less. A row at midnight is then not a whole day.
  case lessThanDay
}
