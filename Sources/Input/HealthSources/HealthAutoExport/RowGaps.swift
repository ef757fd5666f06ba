import HealthModel

/// The rows of one metric that can't be used: they are wrong, or in a unit that nobody can convert. What the other
/// rows of such a day say is a part of it, and a part gives no number (R18).
struct RowGaps {
  /// By date and payload: the start of the first such row.
  private var starts: [CalendarDate: [Int: Int]] = [:]
  /// Payloads with such a row whose date can't be read: each day of theirs may lack it.
  private var undated: Set<Int> = []

  var isEmpty: Bool { starts.isEmpty && undated.isEmpty }

  /// The dates of such rows.
  var dates: Set<CalendarDate> { Set(starts.keys) }

  mutating func add(on date: CalendarDate, at start: Int, in capture: Int) {
    starts[date, default: [:]][capture] = min(starts[date]?[capture] ?? start, start)
  }

  mutating func addUndated(in capture: Int) { undated.insert(capture) }

  /// Takes those that a payload read alone has on a date.
  mutating func take(_ later: RowGaps, on date: CalendarDate, capture: Int) {
    if !later.undated.isEmpty { undated.insert(capture) }
    if let start = later.starts[date]?.values.min() { starts[date, default: [:]][capture] = start }
  }

  /// Whether a payload's own row of the whole date is one of several, another of which can't be used.
  func cut(_ whole: WholeDays.Sum, on date: CalendarDate) -> Bool {
    starts[date]?[whole.capture] != nil
  }

  /// Whether the rows of a date are a part of it: no later payload that has all its rows goes back as far.
  ///
  /// - Parameter first: by payload, the start of the first of its rows that bear on the date.
  func arePart(_ first: [Int: Int], of date: CalendarDate) -> Bool {
    var gaps = starts[date] ?? [:]
    for capture in undated {
      guard let start = first[capture] else { continue }
      gaps[capture] = min(gaps[capture] ?? start, start)
    }
    return gaps.contains { capture, start in
      !first.contains { $0.key > capture && gaps[$0.key] == nil && $0.value <= start }
    }
  }
}

extension HealthAutoExport {
  /// Notes a row of the metric that is open that can't be used, by the dates of it that can be read.
  mutating func noteGap(_ metric: ExportedMetric) {
    guard metric.kind != .sleepAnalysis else {
      for moment in reader.rowDates.compactMap(\.moment) {
        if let night = try? reader.calendar.night(at: moment) { sleep.addBroken(night.date) }
      }
      return
    }
    if reader.rowDates.isEmpty { gaps[metric, default: RowGaps()].addUndated(in: payloads) }
    for date in reader.rowDates {
      guard let written = try? reader.calendar.day(date.date) else { continue }
      let start = date.moment ?? written.start
      // A midnight belongs to the date as written, like a row that begins at it.
      guard date.secondsOfDay > 0, let own = try? reader.calendar.day(at: start) else {
        gaps[metric, default: RowGaps()].add(on: date.date, at: start, in: payloads)
        continue
      }
      gaps[metric, default: RowGaps()].add(on: own.date, at: start, in: payloads)
    }
  }

  /// What is said of a day of which only a part of the rows can be used.
  static func partReason(_ metric: ExportedMetric) -> String {
    "\(metric.name): a row can't be used, so the others are a part of the day and give no number"
  }
}
