import HealthModel

/// Rows of one metric that are not whole days, put to the days that they belong to.
struct RowsByDay {
  let metric: CountedMetric
  private let sources: [SourcePriority]
  /// Of days that more rows can bear on.
  private var open: [CalendarDate: [QuantitySample]] = [:]
  /// The metric's number of each day, made as that of an export is.
  private(set) var numbers: [CalendarDate: Double] = [:]
  /// The starts of hours after midnight that may have been taken for whole days, and those of them that
  /// also have a row here.
  private let hours: Set<Int>
  private var known: Set<Int> = []
  /// The greatest row of each date, if there are such hours.
  private var greatest: [CalendarDate: Double] = [:]
  /// Whether sources overlapped anywhere in a sum.
  private(set) var hasOverlap = false

  init(of metric: DailyMetric, from sources: [SourcePriority], beside days: WholeDays) {
    (self.metric, self.sources) = (CountedMetric(metric), sources)
    hours = Set(days.dates.values.compactMap(\.hour))
  }

  /// Takes rows in any order: all that begin in a stretch of time after those before. The same row
  /// twice is one row, unless both are entries.
  mutating func add(
    _ rows: [QuantityRow], calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) {
    guard let first = rows.lazy.map(\.start).min() else { return }
    // A row of a moment stands for its minute, which may begin before it.
    try close(before: first - 60, calendar: &calendar)
    for row in QuantityRow.distinct(rows, areEntries: metric.aggregation == .entries) {
      let sample = QuantitySample(
        start: row.start, end: row.end ?? row.start, quantity: row.quantity, source: row.source)
      for date in try dates(of: sample, &calendar) {
        open[date, default: []].append(sample)
        if !hours.isEmpty { greatest[date] = max(greatest[date] ?? 0, sample.quantity) }
      }
      if hours.contains(row.start) { known.insert(row.start) }
    }
  }

  /// The number of a date that also has a row of the whole day; nil if that row counts, because
  /// HealthKit has merged it.
  ///
  /// A row at midnight that is alone in its payload may be an hour, and the other hours may come in
  /// payloads of their own. It is taken for one if the others come to more. It is added if they have no
  /// row of its time and one of them is at least as great: a greater row may be the day so far.
  func number(on date: CalendarDate, beside whole: WholeDays.Sum) -> Double? {
    guard let hour = whole.hour, let number = numbers[date] else { return nil }
    switch metric.aggregation {
    case .sum, .hours, .entries, .duration:
      guard whole.quantity < number else { return nil }
      let isMissing = !known.contains(hour) && whole.quantity <= greatest[date] ?? 0
      return isMissing ? number + whole.quantity : number
    case .least: return min(number, whole.quantity)
    case .greatest: return max(number, whole.quantity)
    default: return number
    }
  }

  /// Counts the days that end by a moment: no more rows bear on them.
  mutating func close(
    before moment: Int = .max, calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) {
    for (date, samples) in open where try calendar.day(date).range.upperBound <= moment {
      let (number, overlaps) = try number(of: samples, on: date, &calendar)
      numbers[date] = number
      hasOverlap = hasOverlap || overlaps
      open[date] = nil
    }
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
      let window = try calendar.window(of: date)
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
    let number = number(of: SourcePriority(name))
    byName[name] = number
    return number
  }

  /// The numbers that others have here, by those that they have there.
  mutating func numbers(of others: RowSources) -> [Int] { others.list.map { number(of: $0) } }

  private mutating func number(of priority: SourcePriority) -> Int {
    let number = byPriority[priority] ?? list.count
    if number == list.count { list.append(priority) }
    byPriority[priority] = number
    return number
  }
}
