import HealthModel

/// Keeps the rows of one metric, in the unit in which its kind is counted.
extension HealthAutoExport {
  /// A metric whose rows are being read.
  struct OpenSeries {
    let series: Series
    let scale: RowScale
    /// The rows, as long as each of them is a whole day.
    var daily: [DailyRow] = []
    /// The dates of these, and of all rows whose unit is unknown.
    var dates: Set<CalendarDate> = []
    /// Whether a row is not a whole day.
    var areSamples = false
    /// Whether a row lies outside of the calendar.
    var isOutside = false
    /// How many rows were read, how many of them hold a number, and how many of these in a unit that nobody
    /// can convert.
    var count = 0
    var numbers = 0
    var unusable = 0
    /// In what order they are.
    var order = RowOrder()
    /// The problems before, where those of its own make no payload invalid.
    var strict: ProblemList?
  }

  /// Begins a metric.
  mutating func open(_ series: Series) {
    var open = OpenSeries(series: series, scale: RowScale(series.metric.kind, series.units))
    open.areSamples = rowLength == .lessThanDay
    if series.metric.kind != .sleepAnalysis, series.metric.required.isEmpty {
      open.strict = reader.problems
      reader.problems = ProblemList()
    }
    self.open = open
  }

  /// Reads the next row of the metric that is open.
  mutating func addRow(_ row: JSONValue) {
    guard let metric = open?.series.metric else { return }
    let known = reader.problems.count
    reader.beginRow()
    readRow(row)
    // Half of a pair is none, as in an export.
    let isHalf =
      metric.shape == .pair
      && (row["systolic"] ?? .null == .null) != (row["diastolic"] ?? .null == .null)
    if let start = reader.rowDates.first { open?.order.add(start) }
    guard reader.problems.count > known else { return }
    lost.add(of: metric.name)
    guard !isHalf else { return }
    if reader.rowDates.isEmpty {
      open?.order.addUndated()
    } else {
      noteGap(metric, isSummary: row["value"] ?? .null == .null)
    }
  }

  private mutating func readRow(_ row: JSONValue) {
    guard let (series, common, index) = open.map({ ($0.series, $0.scale, $0.count) }) else {
      return
    }
    open?.count += 1
    let place = RowPlace(series: series.index, row: index)
    let scale = common.own(of: row)
    guard series.metric.kind != .sleepAnalysis else {
      do throws(ReportingDay.Failure) {
        try sleep.add(
          row, at: place, factor: scale.unit?.counted(1, as: .sleepAnalysis), reader: &reader,
          kept: &kept)
      } catch {
        noteOutside(series)
      }
      return
    }
    if scale.unit == nil, let own = scale.spelling, own != series.units {
      // Its dates are those of which the others are a part.
      _ = reader.times(of: row, at: place)
      reader.problems.add(
        place.pointer("units"), "the unit '\(own.prefix(40))' can't be converted",
        remedy: "write it as the app does")
      return
    }
    let isUsable = scale.unit != nil
    let read: QuantityRow?
    switch series.metric.shape {
    case .extremes:
      let parts = series.metric.parts
      for (part, read) in reader.parts(parts, of: row, at: place, scale: scale) {
        take(read, part, isUsable: isUsable)
      }
      return
    case .plain: read = reader.quantity(row, at: place, scale: scale)
    case .pair: read = reader.pair(row, at: place, scale: scale)
    case .duration: read = reader.duration(row, at: place, scale: scale)
    }
    if let read { take(read, .whole, isUsable: isUsable) }
  }

  /// Takes a row of the metric that is open: what it is shows once one of them is not a whole day, or at
  /// the end.
  private mutating func take(_ row: QuantityRow, _ part: RowPart, isUsable: Bool) {
    guard var now = open, !now.isOutside else { return }
    // Only one of them holds the rows, so that adding one does not copy all.
    open = nil
    defer { open = now }
    let metric = now.series.metric
    now.numbers += 1
    if !isUsable {
      now.unusable += 1
      noteGap(metric)
    }
    // Then a row at midnight is a whole day, whatever the other rows are.
    let areDays = rowLength == .day
    do throws(ReportingDay.Failure) {
      if now.areSamples, isUsable, !areDays { return keep(row, part, of: metric) }
      if now.areSamples, metric.required.isEmpty, !areDays { return }
      let date = try DailyRows.date(of: row, calendar: &reader.calendar)
      if !now.areSamples || areDays, row.end == nil, let date {
        now.dates.insert(date)
        if isUsable { now.daily.append(DailyRow(part: part, row: row, date: date)) }
        return
      }
      now.areSamples = true
      if isUsable {
        if !areDays {
          for one in now.daily { keep(one.row, one.part, of: metric) }
          now.daily = []
        }
        keep(row, part, of: metric)
      } else if !metric.required.isEmpty {
        if let date {
          now.dates.insert(date)
        } else {
          now.dates.insert(try reader.calendar.day(at: row.middle).date)
        }
      }
    } catch {
      now.isOutside = true
    }
  }

  private mutating func keep(_ row: QuantityRow, _ part: RowPart, of metric: ExportedMetric) {
    kept.add(metric.shape == .duration ? row.asDuration : row, part, of: metric.kind)
  }

  /// Ends the metric that is open.
  mutating func close() {
    guard let closed = open else { return }
    open = nil
    noteUndated(closed)
    let series = closed.series
    if series.metric.kind == .sleepAnalysis {
      findings.unsupported(
        series.metric, sleep.unconvertible, because: unitReason(series))
      return
    }
    if let strict = closed.strict {
      noteLeftOut(reader.problems, series.metric)
      reader.problems = strict
    }
    if closed.isOutside { noteOutside(series) } else { aggregate(closed) }
  }

  private mutating func noteOutside(_ series: Series) {
    reader.problems.add(
      "/data/metrics/\(series.index)", Self.outside(reader.calendar),
      remedy: "correct the dates, or the time zone")
  }

  /// Decides what the rows of a metric are.
  private mutating func aggregate(_ closed: OpenSeries) {
    let (series, metric) = (closed.series, closed.series.metric)
    // If the app says days, rows at other times count as well as whole days.
    let hasDays = !closed.areSamples || rowLength == .day && !closed.dates.isEmpty
    var shape =
      hasDays
      ? DailyRows.shape(closed.dates, areSums: metric.areSums) : DailyRows.Shape.samples
    if rowLength != nil, shape == .weeksOrMonths { shape = .days(areNeighbours: false) }
    if shape != .weeksOrMonths { isByDay = isByDay || shape != .days(areNeighbours: false) }
    hasNeighbours = hasNeighbours || shape == .days(areNeighbours: true)
    if closed.unusable > 0 {
      lost.add(closed.unusable, of: metric.name)
      let reason = unitReason(series)
      if !metric.required.isEmpty {
        findings.unsupported(metric, closed.dates, because: reason)
      } else {
        leftOut.add(reason, closed.unusable)
      }
      if closed.unusable == closed.numbers { return }
    }
    if closed.areSamples { sampled.insert(metric) }
    switch shape {
    case .weeksOrMonths: unclear.append(UnclearRows(metric: metric, rows: closed.daily))
    case .days where closed.dates.count == 1 && rowLength == nil:
      lone.append(UnclearRows(metric: metric, rows: closed.daily))
    case .days: keep(closed.daily, of: metric)
    case .samples: break
    }
  }

  /// Settles what the rows of one metric left open: where another one of the payload is by the
  /// day or finer, all of them are. A required metric takes more, because a week's sum must never be
  /// a day's: another metric with neighbouring days.
  mutating func addUnclear() {
    for one in unclear {
      let isRequired = !one.metric.required.isEmpty
      let reason = "\(one.metric.name): the rows are weeks or months; export it by day"
      if isRequired ? hasNeighbours : isByDay {
        keep(one.rows, of: one.metric)
        continue
      }
      lost.add(one.rows.count, of: one.metric.name)
      if isRequired {
        findings.unsupported(one.metric, Set(one.rows.map(\.date)), because: reason)
      } else {
        leftOut.add(reason, one.rows.count)
      }
    }
    unclear = []
  }

  /// Decides about rows of a single date. They are whole days if any metric of the payload has
  /// neighbouring days, or if their own metric also has other rows.
  mutating func addLone() {
    for one in lone {
      keep(
        one.rows, of: one.metric, mayBeHour: !hasNeighbours && !sampled.contains(one.metric))
    }
    lone = []
  }

  /// Keeps what rows of whole days say.
  private mutating func keep(
    _ rows: [DailyRow], of metric: ExportedMetric, mayBeHour: Bool = false
  ) {
    let sources = reader.sources.list
    for one in rows {
      wholeDays[RowChannel(metric: metric, part: one.part), default: WholeDays()].add(
        one.row, of: metric, on: one.date, mayBeHour: mayBeHour, from: sources,
        calendar: &reader.calendar)
    }
  }

  private mutating func noteLeftOut(_ problems: ProblemList, _ metric: ExportedMetric) {
    guard let first = problems.problems.first else { return }
    leftOut.add(metric.name, problems.count, first: "\(first.pointer): \(first.message)")
  }

  private func unitReason(_ series: Series) -> String {
    let unit = series.units.map { "the unit '\($0.prefix(40))' can't be converted" }
    return "\(series.metric.name): \(unit ?? "the unit is missing")"
  }
}

extension QuantityRow {
  /// From its start for as many minutes as its quantity.
  fileprivate var asDuration: QuantityRow {
    var row = self
    let seconds = min(quantity * 60, Double(QuantitySample.longestStretch))
    row.end = start + Int(seconds.roundedToMillionths.rounded())
    return row
  }
}

/// Series whose rows are whole days: HealthKit has merged and summed them already.
enum DailyRows {
  /// What a series holds.
  enum Shape: Equatable {
    case samples
    /// Whether two of them follow each other, so that the export is by day.
    case days(areNeighbours: Bool)
    /// Rows weeks apart, or on the first of months: they give no number for a day.
    case weeksOrMonths
  }

  /// The shape of a series whose rows all begin at a midnight, as written or of the reporting zone.
  ///
  /// - Parameter areSums: whether a week's row would make a day's number several times too large. Then
  ///   a week without a row changes nothing.
  static func shape(_ dates: Set<CalendarDate>, areSums: Bool) -> Shape {
    let sorted = dates.sorted()
    let gaps = zip(sorted, sorted.dropFirst()).map { $0.days(until: $1) }
    let areWeeks = gaps.count >= 2 && gaps.allSatisfy { areSums ? $0 % 7 == 0 : $0 == 7 }
    let areMonths = !gaps.isEmpty && sorted.allSatisfy { $0.day == 1 }
    return areWeeks || areMonths ? .weeksOrMonths : .days(areNeighbours: gaps.contains(1))
  }

  /// The day of a daily row: the date as written, because the phone summed its own day, whatever zone
  /// it was in; nil where the row begins at no midnight.
  static func date(
    of row: QuantityRow, calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> CalendarDate? {
    if row.isMidnight { return row.writtenDate }
    let day = try calendar.day(at: row.start)
    return day.start == row.start ? day.date : nil
  }
}

/// How long the rows of a payload are, as the app says.
package enum RowLength: Hashable, Sendable {
  /// Weeks, months or years: they count on no day.
  case moreThanDay
  /// Whole days. Rows that are 7 days apart are then not weeks.
  case day
  /// Hours or less. A row at midnight is then not a whole day.
  case lessThanDay

  /// What the app says of its rows in `automation-aggregation`; nil where it says nothing of their length.
  package init?(aggregation: String) {
    let words = aggregation.lowercased()
    func says(_ units: String...) -> Bool { units.contains { words.firstRange(of: $0) != nil } }
    if says("week", "month", "year") {
      self = .moreThanDay
    } else if says("hour", "minute", "second") {
      self = .lessThanDay
    } else if says("day") {
      self = .day
    } else {
      return nil
    }
  }
}
