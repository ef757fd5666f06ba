package import HealthModel

/// What the rows of one capture say, read once for all the days that it touches: a payload, or several
/// that the app sent in one session (R55).
///
/// A capture is much larger than what one of its days needs of it, so it is not to be read for each.
package struct CaptureRows: Sendable {
  /// A reader that has read the capture alone.
  private(set) var reader: HealthAutoExport
  /// Rows that were wrong, and left out.
  private(set) var faults = 0
  /// The first of them, and what is wrong with it.
  private(set) var firstFault: String?

  /// - Parameters:
  ///   - payloads: all of the capture.
  ///   - rowLength: how long its rows are, if the app says so.
  ///   - metrics: those that are wanted.
  /// - Throws: `SourceError` unknownTimeZone.
  package init(
    _ payloads: [JSONValue], rowLength: RowLength?, in zones: ReportingZones,
    metrics: Set<DailyMetric>
  ) throws(SourceError) {
    try self.init(rowLength, zones, metrics)
    reader.add(payloads.count == 1 ? payloads[0] : Self.joined(payloads))
    end()
  }

  /// Reads one payload that was cut into parts, each metric's rows in their order.
  package init(
    parts: some Sequence<JSONValue>, rowLength: RowLength?, in zones: ReportingZones,
    metrics: Set<DailyMetric>
  ) throws(SourceError) {
    try self.init(rowLength, zones, metrics)
    reader.add(parts: parts)
    end()
  }

  private init(
    _ rowLength: RowLength?, _ zones: ReportingZones, _ metrics: Set<DailyMetric>
  ) throws(SourceError) {
    var options = PayloadOptions()
    options.metrics = metrics
    options.rowsInMemory = .max
    reader = HealthAutoExport(
      calendar: try ZoneCalendar(zones), options: options)
    reader.rowLength = rowLength
  }

  private mutating func end() {
    faults = reader.problems.count
    firstFault = reader.problems.problems.first.map { "\($0.pointer): \($0.message)" }
    reader.forgetProblems()
    reader.kept.trim()
  }

  /// About how many bytes of memory it takes.
  package var cost: Int { reader.cost }

  /// What of a payload is in no day, for whoever sent it: how many rows are wrong, and sentences about
  /// them and about what is not known.
  package static func leftOut(of payload: JSONValue) -> (rows: Int, notes: [String]) {
    let metrics = Set(DailyMetric.allCases)
    guard
      let read = try? CaptureRows(
        [payload], rowLength: .day, in: ReportingZones("Etc/UTC"), metrics: metrics)
    else { return (0, []) }
    let words = PayloadDay.words(of: read.faults, first: read.firstFault)
    let reader = read.reader
    return (
      read.faults,
      [words].compactMap(\.self) + reader.leftOut.notes + reader.sleep.stageNotes
        + reader.findings.allNotes + reader.remarks
    )
  }

  /// The payloads of one session as one: a metric's rows may stand in several of them, and what they
  /// are shows only in all together.
  private static func joined(_ parts: [JSONValue]) -> JSONValue {
    struct Name: Hashable { var name: String, units: JSONValue? }
    var (order, rows, others): ([Name], [Name: [JSONValue]], [JSONValue]) = ([], [:], [])
    for metric in parts.flatMap({ $0["data"]?["metrics"]?.arrayValue ?? [] }) {
      guard let name = metric["name"]?.stringValue, let data = metric["data"]?.arrayValue else {
        others.append(metric)
        continue
      }
      let key = Name(name: name, units: metric["units"])
      if rows[key] == nil { order.append(key) }
      rows[key, default: []] += data
    }
    let metrics = order.map { key in
      var members: [String: JSONValue] = [
        "name": .string(key.name), "data": .array(rows[key] ?? []),
      ]
      members["units"] = key.units
      return JSONValue.object(members)
    }
    return .object(["data": .object(["metrics": .array(metrics + others)])])
  }
}
