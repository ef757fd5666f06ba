import HealthModel

/// Rows of one metric that are not whole days, put to the days that they belong to.
struct RowsByDay {
  /// In the order of their starts.
  private let rows: [QuantityRow]
  private let metric: CountedMetric
  private let sources: [SourcePriority]

  /// So many seconds of rows are made into samples at a time: years of them would not fit.
  private static let stretch = 32 * 86_400

  /// Takes rows in any order; the same row twice is one row, unless both are entries.
  init(_ rows: [QuantityRow], of metric: DailyMetric, from sources: [SourcePriority]) {
    let areInOrder = zip(rows, rows.dropFirst()).allSatisfy { $0.start <= $1.start }
    self.rows = areInOrder ? rows : rows.sorted { $0.start < $1.start }
    (self.metric, self.sources) = (CountedMetric(metric), sources)
  }

  /// The metric's number of each day, made as that of an export is; and whether sources overlapped
  /// anywhere in a sum.
  func numbers(
    calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> (numbers: [CalendarDate: Double], hasOverlap: Bool) {
    var numbers: [CalendarDate: Double] = [:]
    var hasOverlap = false
    var open: [CalendarDate: [QuantitySample]] = [:]
    var first = 0
    while first < rows.count {
      let bound = rows[first].start + Self.stretch
      let end = rows[first...].firstIndex { $0.start >= bound } ?? rows.count
      let areEntries = metric.aggregation == .entries
      for row in QuantityRow.distinct(rows[first..<end], areEntries: areEntries) {
        let sample = QuantitySample(
          start: row.start, end: row.end ?? row.start, quantity: row.quantity, source: row.source)
        for date in try dates(of: sample, &calendar) { open[date, default: []].append(sample) }
      }
      first = end
      // A row of a moment stands for its minute, which may begin before it.
      let next = first < rows.count ? rows[first].start - 60 : .max
      for (date, samples) in open where try calendar.day(date).range.upperBound <= next {
        let (number, overlaps) = try number(of: samples, on: date, &calendar)
        numbers[date] = number
        hasOverlap = hasOverlap || overlaps
        open[date] = nil
      }
    }
    return (numbers, hasOverlap)
  }

  /// The dates that a sample bears on.
  private func dates(
    of sample: QuantitySample, _ calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> [CalendarDate] {
    switch metric.aggregation {
    case .sum: return try calendar.split(sample.extent).map(\.date)
    case .duration: return try calendar.split(sample.start..<sample.end).map(\.date)
    case .hours: return [try calendar.day(at: sample.start).date]
    default: return [try calendar.day(at: sample.middle).date]
    }
  }

  private func number(
    of samples: [QuantitySample], on date: CalendarDate, _ calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> (number: Double?, hasOverlap: Bool) {
    let day = try calendar.day(date)
    switch metric.aggregation {
    case .sum:
      let shares = AdditiveTotals.shares(of: samples, in: day.range, order: sources)
      return (shares.total, shares.haveOverlap)
    case .hours:
      return (try StandHours.found(samples, in: calendar.zones.name(on: date)), false)
    default:
      let window = DayWindow(
        day: day.day, range: day.range, night: try calendar.night(endingOn: date))
      return (try metric.number(of: samples, in: window, order: sources), false)
    }
  }
}

/// The sources that rows name, each once: rows are many, and sources few.
struct RowSources {
  private(set) var list: [SourcePriority] = []
  private var byName: [String: Int] = [:]
  private var byPriority: [SourcePriority: Int] = [:]

  /// Which of the sources a name is. Names that were merged differently are one source.
  mutating func number(of name: String) -> Int {
    if let known = byName[name] { return known }
    let priority = SourcePriority(name)
    let number = byPriority[priority] ?? list.count
    if number == list.count { list.append(priority) }
    (byName[name], byPriority[priority]) = (number, number)
    return number
  }
}
