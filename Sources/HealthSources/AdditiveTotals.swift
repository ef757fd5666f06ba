internal import HealthModel

/// Sums samples by day so that what several devices saw at once counts once (R3).
///
/// Where samples overlap in time the best source counts, and of the others the part of their time
/// that no better source covers, in proportion. A sample that tells only when it begins stands for
/// its minute.
enum AdditiveTotals {
  /// The total of each day that has a sample, and whether sources overlapped anywhere.
  static func totals(
    _ rows: [QuantityRow], calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> (totals: [CalendarDate: Double], hasOverlap: Bool) {
    let rows = QuantityRow.distinct(rows)
    var totals: [CalendarDate: Double] = [:]
    var covered = IntervalSet()
    var hasOverlap = false
    for source in order(rows) {
      for row in source {
        let extent = extent(of: row)
        let parts = covered.gaps(in: extent)
        let seen = parts.reduce(0) { $0 + $1.count }
        hasOverlap = hasOverlap || seen < extent.count
        for part in parts {
          for piece in try calendar.split(part) {
            let share = Double(piece.range.count) / Double(extent.count)
            totals[piece.date, default: 0] += row.quantity * share
          }
        }
      }
      // A zero is no proof that the device was worn: it must not hide what another one counted.
      covered = covered.union(
        IntervalSet(source.lazy.filter { $0.quantity > 0 }.map { extent(of: $0) }))
    }
    return (totals, hasOverlap)
  }

  private static func extent(of row: QuantityRow) -> Range<Int> {
    if let end = row.end, end > row.start { return row.start..<end }
    let minute = row.start.dividedDown(by: 60) * 60
    return minute..<minute + 60
  }

  /// The rows of each source, best source first; of equal kinds the one that counted more.
  private static func order(_ rows: [QuantityRow]) -> [[QuantityRow]] {
    let sources = Dictionary(grouping: rows, by: \.source).map { source, rows in
      (source: source, rows: rows, total: rows.reduce(0) { $0 + $1.quantity })
    }
    return sources.sorted { a, b in
      (a.source.rank, -a.total, a.source.name) < (b.source.rank, -b.total, b.source.name)
    }.map(\.rows)
  }
}
