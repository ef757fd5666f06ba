import HealthModel

/// When payloads were written that speak of each date (R19). Pure.
///
/// A payload does not say when it was made: it was before its file was written.
struct WriteTimes {
  /// Of the last payload that has a row of the date; nil where nobody knows.
  private var moments: [CalendarDate: Timestamp?] = [:]
  private var dates: Set<CalendarDate> = []
  /// Rows mostly follow one another.
  private var last: CalendarDate?
  private var newest = Int.min

  /// When the last payload that has a row of a date was written; nil if nobody knows.
  func moment(of date: CalendarDate) -> Timestamp? { moments[date] ?? nil }

  /// Notes a date of a row of the payload that is being read.
  mutating func note(_ date: ExportedDate) {
    newest = max(newest, date.moment ?? .min)
    guard date.date != last else { return }
    last = date.date
    dates.insert(date.date)
  }

  /// Ends a payload.
  ///
  /// - Parameter moment: when its file was written; nil if nobody knows.
  mutating func end(at moment: Timestamp?) {
    // A file that is older than its rows lost its time where it was copied.
    let written = moment.flatMap { $0.secondsSince1970 < newest ? nil : $0 }
    for date in dates {
      switch (moments[date], written) {
      case (nil, _), (_, nil): moments[date] = .some(written)
      case (let known?, let written?): moments[date] = known.map { max($0, written) }
      }
    }
    (dates, last, newest) = ([], nil, .min)
  }
}
