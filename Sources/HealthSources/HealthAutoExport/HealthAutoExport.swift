internal import HealthModel

/// Reads a payload of the app Health Auto Export.
///
/// `{"data": {"metrics": [{"name", "units", "data": [rows]}]}}`; `data` of a metric may be null or
/// empty, and `workouts` may stand within `data` or beside it.
struct HealthAutoExport {
  var reader: RowReader
  var findings = DayFindings()
  var notes: [String] = []

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

  /// The days of the payload; meaningless where `problems` is not empty afterwards.
  mutating func read(_ root: JSONValue) -> SourceResult {
    let series = seriesUsed(root["data"] ?? .null)
    for metric in ExportedMetric.allCases {
      let own = series.filter { $0.metric == metric }
      guard !own.isEmpty else { continue }
      do {
        if metric == .sleepAnalysis { try readSleep(own) } else { try readQuantity(metric, own) }
      } catch {
        let index = own.first?.index ?? 0
        reader.problems.add(
          "/data/metrics/\(index)",
          "a date lies outside the calendar of \(reader.calendar.timeZoneName)",
          remedy: "correct the dates, or the time zone")
      }
    }
    noteWorkouts(root)
    if reader.emptyRows > 0 { notes.append("\(reader.emptyRows) rows have no number (null)") }
    return SourceResult(
      days: findings.days(timeZoneName: reader.calendar.timeZoneName), notes: notes)
  }

  private mutating func seriesUsed(_ data: JSONValue) -> [Series] {
    guard let metrics = data["metrics"], metrics != .null else {
      notes.append("the payload has no metrics")
      return []
    }
    guard let elements = metrics.arrayValue else {
      reader.problems.add(
        "/data/metrics", "'metrics' is not an array", remedy: "export it again as JSON")
      return []
    }
    var used: [Series] = []
    var unused: Set<String> = []
    for (index, element) in elements.enumerated() {
      guard let name = element["name"]?.stringValue else {
        reader.problems.add(
          "/data/metrics/\(index)", "the metric has no 'name'", remedy: "export it again as JSON")
        continue
      }
      guard let metric = ExportedMetric(rawValue: name) else {
        unused.insert(String(name.prefix(64)))
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
    noteUnused(unused.sorted())
    return used
  }

  private mutating func noteUnused(_ names: [String]) {
    guard !names.isEmpty else { return }
    let more = names.count > 10 ? " and \(names.count - 10) more" : ""
    notes.append(
      "\(names.count) \(names.count == 1 ? "metric was" : "metrics were") not used: \(names.prefix(10).joined(separator: ", "))\(more)"
    )
  }

  private mutating func noteWorkouts(_ root: JSONValue) {
    let count =
      (root["data"]?["workouts"]?.arrayValue?.count ?? 0)
      + (root["workouts"]?.arrayValue?.count ?? 0)
    if count > 0 { notes.append("\(count) workouts were not used") }
  }
}
