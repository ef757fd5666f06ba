import HealthModel

/// From the rows of all payloads to numbers by day.
extension HealthAutoExport {
  /// The numbers of a metric's rows that are not whole days, by what they are of.
  mutating func numbers(
    of exported: ExportedMetric, _ rows: inout RowStream
  ) throws(ReportingDay.Failure) -> [RowsByDay] {
    var numbers = wanted(exported).map {
      RowsByDay(
        of: $0, from: reader.sources.list, beside: wholeDays(of: $0, in: exported),
        gaps: gaps[exported])
    }
    var stretch = rows.stretch(of: exported.kind)
    while !stretch.isEmpty {
      for place in numbers.indices {
        let metric = numbers[place].metric.metric
        let isSwapped = exported.shape == .pair && metric.kind != exported.kind
        let own = stretch.lazy.filter { $0.part.isAbout(metric) }.map(\.row)
        try numbers[place].add(
          isSwapped ? own.map(\.swapped) : Array(own), calendar: &reader.calendar)
      }
      stretch = rows.stretch(of: exported.kind)
    }
    for place in numbers.indices { try numbers[place].close(calendar: &reader.calendar) }
    return numbers
  }

  /// Turns rows into numbers; a whole day that HealthKit has summed beats samples of that day.
  mutating func aggregate(
    _ exported: ExportedMetric, _ rows: inout RowStream
  ) throws(ReportingDay.Failure) {
    for found in try numbers(of: exported, &rows) {
      let metric = found.metric.metric
      var numbers = found.numbers
      if found.hasOverlap {
        notes.append("\(exported.name): what several sources saw at once was counted once")
      }
      let rows = wholeDays(of: metric, in: exported).dates.filter { found.counts($1, on: $0) }
      for (date, whole) in rows {
        numbers[date] = found.number(on: date, beside: whole) ?? whole.quantity
      }
      noteForeignDays(of: metric, in: exported)
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
        findings.set(metric, number, on: date, isOfWholeDay: rows[date] != nil)
      }
      for date in found.parts where rows[date] == nil {
        findings.unsupported(exported, [date], because: Self.partReason(exported))
      }
    }
  }

  /// What rows of whole days say of a metric, one part after the other.
  func wholeDays(of metric: DailyMetric, in exported: ExportedMetric) -> WholeDays {
    var days = WholeDays()
    for part in dailyParts(of: metric, in: exported) {
      guard let own = wholeDays[RowChannel(metric: exported, part: part)] else { continue }
      days.take(own, from: reader.sources.list)
    }
    return exported.shape == .pair && metric.kind != exported.kind ? days.swapped : days
  }

  /// The parts of daily rows that a metric is made of. Where a metric has a mean, one number of a whole
  /// day is that: it says nothing of the least and the greatest.
  private func dailyParts(of metric: DailyMetric, in exported: ExportedMetric) -> [RowPart] {
    RowPart.allCases.filter {
      $0.isAbout(metric)
        && ($0 != .whole || RowPart.mean.isAbout(metric) || !exported.parts.contains(.mean))
    }
  }

  /// Turns rows of sleep into minutes by night.
  mutating func aggregateSleep(
    _ sleepMetric: ExportedMetric, _ stream: inout RowStream
  ) throws(ReportingDay.Failure) {
    let rows = sleep
    let summaries = SleepSummaries(rows.summaries)
    // A part of the samples gives no result. The app's own sum of the night does.
    let (nights, parts) = try nights(&stream)
    for metric in DailyMetric.allCases where wants(metric) {
      guard case .night(let part) = metric.aggregation else { continue }
      var numbers = summaries.minutes(of: part)
      var ofWholeDay = Set(numbers.keys)
      for (date, night) in nights {
        let number = night.numbers[metric]
        // Where samples say that somebody slept, summaries say nothing of that night's stages.
        if number != nil || (part.isStage && night.isAsleep) {
          numbers[date] = number
          ofWholeDay.remove(date)
        }
      }
      for (date, number) in numbers {
        _ = try reader.calendar.day(date)
        findings.set(metric, number, on: date, isOfWholeDay: ofWholeDay.contains(date))
      }
    }
    for date in parts {
      findings.unsupported(sleepMetric, [date], because: rows.reason(on: date))
    }
    notes += rows.stageNotes
  }

  /// The numbers of one night's samples.
  struct Night {
    let numbers: [DailyMetric: Double]
    /// Whether a sample says that somebody slept.
    let isAsleep: Bool
  }

  /// The samples of one night.
  private struct NightRows {
    let night: Range<Int>
    var rows: [PackedRow] = []

    /// By payload, the start of its first sample.
    var first: [Int: Int] {
      Dictionary(rows.lazy.map { ($0.capture, $0.start) }, uniquingKeysWith: min)
    }

    /// Those whose value nobody knows: no other payload has as many of their source and times, all with values
    /// that are known, such as the same samples in another language.
    var unknown: [PackedRow] {
      struct Place: Hashable { let source: Int, start: Int, end: Int? }
      func place(_ row: PackedRow) -> Place {
        Place(source: row.source, start: row.start, end: row.end)
      }
      guard rows.contains(where: { $0.sleep == nil }) else { return [] }
      var counts: [Place: [Int: (all: Int, unknown: Int)]] = [:]
      for row in rows {
        var count = counts[place(row)]?[row.capture] ?? (0, 0)
        count.all += 1
        count.unknown += row.sleep == nil ? 1 : 0
        counts[place(row), default: [:]][row.capture] = count
      }
      return rows.filter { row in
        guard row.sleep == nil, let there = counts[place(row)] else { return false }
        let all = there[row.capture]?.all ?? 0
        return !there.values.contains { $0.unknown == 0 && $0.all >= all }
      }
    }
  }

  /// The sleep of each night that a sample touches, and the nights of which the samples are a part.
  mutating func nights(
    _ rows: inout RowStream
  ) throws(ReportingDay.Failure) -> (known: [CalendarDate: Night], parts: Set<CalendarDate>) {
    let metrics = DailyMetric.allCases.filter { wants($0) && $0.kind == .sleepAnalysis }
    let order = sleep.order
    var found: [CalendarDate: Night] = [:]
    var gaps = sleep.gaps
    var parts = gaps.dates
    var open: [CalendarDate: NightRows] = [:]
    func close(before moment: Int) {
      for (date, own) in open where own.night.upperBound <= moment {
        open[date] = nil
        for row in own.unknown { gaps.add(on: date, at: row.start, in: row.capture) }
        guard !gaps.arePart(own.first, of: date) else {
          parts.insert(date)
          continue
        }
        parts.remove(date)
        let stages = SleepStages(own.rows.compactMap(\.sleep), in: own.night, order: order)
        let numbers = metrics.compactMap { metric in metric.number(of: stages).map { (metric, $0) }
        }
        found[date] = Night(
          numbers: Dictionary(numbers) { $1 }, isAsleep: stages.minutes(of: .asleep) != nil)
      }
    }
    while let row = rows.next(of: .sleepAnalysis) {
      close(before: row.start)
      for (date, night) in try reader.calendar.nights(touching: row.start..<(row.end ?? row.start))
      {
        open[date, default: NightRows(night: night)].rows.append(row)
      }
    }
    close(before: .max)
    return (found, parts)
  }

  /// Says which days are those of another zone, as after a journey.
  private mutating func noteForeignDays(of metric: DailyMetric, in exported: ExportedMetric) {
    for part in dailyParts(of: metric, in: exported) {
      for (date, shifts) in wholeDays[RowChannel(metric: exported, part: part)]?.shifts ?? [:] {
        for shift in shifts {
          findings.note(
            date,
            "the phone's day began \(abs(shift) / 60) minutes \(shift > 0 ? "after" : "before") "
              + "the day in \(reader.calendar.zones.name(on: date)); its own sums were taken"
          )
        }
      }
    }
  }
}

extension QuantityRow {
  /// With the other number of its pair.
  fileprivate var swapped: QuantityRow {
    var row = self
    (row.quantity, row.second) = (second, quantity)
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
  /// The rows that can't be used; nil if all can.
  private let gaps: RowGaps?
  /// If some can't: by date and payload, the start of the first row.
  private var firstRows: [CalendarDate: [Int: Int]] = [:]
  /// The dates of which the rows here are a part.
  private(set) var parts: Set<CalendarDate> = []
  /// Whether sources overlapped anywhere in a sum.
  private(set) var hasOverlap = false

  init(
    of metric: DailyMetric, from sources: [SourcePriority], beside days: WholeDays, gaps: RowGaps?
  ) {
    (self.metric, self.sources, self.gaps) = (CountedMetric(metric), sources, gaps)
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
        if gaps != nil {
          let known = firstRows[date]?[row.capture] ?? row.start
          firstRows[date, default: [:]][row.capture] = min(known, row.start)
        }
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

  /// Whether a row of the whole day counts: not one of several of which another can't be used, nor one that may
  /// be an hour beside rows that are a part of the day.
  func counts(_ whole: WholeDays.Sum, on date: CalendarDate) -> Bool {
    gaps?.cut(whole, on: date) != true && (whole.hour == nil || !parts.contains(date))
  }

  /// Counts the days that end by a moment: no more rows bear on them.
  mutating func close(
    before moment: Int = .max, calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) {
    for (date, samples) in open where try calendar.day(date).range.upperBound <= moment {
      let (number, overlaps) = try number(of: samples, on: date, &calendar)
      if let gaps, gaps.arePart(firstRows[date] ?? [:], of: date) {
        parts.insert(date)
      } else {
        numbers[date] = number
      }
      hasOverlap = hasOverlap || overlaps
      open[date] = nil
    }
  }

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
