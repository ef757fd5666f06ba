import HealthModel

/// From the rows of all payloads to numbers by day.
extension HealthAutoExport {
  /// Puts the rows of a metric into the order of their starts, where they stand.
  mutating func sort(_ exported: ExportedMetric) {
    for part in RowPart.allCases {
      quantities[RowChannel(metric: exported, part: part)]?.samples.sort { $0.start < $1.start }
    }
  }

  /// Lets go of the rows of a metric.
  mutating func forget(_ exported: ExportedMetric) {
    for part in RowPart.allCases { quantities[RowChannel(metric: exported, part: part)] = nil }
  }

  /// Turns rows into numbers; a whole day that HealthKit has summed beats samples of that day.
  mutating func settle(
    _ metric: DailyMetric, of exported: ExportedMetric
  ) throws(ReportingDay.Failure) {
    let (samples, wholeDays) = rows(of: metric, in: exported)
    guard !samples.isEmpty || !wholeDays.isEmpty else { return }
    let sources = reader.sources.list
    var (numbers, hasOverlap) = try RowsByDay(samples, of: metric, from: sources)
      .numbers(calendar: &reader.calendar)
    if hasOverlap {
      notes.append("\(exported.name): what several sources saw at once was counted once")
    }
    let days = try DailyRows.best(
      wholeDays, of: metric, from: sources, calendar: &reader.calendar)
    numbers.merge(days.mapValues(\.quantity)) { _, day in day }
    try noteForeignDays(wholeDays)
    for (date, number) in numbers {
      var number = number
      let day = try reader.calendar.day(date)
      if metric.aggregation == .hours {
        let longest = StandHours.most(of: day.range)
        if number > longest {
          findings.note(
            date, "\(exported.name): \(Int(number)) cut to the day's \(Int(longest)) hours")
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
      found.samples = found.samples.isEmpty ? rows.samples : found.samples + rows.samples
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
    let nights = try nights(rows)
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
    _ rows: SleepRows
  ) throws(ReportingDay.Failure) -> [CalendarDate: SleepStages] {
    var byNight: [CalendarDate: (night: Range<Int>, samples: [SleepSample])] = [:]
    for sample in rows.samples {
      var moment = sample.range.lowerBound
      while moment < sample.range.upperBound {
        let (date, night) = try reader.calendar.night(at: moment)
        byNight[date, default: (night, [])].samples.append(sample)
        moment = max(night.upperBound, moment + 1)
      }
    }
    let order = rows.order
    return byNight.mapValues { SleepStages($0.samples, in: $0.night, order: order) }
  }

  /// Says which days are those of another zone, as after a journey.
  private mutating func noteForeignDays(_ rows: [QuantityRow]) throws(ReportingDay.Failure) {
    for row in rows where row.isMidnight {
      guard let date = row.writtenDate else { continue }
      let shift = row.start - (try reader.calendar.day(date).start)
      guard shift != 0 else { continue }
      findings.note(
        date,
        "the phone's day began \(abs(shift) / 60) minutes \(shift > 0 ? "after" : "before") "
          + "the day in \(reader.calendar.zones.name(on: date)); its own sums were taken"
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
