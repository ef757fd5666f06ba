import HealthModel

/// One row of a quantity, in our metric's unit.
struct QuantityRow {
  /// Seconds since 1970.
  let start: Int
  /// 0 or more.
  var quantity: Double
  /// The other number of a pair, such as diastolic pressure; 0 where there is none.
  var second = 0.0
  /// Seconds from its start to its end; -1 where the row says only when it begins.
  private var length: Int32 = -1
  private let writtenDay: Int32
  private let sourceNumber: Int32
  private let captureNumber: Int32
  /// True where the time as written is 00:00:00, or where there is none.
  let isMidnight: Bool

  /// - Parameters:
  ///   - written: the date as written.
  ///   - quantity: 0 or more.
  ///   - source: which of the reader's sources.
  ///   - capture: which of several payloads the row stands in.
  init(
    start: Int, end: Int?, written: ExportedDate, quantity: Double, source: Int, capture: Int
  ) {
    (self.start, self.quantity) = (start, quantity)
    isMidnight = written.secondsOfDay == 0
    writtenDay = Int32(written.date.daysSince1970)
    (sourceNumber, captureNumber) = (Int32(clamping: source), Int32(clamping: capture))
    self.end = end
  }

  /// A row of which nobody asks how its date was written.
  init(start: Int, end: Int?, quantity: Double, source: Int, capture: Int) {
    (self.start, self.quantity, isMidnight, writtenDay) = (start, quantity, false, 0)
    (sourceNumber, captureNumber) = (Int32(clamping: source), Int32(clamping: capture))
    self.end = end
  }

  /// Seconds since 1970; nil where the row says only when it begins. Rows last a month at most.
  var end: Int? {
    get { length < 0 ? nil : start + Int(length) }
    set { length = newValue.map { Int32(clamping: $0 - start) } ?? -1 }
  }

  /// The date as written, in the phone's own offset.
  var writtenDate: CalendarDate? { CalendarDate(daysSince1970: Int(writtenDay)) }
  /// Which of the reader's sources.
  var source: Int { Int(sourceNumber) }
  /// Which of several payloads the row stands in, in the order in which they were captured.
  var capture: Int { Int(captureNumber) }

  /// The second that decides the day of an average: the middle.
  var middle: Int { start + ((end ?? start) - start) / 2 }

  private var extent: (Int, Int32) { (start, length) }

  private func hasExtent(of other: QuantityRow) -> Bool {
    extent == other.extent && source == other.source
  }

  private func hasNumbers(of other: QuantityRow) -> Bool {
    quantity == other.quantity && second == other.second
  }

  /// Sorted by source and time, each row once: sums over it don't depend on the rows' order.
  ///
  /// Equal rows of one source are one row captured twice. A row of a later payload replaces those
  /// of earlier ones for the same time: the app had an hour's sum before that hour was over.
  ///
  /// - Parameter areEntries: whether each row is something that a person entered. Then the rows that a
  ///   payload has of one time are as many entries, such as two glasses of water in a minute; in
  ///   several payloads they are the same again: of each as many as the payload has that has most.
  static func distinct(_ rows: [QuantityRow], areEntries: Bool) -> [QuantityRow] {
    var distinct: [QuantityRow] = []
    let sorted = rows.sorted { a, b in
      guard a.source == b.source else { return a.source < b.source }
      guard a.extent == b.extent else { return a.extent < b.extent }
      return (-a.capture, a.quantity, a.second) < (-b.capture, b.quantity, b.second)
    }
    var first = 0
    while first < sorted.count {
      var end = first + 1
      while end < sorted.count, sorted[end].hasExtent(of: sorted[first]) { end += 1 }
      if end == first + 1 {
        distinct.append(sorted[first])
      } else {
        append(sorted[first..<end], areEntries, to: &distinct)
      }
      first = end
    }
    return distinct
  }

  /// Appends those that count, of rows of one source and time that are sorted.
  private static func append(
    _ rows: ArraySlice<QuantityRow>, _ areEntries: Bool, to distinct: inout [QuantityRow]
  ) {
    var runs: [(row: QuantityRow, count: Int)] = []
    for row in rows {
      if let last = runs.last?.row, last.capture == row.capture, last.hasNumbers(of: row) {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((row, 1))
      }
    }
    let captures = Set(runs.map(\.row.capture))
    // An app that adds up hours has one row for each, and a later one replaces it.
    guard areEntries, captures.count < rows.count else {
      distinct += runs.lazy.map(\.row).prefix { $0.capture == runs[0].row.capture }
      return
    }
    var most: [(row: QuantityRow, count: Int)] = []
    for run in runs {
      if let known = most.firstIndex(where: { $0.row.hasNumbers(of: run.row) }) {
        most[known].count = max(most[known].count, run.count)
      } else {
        most.append(run)
      }
    }
    for (row, count) in most { distinct += repeatElement(row, count: count) }
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
