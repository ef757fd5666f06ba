package import HealthModel

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
    reader.add(parts: parts)
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
        parts: [payload], rowLength: .day, in: ReportingZones("Etc/UTC"), metrics: metrics)
    else { return (0, []) }
    let words = PayloadDay.words(of: read.faults, first: read.firstFault)
    let reader = read.reader
    return (
      read.faults,
      [words].compactMap(\.self) + reader.leftOut.notes + reader.sleep.stageNotes
        + reader.findings.allNotes + reader.remarks
    )
  }
}
