internal import AppleExport
package import HealthModel

/// Several payloads of Health Auto Export as one source, in the order in which they were captured.
///
/// Automations export overlapping stretches: what a later payload says of the same time, source and
/// metric replaces what an earlier one said, and nothing counts twice (docs/METRICS-JSON.md).
package struct PayloadSeries: Sendable {
  private var reader: HealthAutoExport

  /// No payload yet, to be read by the days of these zones.
  ///
  /// - Throws: `SourceError` unknownTimeZone.
  package init(
    zones: ReportingZones, options: PayloadOptions = PayloadOptions()
  ) throws(SourceError) {
    reader = HealthAutoExport(calendar: try ZoneCalendar(zones), options: options)
  }

  /// The same of one zone.
  package init(
    timeZoneName: String, options: PayloadOptions = PayloadOptions()
  ) throws(SourceError) {
    try self.init(zones: ReportingZones(timeZoneName), options: options)
  }

  /// Adds the payload that was captured next.
  ///
  /// - Parameter writtenAt: when its file was written; nil if that is not known.
  /// - Throws: `SourceError` with all problems of this payload, or notRecognised for an input that
  ///   is not a payload; the series must not be used then.
  package mutating func add(
    _ document: SourceDocument, writtenAt: Timestamp? = nil
  ) throws(SourceError) {
    guard document.kind == .healthAutoExport else {
      throw SourceError(
        .notRecognised,
        "the input is \(document.kind == .metrics ? "a metrics JSON" : "a stored revision"), and not a "
          + "payload of Health Auto Export",
        remedy: .input(.publishAlone))
    }
    reader.writtenAt = writtenAt
    reader.add(parts: [document.root])
    try check()
  }

  /// Adds the payload that was captured next, of any size: its bytes are read a part at a time.
  ///
  /// - Throws: as `add(_:)`, or notJSON with the offset of the fault.
  package mutating func add(
    scanning bytes: PayloadBytes, writtenAt: Timestamp? = nil
  ) throws(SourceError) {
    reader.writtenAt = writtenAt
    try ForeignFormat.refuse(try bytes.read(0, 4096))
    try reader.add(scanning: bytes) { (members) throws(SourceError) in
      try SourceDocument.kind(of: members) == .healthAutoExport
    }
    try check()
  }

  /// Rows that were written in another zone than that of their days, of all payloads added.
  package var misfit: OffsetMisfit? { reader.misfit }

  /// The days of all payloads added.
  ///
  /// - Throws: `SourceError` invalid where days can't be made of them.
  package mutating func result() throws(SourceError) -> SourceResult {
    let result = reader.result()
    try check()
    return result
  }

  private func check() throws(SourceError) {
    if let failure = reader.spoolFailure {
      throw SourceError(
        .spool, failure.message, remedy: .text(failure.remedy))
    }
    guard reader.problems.isEmpty else { throw SourceError(.invalid, reader.problems) }
  }

  /// The workouts and periods of sleep of all payloads added, day by day, the oldest first; none
  /// unless the options keep them.
  ///
  /// - Throws: `SourceError` invalid where a date lies outside the calendar.
  package mutating func records() throws(SourceError) -> [DayRecords] {
    do {
      return try reader.records()
    } catch {
      throw SourceError(
        .invalid, "the date of a workout or of sleep lies outside the calendar",
        remedy: "correct the dates, or the time zone")
    }
  }
}
