import HealthModel

/// The rows of one metric that can't be used: they are wrong, or in a unit that nobody can convert. What the other
/// rows of such a day say is a part of it, and a part gives no number (R18).
struct RowGaps {
  /// By date and payload: the start of the first such row.
  private var starts: [CalendarDate: [Int: Int]] = [:]
  /// By payload: the dates of which such rows may be whose own date can't be read.
  private var undated: [Int: [DateBounds]] = [:]

  var isEmpty: Bool { starts.isEmpty && undated.isEmpty }

  /// The dates of such rows.
  var dates: Set<CalendarDate> { Set(starts.keys) }

  mutating func add(on date: CalendarDate, at start: Int, in capture: Int) {
    starts[date, default: [:]][capture] = min(starts[date]?[capture] ?? start, start)
  }

  mutating func addUndated(in capture: Int, within bounds: DateBounds) {
    undated[capture, default: []].append(bounds)
  }

  /// Takes those that a payload read alone has on a date.
  mutating func take(_ later: RowGaps, on date: CalendarDate, capture: Int) {
    if later.undated.values.joined().contains(where: { $0.contains(date) }) {
      addUndated(in: capture, within: DateBounds(from: date, to: date))
    }
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
    for (capture, bounds) in undated where bounds.contains(where: { $0.contains(date) }) {
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
  ///
  /// - Parameter isSummary: whether it is one of a whole night.
  mutating func noteGap(_ metric: ExportedMetric, isSummary: Bool = false) {
    for date in reader.rowDates {
      guard let written = try? reader.calendar.day(date.date) else { continue }
      let start = date.moment ?? written.start
      guard metric.kind == .sleepAnalysis else {
        // A midnight belongs to the date as written, like a row that begins at it.
        let own = date.secondsOfDay > 0 ? try? reader.calendar.day(at: start).date : nil
        gaps[metric, default: RowGaps()].add(on: own ?? date.date, at: start, in: payloads)
        continue
      }
      let night = night(of: date) ?? date.date
      sleep.gaps.add(on: night, at: start, in: payloads)
      if isSummary { sleep.cutSummaries(of: night, in: payloads) }
    }
  }

  /// Notes the rows of a metric that has ended whose date can't be read, by the dates that they may be of.
  mutating func noteUndated(_ closed: OpenSeries) {
    let metric = closed.series.metric
    for (before, after) in closed.order.gaps {
      guard metric.kind == .sleepAnalysis else {
        let bounds = DateBounds(
          from: before.map { dates(of: $0).lowerBound }, to: after.map { dates(of: $0).upperBound })
        gaps[metric, default: RowGaps()].addUndated(in: payloads, within: bounds)
        continue
      }
      let bounds = DateBounds(
        from: before.flatMap { night(of: $0) }, to: after.flatMap { night(of: $0) })
      sleep.gaps.addUndated(in: payloads, within: bounds)
    }
  }

  /// The date of a row as written and that of its moment, which may differ.
  private mutating func dates(of start: ExportedDate) -> ClosedRange<CalendarDate> {
    let own = start.moment.flatMap { try? reader.calendar.day(at: $0).date } ?? start.date
    return min(own, start.date)...max(own, start.date)
  }

  private mutating func night(of start: ExportedDate) -> CalendarDate? {
    guard let moment = start.moment else { return start.date }
    return try? reader.calendar.night(at: moment).date
  }

  /// What is said of a day of which only a part of the rows can be used.
  static func partReason(_ metric: ExportedMetric) -> String {
    "\(metric.name): a row can't be used, so the others are a part of the day and give no number"
  }
}

/// Dates between two others, both included; nil where one is not bounded.
struct DateBounds {
  let from: CalendarDate?
  let to: CalendarDate?

  func contains(_ date: CalendarDate) -> Bool {
    (from.map { $0 <= date } ?? true) && (to.map { date <= $0 } ?? true)
  }
}

/// The order of the rows of one metric in a payload. A row whose date can't be read is of the dates between the
/// rows around it, where all are in the order of time, as the app writes them; else of any (R18).
struct RowOrder {
  private var last: ExportedDate?
  private var (least, greatest): (ExportedDate?, ExportedDate?)
  private var (ascends, descends) = (true, true)
  /// The rows around each row whose date can't be read.
  private var undated: [(before: ExportedDate?, after: ExportedDate?)] = []
  /// How many of them have no row after them yet.
  private var waiting = 0

  /// A row that begins then.
  mutating func add(_ start: ExportedDate) {
    let moment = Self.moment(start)
    if let last = last.map(Self.moment) {
      if moment < last { ascends = false }
      if moment > last { descends = false }
    }
    for place in undated.indices.suffix(waiting) { undated[place].after = start }
    (waiting, last) = (0, start)
    if least.map({ moment < Self.moment($0) }) ?? true { least = start }
    if greatest.map({ moment > Self.moment($0) }) ?? true { greatest = start }
  }

  /// A row whose date can't be read.
  mutating func addUndated() {
    undated.append((last, nil))
    waiting += 1
  }

  /// For each row whose date can't be read, the earlier and the later row that it lies between; nil where it may
  /// be of any date before, or after.
  var gaps: [(before: ExportedDate?, after: ExportedDate?)] {
    undated.map { before, after in
      if ascends { return (before, after) }
      return descends ? (after, before) : (least, greatest)
    }
  }

  /// A date alone is in order with others of its day, whatever the zone.
  private static func moment(_ date: ExportedDate) -> Int {
    date.moment ?? date.date.daysSince1970 * 86_400
  }
}
