internal import HealthModel

/// One row of a quantity, in our metric's unit.
struct QuantityRow {
  /// Seconds since 1970.
  let start: Int
  /// Seconds since 1970; nil where the row says only when it begins.
  var end: Int?
  /// The date as written, in the phone's own offset.
  let writtenDate: CalendarDate
  /// True where the time as written is 00:00:00, or where there is none.
  let isMidnight: Bool
  /// 0 or more.
  var quantity: Double
  /// The other number of a pair, such as diastolic pressure; 0 where there is none.
  var second = 0.0
  let source: SourcePriority
  /// Which of several payloads the row stands in, in the order in which they were captured.
  var capture = 0

  /// The second that decides the day of an average: the middle.
  var middle: Int { start + ((end ?? start) - start) / 2 }

  private var extent: (Int, Int) { (start, end ?? -1) }

  private func hasExtent(of other: QuantityRow) -> Bool {
    extent == other.extent && source == other.source
  }

  /// Sorted by source and time, each row once: sums over it don't depend on the rows' order.
  ///
  /// Equal rows of one source are one row captured twice. A row of a later payload replaces those
  /// of earlier ones for the same time: the app had an hour's sum before that hour was over.
  static func distinct(_ rows: [QuantityRow]) -> [QuantityRow] {
    var distinct: [QuantityRow] = []
    let sorted = rows.sorted { a, b in
      guard a.source == b.source else { return a.source < b.source }
      guard a.extent == b.extent else { return a.extent < b.extent }
      return (-a.capture, a.quantity, a.second) < (-b.capture, b.quantity, b.second)
    }
    for row in sorted {
      if let last = distinct.last, last.hasExtent(of: row) {
        if last.capture > row.capture { continue }
        if last.quantity == row.quantity, last.second == row.second { continue }
      }
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
