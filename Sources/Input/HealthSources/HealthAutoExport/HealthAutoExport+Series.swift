import HealthModel

/// Keeps the rows of one metric, in the unit in which its kind is counted.
extension HealthAutoExport {
  /// A metric whose rows are being read.
  struct OpenSeries {
    let series: Series
    let scale: RowScale
    var rows: [(part: RowPart, row: QuantityRow)] = []
    /// How many rows were read.
    var count = 0
    /// The problems before, where those of its own make no payload invalid.
    var strict: ProblemList?
  }

  /// Begins a metric.
  mutating func open(_ series: Series) {
    var open = OpenSeries(series: series, scale: RowScale(series.metric.kind, series.units))
    if series.metric.kind != .sleepAnalysis, series.metric.ofV0.isEmpty {
      open.strict = reader.problems
      reader.problems = ProblemList()
    }
    self.open = open
  }

  /// Reads the next row of the metric that is open.
  mutating func addRow(_ row: JSONValue) {
    guard let (series, scale, index) = open.map({ ($0.series, $0.scale, $0.count) }) else { return }
    open?.count += 1
    let place = RowPlace(series: series.index, row: index)
    guard series.metric.kind != .sleepAnalysis else {
      do throws(ReportingDay.Failure) {
        try sleep.add(
          row, at: place, factor: scale.unit?.counted(1, as: .sleepAnalysis), reader: &reader)
      } catch {
        noteOutside(series)
      }
      return
    }
    let read: QuantityRow?
    switch series.metric.shape {
    case .extremes:
      open?.rows += reader.extremes(row, at: place, scale: scale)
      return
    case .plain:
      read = reader.quantity(row, at: place, scale: scale, takesAverage: series.metric.isAverage)
    case .pair: read = reader.pair(row, at: place, scale: scale)
    case .duration: read = reader.duration(row, at: place, scale: scale)
    }
    if let read { open?.rows.append((.whole, read)) }
  }

  /// Ends the metric that is open.
  mutating func close() {
    guard let closed = open else { return }
    open = nil
    let series = closed.series
    if series.metric.kind == .sleepAnalysis {
      findings.unsupported(
        series.metric, sleep.unconvertible, because: reason(series, series.metric, isUnit: true))
      return
    }
    if let strict = closed.strict {
      noteLeftOut(reader.problems, series.metric)
      reader.problems = strict
    }
    do throws(ReportingDay.Failure) {
      try keep(closed.rows, of: series, closed.scale)
    } catch {
      noteOutside(series)
    }
  }

  private mutating func noteOutside(_ series: Series) {
    reader.problems.add(
      "/data/metrics/\(series.index)", Self.outside(reader.calendar),
      remedy: "correct the dates, or the time zone")
  }

  private mutating func keep(
    _ rows: [(part: RowPart, row: QuantityRow)], of series: Series, _ scale: RowScale
  ) throws(ReportingDay.Failure) {
    let metric = series.metric
    var shape = try DailyRows.shape(rows.lazy.map(\.row), calendar: &reader.calendar)
    if isFine, shape == .weeksOrMonths { shape = .days(areNeighbours: false) }
    if shape != .weeksOrMonths { isByDay = isByDay || shape != .days(areNeighbours: false) }
    guard scale.unit != nil else {
      let reason = reason(series, metric, isUnit: true)
      if !metric.ofV0.isEmpty {
        try findings.unsupported(metric, dates(of: rows), because: reason)
      } else if !rows.isEmpty {
        leftOut.add(reason, rows.count)
      }
      return
    }
    switch shape {
    case .weeksOrMonths where !metric.ofV0.isEmpty:
      try findings.unsupported(
        metric, dates(of: rows), because: reason(series, metric, isUnit: false))
    case .weeksOrMonths: unclear.append(UnclearRows(metric: metric, rows: rows))
    case .days: keep(rows, of: metric, as: \.wholeDays)
    case .samples: keep(rows, of: metric, as: \.samples)
    }
  }

  /// Settles what the rows of one metric left open: where another one of the payload is by the
  /// day or finer, all of them are.
  mutating func addUnclear() {
    for one in unclear {
      if isByDay {
        keep(one.rows, of: one.metric, as: \.wholeDays)
      } else {
        leftOut.add(
          "\(one.metric.name): the rows are weeks or months; export it by day", one.rows.count)
      }
    }
    unclear = []
  }

  private mutating func keep(
    _ rows: [(part: RowPart, row: QuantityRow)], of metric: ExportedMetric,
    as list: WritableKeyPath<QuantityRows, [QuantityRow]>
  ) {
    for part in RowPart.allCases {
      let own = rows.filter { $0.part == part }.map(\.row)
      guard !own.isEmpty else { continue }
      quantities[RowChannel(metric: metric, part: part), default: .init()][keyPath: list] += own
    }
  }

  private mutating func noteLeftOut(_ problems: ProblemList, _ metric: ExportedMetric) {
    guard let first = problems.problems.first else { return }
    leftOut.add(metric.name, problems.count, first: "\(first.pointer): \(first.message)")
  }

  /// The days on which rows lie that can't be used.
  private mutating func dates(
    of rows: [(part: RowPart, row: QuantityRow)]
  ) throws(ReportingDay.Failure) -> Set<CalendarDate> {
    var dates: Set<CalendarDate> = []
    for (_, row) in rows {
      let daily = try DailyRows.date(of: row, calendar: &reader.calendar)
      if let daily {
        dates.insert(daily)
      } else {
        dates.insert(try reader.calendar.day(at: row.middle).date)
      }
    }
    return dates
  }

  private func reason(_ series: Series, _ metric: ExportedMetric, isUnit: Bool) -> String {
    guard isUnit else {
      return "\(metric.name): the rows are weeks or months; export it by day"
    }
    let unit = series.units.map { "the unit '\($0.prefix(40))' can't be converted" }
    return "\(metric.name): \(unit ?? "the unit is missing")"
  }
}
