internal import HealthModel
internal import HealthSamples

/// From the rows of one metric to its numbers by day.
extension HealthAutoExport {
  /// Adds the rows of a quantity.
  mutating func addQuantity(_ series: Series) throws(ReportingDay.Failure) {
    let metric = series.metric
    let factor = series.units.flatMap { metric.factor(from: $0) }
    var rows: [QuantityRow] = []
    for (index, row) in series.rows.enumerated() {
      let place = RowPlace(series: series.index, row: index)
      if let row = reader.quantity(
        row, at: place, factor: factor ?? 1, takesAverage: metric.aggregation == .mean)
      {
        rows.append(row)
      }
    }
    let shape = try DailyRows.shape(rows, calendar: &reader.calendar)
    if let factor, factor > 0, shape != .weeksOrMonths {
      if shape == .days {
        quantities[metric, default: .init()].wholeDays += rows
      } else {
        quantities[metric, default: .init()].samples += rows
      }
    } else {
      let dates = try dates(of: rows)
      findings.unsupported(metric, dates, because: reason(series, metric, isUnit: factor == nil))
    }
  }

  /// Turns rows into numbers; a whole day that HealthKit has summed beats samples of that day.
  mutating func settle(
    _ metric: ExportedMetric, _ rows: QuantityRows
  ) throws(ReportingDay.Failure) {
    let (samples, wholeDays) = (rows.samples, rows.wholeDays)
    var numbers: [CalendarDate: Double]
    let rows = RowsByDay(samples)
    switch metric.aggregation {
    case .mean: numbers = try rows.means(calendar: &reader.calendar)
    case .hours: numbers = try rows.standHours(calendar: &reader.calendar)
    default:
      let (totals, hasOverlap) = try rows.totals(calendar: &reader.calendar)
      numbers = totals
      if hasOverlap {
        notes.append("\(metric.name): what several sources saw at once was counted once")
      }
    }
    let days = try DailyRows.numbers(wholeDays, calendar: &reader.calendar)
    numbers.merge(days) { _, day in day }
    try noteForeignDays(wholeDays)
    for (date, number) in numbers {
      var number = number
      let day = try reader.calendar.day(date)
      if metric.aggregation == .hours {
        let longest = StandHours.most(of: day.range)
        if number > longest {
          findings.note(date, "\(metric.name): \(number) cut to the day's \(longest) hours")
          number = longest
        }
      }
      for own in metric.metrics { findings.set(own, number, on: date) }
    }
  }

  /// Adds the rows of sleep.
  mutating func addSleep(_ series: Series) throws(ReportingDay.Failure) {
    let factor = series.units.flatMap { series.metric.factor(from: $0) }
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
    let summed = SleepSummaries.minutes(rows.summaries)
    let nights = try nights(rows.samples)
    for (metric, summed) in [
      (DailyMetric.sleepAsleep, summed.asleep),
      (DailyMetric.sleepInBed, summed.inBed),
    ] {
      let sampled = nights.compactMapValues { metric.number(of: $0) }
      for (date, number) in summed.merging(sampled, uniquingKeysWith: { _, sampled in sampled }) {
        _ = try reader.calendar.day(date)
        findings.set(metric, number, on: date)
      }
    }
    for (stage, count) in rows.unknownStages.sorted(by: { $0.key < $1.key }).prefix(10) {
      notes.append("sleep_analysis: \(count) rows of the unknown stage '\(stage)' were not used")
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
    of rows: [QuantityRow]
  ) throws(ReportingDay.Failure) -> Set<CalendarDate> {
    var dates: Set<CalendarDate> = []
    for row in rows {
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
