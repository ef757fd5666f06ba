import HealthModel

/// Series whose rows are whole days: HealthKit has merged and summed them already.
enum DailyRows {
  /// What a series holds.
  enum Shape: Equatable {
    case samples
    /// Whether two of them follow each other, so that the export is by day.
    case days(areNeighbours: Bool)
    /// Rows 7 days apart, or on the first of months: no day's number can be had from them.
    case weeksOrMonths
  }

  /// A series is daily where every row begins at a midnight, as written or of the reporting zone.
  static func shape(
    _ rows: some Sequence<QuantityRow>, calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> Shape {
    var dates: Set<CalendarDate> = []
    for row in rows {
      guard row.end == nil, let date = try date(of: row, calendar: &calendar) else {
        return .samples
      }
      dates.insert(date)
    }
    let sorted = dates.sorted()
    let gaps = zip(sorted, sorted.dropFirst()).map { $0.days(until: $1) }
    let areWeeks = gaps.count >= 2 && gaps.allSatisfy { $0 == 7 }
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

  /// One row for each day: of several that of the best source, of one source the last.
  ///
  /// Where people enter a value, several rows of a day are not sums but entries at midnight: those of
  /// the newest payload are added.
  static func best(
    _ rows: [QuantityRow], of metric: DailyMetric, from sources: [SourcePriority],
    calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> [CalendarDate: QuantityRow] {
    var best: [CalendarDate: QuantityRow] = [:]
    for row in rows {
      guard let date = try date(of: row, calendar: &calendar) else { continue }
      guard let known = best[date] else {
        best[date] = row
        continue
      }
      if metric.aggregation == .entries {
        if known.capture > row.capture { continue }
        best[date] = row
        if known.capture == row.capture { best[date]?.quantity += known.quantity }
      } else if sources[known.source] >= sources[row.source] {
        best[date] = row
      }
    }
    return best
  }
}
