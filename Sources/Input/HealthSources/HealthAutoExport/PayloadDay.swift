package import HealthModel

/// What payloads say of one day, with what is known of how each number was made (R55).
///
/// Payloads are added in the order in which they were captured: what a later one says of the same
/// time, source and metric replaces what an earlier one said.
package struct PayloadDay: Sendable {
  private var reader: HealthAutoExport
  private let date: CalendarDate
  private var faults = 0
  private var firstFault: String?

  /// About how many bytes of memory it takes.
  package var cost: Int { reader.cost }

  /// A number that HealthKit made of a whole day.
  package struct DayRow: Hashable, Sendable {
    package let number: Double
    /// Which of the captures it is of, counted from 0.
    package let capture: Int
  }

  /// What was found.
  package struct Figures: Hashable, Sendable {
    /// Of rows that are samples, or sums of less than a day.
    package var raw: [DailyMetric: Double] = [:]
    /// Of rows of the whole day: those of the newest capture that has one.
    package var dayRows: [DailyMetric: DayRow] = [:]
    /// When the newest capture with a row of the date was made, and the moments that the captures have (R19).
    package var capturedAt: Timestamp?
    package var moments = InputMoments()
    /// Metrics in a unit that nobody can convert, or by the week.
    package var unsupported: Set<DailyMetric> = []
    /// Remarks for people.
    package var notes: [String] = []

    package init() {}
  }

  /// - Parameters:
  ///   - date: rows far from it are not kept.
  ///   - metrics: those that are wanted.
  /// - Throws: `SourceError` unknownTimeZone.
  package init(
    _ date: CalendarDate, in zones: ReportingZones, metrics: Set<DailyMetric>
  ) throws(SourceError) {
    self.date = date
    var options = PayloadOptions()
    options.metrics = metrics
    reader = HealthAutoExport(
      calendar: try ZoneCalendar(zones), options: options, on: date)
  }

  /// Adds what a capture of a moment says of the date, read for the same zone and metrics. Rows that are wrong
  /// are left out, and counted.
  package mutating func add(_ capture: CaptureRows, capturedAt moment: Timestamp) {
    reader.take(capture.reader, on: date)
    reader.reader.writeTimes.take(
      capture.reader.reader.writeTimes, writtenAt: moment, on: date)
    reader.reader.moments.add(capture.reader.reader.moments)
    faults += capture.faults
    firstFault = firstFault ?? capture.firstFault
  }

  /// Rows that were written in another zone than that of the days, of all payloads added.
  package var misfit: OffsetMisfit? { reader.misfit }

  /// What the payloads that were added say of the date.
  package func figures() throws(ReportingDay.Failure) -> Figures {
    var reader = reader
    var figures = try reader.figures(on: date)
    (figures.capturedAt, figures.moments) = (
      reader.reader.writeTimes.moment(of: date), reader.reader.moments
    )
    if let words = Self.words(of: faults, first: firstFault) {
      figures.notes.append("Health Auto Export: " + words)
    }
    figures.notes += reader.remarks.map { "Health Auto Export: " + $0 }
    return figures
  }

  /// How many rows are wrong, in words; nil for none.
  static func words(of faults: Int, first: String?) -> String? {
    guard faults > 0 else { return nil }
    return "\(faults == 1 ? "1 row was" : "\(faults) rows were") left out; first: " + (first ?? "")
  }
}

extension HealthAutoExport {
  /// What all payloads so far say of one date.
  mutating func figures(
    on date: CalendarDate
  ) throws(ReportingDay.Failure) -> PayloadDay.Figures {
    var figures = PayloadDay.Figures()
    var rows = kept.inOrder()
    for exported in ExportedMetric.all {
      if exported.kind == .sleepAnalysis {
        try addSleep(of: date, &rows, to: &figures)
      } else {
        try add(exported, on: date, &rows, to: &figures)
      }
      rows.pass(exported.kind)
    }
    for day in findings.days(in: reader.calendar.zones) where day.date == date {
      for (metric, reading) in day.readings where reading == .unsupported {
        figures.unsupported.insert(metric)
      }
      figures.notes += day.notes
    }
    figures.notes += leftOut.notes
    return figures
  }

  private mutating func add(
    _ exported: ExportedMetric, on date: CalendarDate, _ rows: inout RowStream,
    to figures: inout PayloadDay.Figures
  ) throws(ReportingDay.Failure) {
    let day = try reader.calendar.day(date)
    for found in try numbers(of: exported, &rows) {
      let metric = found.metric.metric
      if let number = found.numbers[date] { figures.raw[metric] = most(metric, number, of: day) }
      let whole = wholeDays(of: metric, in: exported).dates[date]
      if let whole, found.counts(whole, on: date) {
        if let number = found.number(on: date, beside: whole) {
          figures.raw[metric] = most(metric, number, of: day)
        } else {
          figures.dayRows[metric] = PayloadDay.DayRow(
            number: most(metric, whole.quantity, of: day), capture: whole.capture)
        }
      } else if found.parts.contains(date) {
        figures.unsupported.insert(metric)
        let reason = Self.partReason(exported)
        if !figures.notes.contains(reason) { figures.notes.append(reason) }
      } else if figures.raw[metric] == nil, metric.isRequired,
        gaps[exported]?.dates.contains(date) == true
      {
        figures.unsupported.insert(metric)
      }
    }
  }

  /// The number, rounded as a day's is; a day has no more stand hours than hours.
  private func most(
    _ metric: DailyMetric, _ number: Double, of day: ZoneCalendar.CountedDay
  ) -> Double {
    metric.rounded(
      metric.aggregation == .hours ? min(number, StandHours.most(of: day.range)) : number)
  }

  private mutating func addSleep(
    of date: CalendarDate, _ rows: inout RowStream, to figures: inout PayloadDay.Figures
  ) throws(ReportingDay.Failure) {
    let (nights, parts) = try nights(&rows)
    let (night, isPart) = (nights[date], parts.contains(date))
    let newest = sleep.newest(of: date)
    let summaries = newest.map { SleepSummaries($0.summaries) }
    for metric in DailyMetric.allCases where wants(metric) {
      guard case .night(let part) = metric.aggregation else { continue }
      if let number = night?.numbers[metric] {
        figures.raw[metric] = metric.rounded(number)
      }
      // Where samples say that somebody slept, a summary does not count for that night's stages.
      if part.isStage, night?.isAsleep == true { continue }
      if let newest, let number = summaries?.minutes(of: part)[date] {
        figures.dayRows[metric] = PayloadDay.DayRow(
          number: metric.rounded(number), capture: newest.capture)
      } else if isPart {
        figures.unsupported.insert(metric)
      }
    }
    if isPart { figures.notes.append(sleep.reason(on: date)) }
  }
}

/// What the rows of one payload say, read once for all the days that it touches (R55).
///
/// A payload is much larger than what one of its days needs of it, so it is not to be read for each.
package struct CaptureRows: Sendable {
  /// A reader that has read the capture alone.
  private(set) var reader: HealthAutoExport
  /// Rows that were wrong, and left out.
  private(set) var faults = 0
  /// The first of them, and what is wrong with it.
  private(set) var firstFault: String?

  /// - Parameters:
  ///   - parts: the payload, or the parts that it was cut into, each metric's rows in their order.
  ///   - rowLength: how long its rows are, if the app says so.
  ///   - metrics: those that are wanted.
  /// - Throws: `SourceError` unknownTimeZone.
  package init(
    parts: some Sequence<JSONValue>, rowLength: RowLength?, in zones: ReportingZones,
    metrics: Set<DailyMetric>
  ) throws(SourceError) {
    var options = PayloadOptions()
    options.metrics = metrics
    options.rowsInMemory = .max
    reader = HealthAutoExport(
      calendar: try ZoneCalendar(zones), options: options)
    reader.rowLength = rowLength
    // The payload is stored, and pages show its workouts.
    reader.checksWorkouts = true
    reader.add(parts: parts)
    reader.leftOut.take(reader.workouts.leftOut)
    faults = reader.problems.count
    firstFault = reader.problems.problems.first.map { "\($0.pointer): \($0.message)" }
    reader.forgetProblems()
    reader.kept.trim()
  }

  /// About how many bytes of memory it takes.
  package var cost: Int { reader.cost }

  /// What of a payload is in no day, for whoever sent it: how many rows are wrong, and sentences about
  /// them and about what is not known. And the same for a log, without anything that was sent.
  ///
  /// - Parameter rowLength: how long its rows are, if the app says so.
  package static func leftOut(
    of payload: JSONValue, rowLength: RowLength? = nil
  ) -> (rows: Int, notes: [String], lost: LostRows) {
    if rowLength == .moreThanDay {
      var lost = LostRows()
      for metric in payload["data"]?["metrics"]?.arrayValue ?? [] {
        lost.add(metric["data"]?.arrayValue?.count ?? 0, of: LostRows.coarse)
      }
      let remark = "rows of a week or longer count on no day; set the automation to days or less"
      return (0, [remark], lost)
    }
    let metrics = Set(DailyMetric.allCases)
    guard
      let read = try? CaptureRows(
        parts: [payload], rowLength: rowLength, in: ReportingZones("Etc/UTC"), metrics: metrics)
    else { return (0, [], LostRows()) }
    let words = PayloadDay.words(of: read.faults, first: read.firstFault)
    let reader = read.reader
    var lost = reader.lost
    lost.add(reader.workouts.leftOut.count, of: LostRows.workouts)
    lost.add(reader.sleep.unknownRows, of: "sleep_analysis")
    lost.add(reader.unused.rowsOfMetrics, of: LostRows.unknown)
    lost.add(reader.reader.emptyRows, of: LostRows.empty)
    return (
      read.faults,
      [words].compactMap(\.self) + reader.leftOut.notes + reader.sleep.stageNotes
        + reader.findings.allNotes + reader.remarks, lost
    )
  }
}

/// Puts captures that were read alone together, as far as they bear on one day.
extension HealthAutoExport {
  /// Takes what a capture says that bears on a date, as captured after those before. The result is what
  /// reading one capture after the other gives: each numbers its own sources, so rows get the numbers
  /// that they have here.
  mutating func take(_ later: HealthAutoExport, on date: CalendarDate) {
    let capture = payloads
    let sources = reader.sources.numbers(of: later.reader.sources)
    let sleepers = sleep.take(later.sleep, on: date, capture: capture)
    kept.take(later.kept) { row in
      let isSleep = row.kind == SampleKind.sleepAnalysis.rawValue
      return row.numbered(source: (isSleep ? sleepers : sources)[row.source], capture: capture)
    }
    for (channel, days) in later.wholeDays {
      guard let found = days.dates[date] else { continue }
      wholeDays[channel, default: WholeDays()].take(
        found.numbered(sources: sources, capture: capture), on: date)
    }
    findings.take(later.findings, on: date)
    for (metric, own) in later.gaps {
      gaps[metric, default: RowGaps()].take(own, on: date, capture: capture)
    }
    leftOut.take(later.leftOut)
    unused.take(later.unused)
    reader.buddhistDates += later.reader.buddhistDates
    reader.emptyRows += later.reader.emptyRows
    misfit = misfit ?? later.misfit
    payloads += 1
  }

  /// About how many bytes of memory it takes.
  var cost: Int {
    4096 + kept.cost + wholeDays.values.reduce(0) { $0 + 128 * $1.dates.count } + sleep.cost
  }
}
