internal import HealthModel

/// One row of a quantity, in our metric's unit.
struct QuantityRow {
  /// Seconds since 1970.
  let start: Int
  /// Seconds since 1970; nil where the row tells only when it begins.
  let end: Int?
  /// The date as written, in the phone's own offset.
  let writtenDate: CalendarDate
  /// True where the time as written is 00:00:00, or where there is none.
  let isMidnight: Bool
  /// 0 or more.
  let quantity: Double
  let source: SourcePriority

  /// The second that decides the day of an average: the middle.
  var middle: Int { start + ((end ?? start) - start) / 2 }

  /// Equal rows of one source are one row captured twice.
  static func isSame(_ a: QuantityRow, _ b: QuantityRow) -> Bool {
    a.sortKey == b.sortKey && a.source == b.source
  }

  var sortKey: (Int, Int, Double) { (start, end ?? -1, quantity) }

  /// Sorted by source and time, each row once: sums over it don't depend on the payload's order.
  static func distinct(_ rows: [QuantityRow]) -> [QuantityRow] {
    var distinct: [QuantityRow] = []
    let sorted = rows.sorted { a, b in
      a.source == b.source ? a.sortKey < b.sortKey : a.source < b.source
    }
    for row in sorted {
      if let last = distinct.last, isSame(last, row) { continue }
      distinct.append(row)
    }
    return distinct
  }
}

/// Where a row stands in a payload; spelt out only for an error.
struct RowPlace {
  let series: Int
  let row: Int

  func pointer(_ member: String = "") -> String {
    "/data/metrics/\(series)/data/\(row)" + (member.isEmpty ? "" : "/\(member)")
  }
}
