import DayCounting
internal import HealthModel
internal import HealthSamples

/// From the rows of all payloads to numbers by day.
extension HealthAutoExport {
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

  /// The rows of a metric, each with the metric's number.
  func rows(
    of metric: DailyMetric, in exported: ExportedMetric
  ) -> (samples: [QuantityRow], wholeDays: [QuantityRow]) {
    var found = QuantityRows()
    for part in RowPart.allCases where part.isAbout(metric) {
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
  mutating func nights(
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
  var isStage: Bool {
    switch self {
    case .asleep, .value(.inBed): false
    case .value: true
    }
  }
}
