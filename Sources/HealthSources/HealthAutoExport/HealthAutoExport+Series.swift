internal import HealthModel
internal import HealthSamples

/// From the rows of one metric to its numbers by day.
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
    let shape = try DailyRows.shape(rows.map(\.row), calendar: &reader.calendar)
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

  /// Settles what the rows of one metric could not tell: where another one of the payload is by the
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

  /// Turns rows into numbers; a whole day that HealthKit has summed beats samples of that day.
  mutating func settle(
    _ metric: DailyMetric, of exported: ExportedMetric
  ) throws(ReportingDay.Failure) {
    let (samples, wholeDays) = rows(of: metric, in: exported)
    guard !samples.isEmpty || !wholeDays.isEmpty else { return }
    var numbers: [CalendarDate: Double]
    let rows = RowsByDay(samples)
    switch metric.aggregation {
    case .hours: numbers = try rows.standHours(calendar: &reader.calendar)
    case .sum:
      let (totals, hasOverlap) = try rows.totals(calendar: &reader.calendar)
      numbers = totals
      if hasOverlap {
        notes.append("\(exported.name): what several sources saw at once was counted once")
      }
    default: numbers = try rows.numbers(of: metric, calendar: &reader.calendar)
    }
    let days = try DailyRows.best(wholeDays, calendar: &reader.calendar)
    numbers.merge(days.mapValues(\.quantity)) { _, day in day }
    try noteForeignDays(wholeDays)
    for (date, number) in numbers {
      var number = number
      let day = try reader.calendar.day(date)
      if metric.aggregation == .hours {
        let longest = StandHours.most(of: day.range)
        if number > longest {
          findings.note(date, "\(exported.name): \(number) cut to the day's \(longest) hours")
          number = longest
        }
      }
      findings.set(metric, number, on: date)
    }
  }

  /// The rows that tell of a metric, each with the metric's number.
  private func rows(
    of metric: DailyMetric, in exported: ExportedMetric
  ) -> (samples: [QuantityRow], wholeDays: [QuantityRow]) {
    var found = QuantityRows()
    for part in RowPart.allCases where part.tells(of: metric) {
      guard let rows = quantities[RowChannel(metric: exported, part: part)] else { continue }
      found.samples += rows.samples
      // One number of a whole day is its mean: it says nothing of the least and the greatest.
      if part != .whole || exported.shape != .extremes || metric.aggregation == .mean {
        found.wholeDays += rows.wholeDays
      }
    }
    switch exported.shape {
    case .pair where metric.kind != exported.kind:
      found.samples = found.samples.map(\.turned)
      found.wholeDays = found.wholeDays.map(\.turned)
    case .duration: found.samples = found.samples.map(\.lasting)
    case .plain, .extremes, .pair: break
    }
    return (found.samples, found.wholeDays)
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

  /// Turns rows of sleep into minutes by night.
  mutating func settleSleep() throws(ReportingDay.Failure) {
    let rows = sleep
    let nights = try nights(rows.samples)
    for metric in DailyMetric.allCases where wants(metric) {
      guard case .night(let part) = metric.aggregation else { continue }
      var numbers = SleepSummaries.minutes(of: part, rows.summaries)
      for (date, night) in nights {
        let number = metric.number(of: night)
        // Where samples say that somebody slept, summaries say nothing of that night's stages.
        if number != nil || (part.isStage && night.minutes(of: .asleep) != nil) {
          numbers[date] = number
        }
      }
      for (date, number) in numbers {
        _ = try reader.calendar.day(date)
        findings.set(metric, number, on: date)
      }
    }
    for (stage, count) in rows.unknownStages.sorted(by: { $0.key < $1.key }).prefix(10) {
      let rows = count == 1 ? "1 row" : "\(count) rows"
      notes.append(
        "sleep_analysis: \(rows) of the unknown stage '\(stage)' \(count == 1 ? "was" : "were") not used"
      )
    }
  }

  /// The sleep of each night that a sample touches.
  private mutating func nights(
    _ samples: [SleepSample]
  ) throws(ReportingDay.Failure) -> [CalendarDate: SleepStages] {
    var byNight: [CalendarDate: (night: Range<Int>, samples: [SleepSample])] = [:]
    for sample in samples {
      var moment = sample.range.lowerBound
      while moment < sample.range.upperBound {
        let (date, night) = try reader.calendar.night(at: moment)
        byNight[date, default: (night, [])].samples.append(sample)
        moment = max(night.upperBound, moment + 1)
      }
    }
    return byNight.mapValues { SleepStages($0.samples, in: $0.night) }
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

  /// Says which days are those of another zone, as after a journey.
  private mutating func noteForeignDays(_ rows: [QuantityRow]) throws(ReportingDay.Failure) {
    for row in rows where row.isMidnight {
      let shift = row.start - (try reader.calendar.day(row.writtenDate).start)
      guard shift != 0 else { continue }
      findings.note(
        row.writtenDate,
        "the phone's day began \(abs(shift) / 60) minutes \(shift > 0 ? "after" : "before") "
          + "the day in \(reader.calendar.zones.name(on: row.writtenDate)); its own sums were taken"
      )
    }
  }

  private func reason(_ series: Series, _ metric: ExportedMetric, isUnit: Bool) -> String {
    guard isUnit else {
      return "\(metric.name): the rows are weeks or months; export it by day"
    }
    let unit = series.units.map { "the unit '\($0.prefix(40))' can't be converted" }
    return "\(metric.name): \(unit ?? "the unit is missing")"
  }
}

extension QuantityRow {
  /// With the other number of its pair.
  fileprivate var turned: QuantityRow {
    var row = self
    (row.quantity, row.second) = (second, quantity)
    return row
  }

  /// From its start for as many minutes as its quantity.
  fileprivate var lasting: QuantityRow {
    var row = self
    let seconds = min(quantity * 60, Double(QuantitySample.longestStretch))
    row.end = start + Int(seconds.roundedToMillionths.rounded())
    return row
  }
}

extension NightPart {
  /// Whether it is a part of what trackers see in a night, but for the time in bed.
  fileprivate var isStage: Bool {
    switch self {
    case .asleep, .value(.inBed): false
    case .value: true
    }
  }
}
