import HealthModel

/// For each date, when the payloads with rows of it were written (R19). Pure.
///
/// A payload does not say when it was made, but that was before its file was written.
struct WriteTimes {
  /// The newest of these times; nil if one of them is not known.
  private var moments: [CalendarDate: Timestamp?] = [:]
  private var dates: Set<CalendarDate> = []
  /// Rows mostly follow one another.
  private var last: CalendarDate?
  private var newest = Int.min

  /// When the newest payload with a row of the date was written; nil if that is not known. A row may lie on
  /// the date beside the one that is written in it.
  func moment(of date: CalendarDate) -> Timestamp? {
    let dates = [date, date.adding(days: -1), date.adding(days: 1)].compactMap(\.self)
    return dates.lazy.compactMap { moments[$0] }.first ?? nil
  }

  /// Records a date in a row of the payload that is being read.
  mutating func note(_ date: ExportedDate) {
    newest = max(newest, date.moment ?? .min)
    guard date.date != last else { return }
    last = date.date
    dates.insert(date.date)
  }

  /// Ends a payload.
  ///
  /// - Parameter moment: when its file was written; nil if that is not known.
  mutating func end(at moment: Timestamp?) {
    // If the file seems to be older than its rows, its time was lost when it was copied.
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
