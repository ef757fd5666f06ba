internal import HealthModel
internal import HealthSamples

/// Reads payloads of the app Health Auto Export: one, or several that overlap.
///
/// `{"data": {"metrics": [{"name", "units", "data": [rows]}]}}`; `data` of a metric may be null or
/// empty, `data` itself may be an empty array, and `workouts` may stand within `data` or beside it.
struct HealthAutoExport {
  var reader: RowReader
  var findings = DayFindings()
  var notes: [String] = []
  /// Rows of quantities by metric, of all payloads so far.
  var quantities: [ExportedMetric: QuantityRows] = [:]
  var sleep = SleepRows()

  private var payloads = 0
  private var payloadsWithoutMetrics = 0
  private var unused: Set<String> = []
  private var workouts = 0

  var problems: ProblemList { reader.problems }

  init(calendar: ZoneCalendar) {
    reader = RowReader(calendar: calendar, problems: ProblemList())
  }

  /// One metric of a payload.
  struct Series {
    let metric: ExportedMetric
    let units: String?
    let rows: [JSONValue]
    /// Index in the payload.
    let index: Int
  }

  /// What was read of one quantity.
  struct QuantityRows {
    var samples: [QuantityRow] = []
    /// Rows that HealthKit has summed by day.
    var wholeDays: [QuantityRow] = []
  }

  /// Adds a payload that was captured after those added before; meaningless where `problems` is not
  /// empty afterwards.
  mutating func add(_ root: JSONValue) {
    reader.capture = payloads
    payloads += 1
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
    workouts +=
      (root["data"]?["workouts"]?.arrayValue?.count ?? 0)
      + (root["workouts"]?.arrayValue?.count ?? 0)
  }

  /// The days of all payloads; meaningless where `problems` is not empty afterwards.
  mutating func result() -> SourceResult {
    notePayloads()
    for metric in ExportedMetric.all {
      do {
        if metric.kind == .sleepAnalysis {
          try settleSleep()
        } else if let rows = quantities[metric] {
          try settle(metric, rows)
        }
      } catch {
        reader.problems.add(
          "", "\(metric.name): \(Self.outside(reader.calendar))",
          remedy: "correct the dates, or the time zone")
      }
    }
    if workouts > 0 { notes.append("\(workouts) workouts were not used") }
    if reader.emptyRows > 0 { notes.append("\(reader.emptyRows) rows have no number (null)") }
    return SourceResult(
      days: findings.days(in: reader.calendar.zones), notes: notes)
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
        if unused.count < Self.maximumNames { unused.insert(String(name.prefix(64))) }
        continue
      }
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

  /// Most names of unused metrics that are kept.
  private static let maximumNames = 1000

  private mutating func notePayloads() {
    if payloadsWithoutMetrics > 0 {
      notes.append(
        payloads == 1
          ? "the payload has no metrics"
          : "\(payloadsWithoutMetrics) of \(payloads) payloads have no metrics")
    }
    let names = unused.sorted()
    guard !names.isEmpty else { return }
    let more = names.count > 10 ? " and \(names.count - 10) more" : ""
    notes.append(
      "\(names.count) \(names.count == 1 ? "metric was" : "metrics were") not used: \(names.prefix(10).joined(separator: ", "))\(more)"
    )
  }
}
