internal import HealthModel
internal import HealthSamples

/// Keeps the rows of one metric, in the unit in which its kind is counted.
extension HealthAutoExport {
  /// Adds the rows of a quantity.
  mutating func addQuantity(_ series: Series) throws(ReportingDay.Failure) {
    let metric = series.metric
    let scale = RowScale(metric.kind, series.units)
    let strict = reader.problems
    if metric.ofV0.isEmpty { reader.problems = ProblemList() }
    let rows = read(series, scale)
    if metric.ofV0.isEmpty {
      noteLeftOut(reader.problems, metric)
      reader.problems = strict
    }
    var shape = try DailyRows.shape(rows.map(\.row), calendar: &reader.calendar)
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

  private mutating func read(
    _ series: Series, _ scale: RowScale
  ) -> [(part: RowPart, row: QuantityRow)] {
    var rows: [(part: RowPart, row: QuantityRow)] = []
    rows.reserveCapacity(series.rows.count)
    for (index, row) in series.rows.enumerated() {
      let place = RowPlace(series: series.index, row: index)
      let read: QuantityRow?
      switch series.metric.shape {
      case .extremes:
        rows += reader.extremes(row, at: place, scale: scale)
        continue
      case .plain:
        read = reader.quantity(
          row, at: place, scale: scale, takesAverage: series.metric.isAverage)
      case .pair: read = reader.pair(row, at: place, scale: scale)
      case .duration: read = reader.duration(row, at: place, scale: scale)
      }
      if let read { rows.append((.whole, read)) }
    }
    return rows
  }

  private mutating func noteLeftOut(_ problems: ProblemList, _ metric: ExportedMetric) {
    guard let first = problems.problems.first else { return }
    leftOut.add(metric.name, problems.count, first: "\(first.pointer): \(first.message)")
  }

  /// Adds the rows of sleep.
  mutating func addSleep(_ series: Series) throws(ReportingDay.Failure) {
    let factor = RowScale(.sleepAnalysis, series.units).unit?.counted(1, as: .sleepAnalysis)
    for (index, row) in series.rows.enumerated() {
      let place = RowPlace(series: series.index, row: index)
      try sleep.add(row, at: place, factor: factor, reader: &reader)
    }
    findings.unsupported(
      series.metric, sleep.unconvertible, because: reason(series, series.metric, isUnit: true))
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
