import DayCounting
internal import HealthModel
internal import HealthSamples

/// Reads payloads of the app Health Auto Export: one, or several that overlap.
///
/// `{"data": {"metrics": [{"name", "units", "data": [rows]}]}}`; `data` of a metric may be null or
/// empty, `data` itself may be an empty array, and `workouts` may stand within `data` or beside it.
///
/// A row of one of the eight metrics of health.v0 that is wrong makes the payload invalid. One of a
/// further metric is left out and counted: a payload that was good for the eight stays so.
struct HealthAutoExport {
  let options: PayloadOptions
  var reader: RowReader
  var findings = DayFindings()
  var notes: [String] = []
  /// Rows of quantities by metric and part, of all payloads so far.
  var quantities: [RowChannel: QuantityRows] = [:]
  var sleep: SleepRows
  var workouts = WorkoutReader()
  var leftOut = LeftOutRows()
  var isByDay = false
  /// Whether the rows are known to be of a day at most: then 7 days between them do not mean weeks.
  var isFine = false
  var unclear: [UnclearRows] = []

  private var payloads = 0
  private var payloadsWithoutMetrics = 0
  var unused = UnusedMembers()

  var problems: ProblemList { reader.problems }

  /// Goes on without the rows that were wrong.
  mutating func forgetProblems() { reader.problems = ProblemList() }

  init(calendar: ZoneCalendar, options: PayloadOptions) {
    self.options = options
    reader = RowReader(calendar: calendar, problems: ProblemList())
    sleep = SleepRows(keepsSegments: options.keepsRecords)
  }

  /// One metric of a payload.
  struct Series {
    let metric: ExportedMetric
    let units: String?
    let rows: [JSONValue]
    /// Index in the payload.
    let index: Int
  }

  /// The rows of one part of one metric.
  struct RowChannel: Hashable {
    let metric: ExportedMetric
    let part: RowPart
  }

  /// What was read of one quantity.
  struct QuantityRows {
    var samples: [QuantityRow] = []
    /// Rows that HealthKit has summed by day.
    var wholeDays: [QuantityRow] = []
  }

  /// Rows of a further metric 7 days apart: weeks, or days on which somebody stepped on a scale.
  struct UnclearRows {
    let metric: ExportedMetric
    let rows: [(part: RowPart, row: QuantityRow)]
  }

  /// Adds a payload that was captured after those added before; meaningless where `problems` is not
  /// empty afterwards.
  mutating func add(_ root: JSONValue) {
    reader.capture = payloads
    payloads += 1
    (isByDay, unclear) = (false, [])
    for series in seriesUsed(root["data"] ?? .null) {
      do {
        if series.metric.kind == .sleepAnalysis {
          try addSleep(series)
        } else {
          try addQuantity(series)
        }
      } catch {
        reader.problems.add(
          "/data/metrics/\(series.index)", Self.outside(reader.calendar),
          remedy: "correct the dates, or the time zone")
      }
    }
    addUnclear()
    for (place, value) in [
      ("/data/workouts", root["data"]?["workouts"]), ("/workouts", root["workouts"]),
    ] {
      guard let rows = value?.arrayValue else { continue }
      if options.keepsRecords {
        workouts.add(rows, at: place, reader: &reader)
      } else {
        workouts.passOver(rows.count)
      }
    }
    unused.add(root["data"] ?? .null)
  }

  /// The days of all payloads; meaningless where `problems` is not empty afterwards.
  mutating func result() -> SourceResult {
    notePayloads()
    for metric in ExportedMetric.all {
      do {
        if metric.kind == .sleepAnalysis {
          try settleSleep()
        } else {
          for own in wanted(metric) { try settle(own, of: metric) }
        }
      } catch {
        reader.problems.add(
          "", "\(metric.name): \(Self.outside(reader.calendar))",
          remedy: "correct the dates, or the time zone")
      }
    }
    notes += leftOut.notes + workouts.notes
    if options.keepsRecords, let note = sleep.nightsWithoutSegments(in: &reader.calendar) {
      notes.append(note)
    }
    if reader.emptyRows > 0 { notes.append("\(reader.emptyRows) rows have no number (null)") }
    return SourceResult(days: days, notes: notes)
  }

  /// The days found; adds a note on those that are left out.
  private var days: [DayReadings] {
    mutating get {
      let days = findings.days(in: reader.calendar.zones)
      let bare = days.count { $0.readings.isEmpty }
      guard bare > 0, !options.keepsBareDays else { return days }
      notes.append(
        "\(bare == 1 ? "1 day was" : "\(bare) days were") left out: further metrics alone would "
          + "replace the day's eight metrics by no_data; export them together with the eight")
      return days.filter { !$0.readings.isEmpty }
    }
  }

  /// Those of a metric's numbers that somebody wants.
  func wanted(_ metric: ExportedMetric) -> [DailyMetric] {
    metric.metrics.filter(wants)
  }

  func wants(_ metric: DailyMetric) -> Bool {
    metric.v0Key != nil || options.further.contains(metric)
  }

  private static func outside(_ calendar: ZoneCalendar) -> String {
    "a date lies outside the calendar of \(calendar.zones)"
  }

  private mutating func seriesUsed(_ data: JSONValue) -> [Series] {
    guard let metrics = data["metrics"], metrics != .null else {
      payloadsWithoutMetrics += 1
      return []
    }
    guard let elements = metrics.arrayValue else {
      reader.problems.add(
        "/data/metrics", "'metrics' is not an array", remedy: "export it again as JSON")
      return []
    }
    var used: [Series] = []
    for (index, element) in elements.enumerated() {
      guard let name = element["name"]?.stringValue else {
        reader.problems.add(
          "/data/metrics/\(index)", "the metric has no 'name'", remedy: "export it again as JSON")
        continue
      }
      guard let metric = ExportedMetric.named(name) else {
        unused.add(metric: name, rows: element["data"]?.arrayValue?.count ?? 0)
        continue
      }
      guard !wanted(metric).isEmpty else { continue }
      switch element["data"] {
      case .array(let rows):
        let units = element["units"]?.stringValue
        used.append(Series(metric: metric, units: units, rows: rows, index: index))
      case nil, .null: break
      default:
        reader.problems.add(
          "/data/metrics/\(index)/data", "'data' is not an array", remedy: "export it again as JSON"
        )
      }
    }
    return used
  }

  private mutating func notePayloads() {
    if payloadsWithoutMetrics > 0 {
      notes.append(
        payloads == 1
          ? "the payload has no metrics"
          : "\(payloadsWithoutMetrics) of \(payloads) payloads have no metrics")
    }
    notes += unused.notes
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
