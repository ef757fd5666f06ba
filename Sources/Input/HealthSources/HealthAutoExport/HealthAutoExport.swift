internal import AppleExport
package import HealthModel

/// Reads payloads of the app Health Auto Export: one, or several that overlap.
///
/// `{"data": {"metrics": [{"name", "units", "data": [rows]}]}}`; `data` of a metric may be null or
/// empty, `data` itself may be an empty array, and `workouts` may stand within `data` or beside it.
///
/// A row of a required metric that is wrong makes the payload invalid. One of an optional metric is
/// left out and counted: a payload that was good for the required ones stays so.
struct HealthAutoExport {
  let options: PayloadOptions
  var reader: RowReader
  var findings = DayFindings()
  var notes: [String] = []
  /// Rows that are not whole days, of all payloads so far.
  var kept: KeptRows
  /// What rows say that HealthKit has summed by day.
  var wholeDays: [RowChannel: WholeDays] = [:]
  var gaps: [ExportedMetric: RowGaps] = [:]
  var sleep: SleepRows
  var workouts = WorkoutReader()
  /// Whether what is wrong with workouts is noted, although they are not kept.
  var checksWorkouts = false
  var leftOut = LeftOutRows()
  /// The rows that are in no day.
  var lost = LostRows()
  var isByDay = false
  /// Whether any metric has rows of neighbouring days.
  var hasNeighbours = false
  /// How long the rows are, if the app says so.
  var rowLength: RowLength?
  var unclear: [UnclearRows] = []
  /// Metrics with rows in the payload that are not whole days.
  var sampled: Set<ExportedMetric> = []
  /// Rows that may be whole days or the hour after midnight, until the payload ends.
  var lone: [UnclearRows] = []
  /// The metric whose rows are being read.
  var open: OpenSeries?

  /// What was found of the text that is being scanned.
  var scanned = ScannedMembers()

  var payloads = 0
  private var payloadsWithoutMetrics = 0
  var unused = UnusedMembers()
  /// When the payload that is being read was written, if that is known.
  var writtenAt: Timestamp?
  /// The first that was found, of all payloads.
  var misfit: OffsetMisfit?

  var problems: ProblemList { reader.problems }
  /// Why rows were lost, if any were: then no result is complete.
  var spoolFailure: ExportError? { kept.failure ?? readingFailure }
  private var readingFailure: ExportError?

  /// Goes on without the rows that were wrong.
  mutating func forgetProblems() { reader.problems = ProblemList() }

  /// - Parameter date: the only date that is asked for; nil for all. Of one date all stays in memory.
  init(calendar: ZoneCalendar, options: PayloadOptions, on date: CalendarDate? = nil) {
    self.options = options
    kept = KeptRows(
      capacity: date == nil ? options.rowsInMemory : .max,
      moments: date.map { date in
        // Rows near a day bear on it, in whatever zone.
        (date.daysSince1970 - 3) * 86_400..<(date.daysSince1970 + 3) * 86_400
      })
    reader = RowReader(calendar: calendar, problems: ProblemList())
    sleep = SleepRows(keepsSegments: options.keepsRecords)
  }

  /// One metric of a payload.
  struct Series {
    let metric: ExportedMetric
    let units: String?
    /// Index in the payload.
    let index: Int
  }

  /// The rows of one part of one metric.
  struct RowChannel: Hashable {
    let metric: ExportedMetric
    let part: RowPart
  }

  /// A row that is a whole day, or one of several of a day.
  struct DailyRow {
    let part: RowPart
    let row: QuantityRow
    let date: CalendarDate
  }

  /// Rows of a metric 7 days apart: weeks, or days on which somebody stepped on a scale.
  struct UnclearRows {
    let metric: ExportedMetric
    let rows: [DailyRow]
  }

  /// Adds a payload that was captured after those added before, whole or cut into parts: a metric that ends
  /// one part goes on in the next. Meaningless where `problems` is not empty afterwards.
  mutating func add(parts: some Sequence<JSONValue>) {
    begin()
    var (index, hasMetrics) = (0, false)
    var current: (name: JSONValue?, units: JSONValue?)?
    for root in parts {
      let data = root["data"] ?? .null
      switch data["metrics"] ?? .null {
      case .null: break
      case .array(let elements):
        hasMetrics = true
        for (place, element) in elements.enumerated() {
          let rows = element["data"]?.arrayValue ?? []
          let (name, units) = (element["name"], element["units"])
          if place > 0 || open == nil || current?.name != name || current?.units != units {
            close()
            current = (name, units)
            if let series = series(element, index: index) { open(series) }
            index += 1
          }
          if open == nil { noteUnused(element, rows: rows.count) }
          for row in rows { addRow(row) }
        }
      default:
        hasMetrics = true
        noteNoArray()
      }
      for (place, value) in [("/data/workouts", data["workouts"]), ("/workouts", root["workouts"])]
      {
        for (row, workout) in (value?.arrayValue ?? []).enumerated() {
          addWorkout(workout, at: "\(place)/\(row)")
        }
      }
      unused.add(data)
    }
    close()
    if !hasMetrics { noteNoMetrics() }
    end()
  }

  /// Begins a payload.
  mutating func begin() {
    reader.capture = payloads
    (isByDay, hasNeighbours, unclear, sampled, lone) = (false, false, [], [], [])
  }

  /// Ends a payload.
  mutating func end() {
    addUnclear()
    addLone()
    noteMisfit()
    reader.writeTimes.end(at: writtenAt)
    payloads += 1
  }

  mutating func addWorkout(_ row: JSONValue, at pointer: String) {
    reader.beginRow()
    if options.keepsRecords {
      workouts.add(row, at: pointer, reader: &reader)
    } else {
      workouts.passOver(1)
      if checksWorkouts { workouts.check(row, at: pointer, in: reader.calendar) }
    }
  }

  /// Looks whether the payload was written in the zones of the days.
  private mutating func noteMisfit() {
    // Dates outside of the calendar are reported where they are used.
    let found = try? reader.offsets.takeMisfit(in: reader.calendar.zones)
    if misfit == nil { misfit = found }
  }

  /// The days of all payloads, whose rows are gone then; meaningless where `problems` is not empty afterwards.
  mutating func result() -> SourceResult {
    notePayloads()
    var rows = takeRows()
    for metric in ExportedMetric.all {
      do {
        if metric.kind == .sleepAnalysis {
          try aggregateSleep(metric, &rows)
        } else {
          try aggregate(metric, &rows)
        }
      } catch {
        reader.problems.add(
          "", "\(metric.name): \(Self.outside(reader.calendar))",
          remedy: "correct the dates, or the time zone")
      }
      rows.pass(metric.kind)
    }
    readingFailure = rows.failure
    notes += leftOut.notes + workouts.notes
    if options.keepsRecords, let note = sleep.nightsWithoutSegments(in: &reader.calendar) {
      notes.append(note)
    }
    return SourceResult(
      days: findings.days(
        in: reader.calendar.zones, written: reader.writeTimes, moments: reader.moments),
      notes: notes, misfit: misfit)
  }

  /// The rows that were kept, which are gone then.
  private mutating func takeRows() -> RowStream {
    let rows = kept
    kept = KeptRows(capacity: options.rowsInMemory, moments: nil)
    return rows.inOrder()
  }

  /// Those of a metric's numbers that somebody wants.
  func wanted(_ metric: ExportedMetric) -> [DailyMetric] {
    metric.metrics.filter(wants)
  }

  func wants(_ metric: DailyMetric) -> Bool { options.metrics.contains(metric) }

  static func outside(_ calendar: ZoneCalendar) -> String {
    "a date lies outside the calendar of \(calendar.zones)"
  }

  /// The metric that an element of `metrics` is, if its rows are wanted.
  mutating func series(_ element: JSONValue, index: Int) -> Series? {
    guard let name = element["name"]?.stringValue else {
      reader.problems.add(
        "/data/metrics/\(index)", "the metric has no 'name'", remedy: "export it again as JSON")
      return nil
    }
    guard let metric = ExportedMetric.named(name), !wanted(metric).isEmpty else { return nil }
    switch element["data"] {
    case .array: return Series(metric: metric, units: element["units"]?.stringValue, index: index)
    case nil, .null: return nil
    default:
      reader.problems.add(
        "/data/metrics/\(index)/data", "'data' is not an array", remedy: "export it again as JSON")
      return nil
    }
  }

  /// Counts the rows of an element of `metrics` that is not read.
  mutating func noteUnused(_ element: JSONValue, rows: Int) {
    guard let name = element["name"]?.stringValue, ExportedMetric.named(name) == nil else { return }
    unused.add(metric: name, rows: rows)
  }

  mutating func noteNoMetrics() { payloadsWithoutMetrics += 1 }

  mutating func noteNoArray() {
    reader.problems.add(
      "/data/metrics", "'metrics' is not an array", remedy: "export it again as JSON")
  }

  private mutating func notePayloads() {
    if payloadsWithoutMetrics > 0 {
      notes.append(
        payloads == 1
          ? "the payload has no metrics"
          : "\(payloadsWithoutMetrics) of \(payloads) payloads have no metrics")
    }
    notes += remarks
  }

  /// What nothing is made of, and what was read in another way than it is written.
  var remarks: [String] {
    unused.notes + [reader.dateRemark, reader.emptyRemark].compactMap(\.self)
  }
}

extension HealthAutoExport {
  /// The workouts and periods of sleep of each day that has any, the oldest day first.
  mutating func records() throws(ReportingDay.Failure) -> [DayRecords] {
    var found: [CalendarDate: (workouts: [Workout], sleep: [SleepSegment])] = [:]
    for workout in workouts.inOrder {
      let date = try reader.calendar.day(at: Int(workout.start)).date
      found[date, default: ([], [])].workouts.append(workout)
    }
    for segment in sleep.inOrder {
      let date = try reader.calendar.night(at: Int(segment.start)).date
      found[date, default: ([], [])].sleep.append(segment)
    }
    return found.sorted { $0.key < $1.key }.map { date, records in
      DayRecords(
        date: date, timeZoneName: reader.calendar.zones.name(on: date),
        workouts: records.workouts, sleep: records.sleep)
    }
  }
}

/// What is wanted of payloads.
package struct PayloadOptions: Hashable, Sendable {
  /// The metrics that are read.
  package var metrics = Set(DailyMetric.allCases)
  /// Whether workouts and periods of sleep are kept.
  package var keepsRecords = false
  /// Whether a broken file of a folder is passed over.
  package var passesOverBroken = false
  /// Rows that are kept in memory, 32 bytes each; further ones go to a temporary file.
  package var rowsInMemory = 250_000

  package init() {}
}
