package import AppleExport
import HealthLedger
package import HealthModel
package import HealthSources

/// What an import found in its source, before anything is published.
package struct ImportedSource: Sendable {
  /// What the source is; the raw value stands in JSON output.
  package enum Kind: String, Sendable {
    case appleExport = "apple_health_export"
    case healthAutoExport = "health_auto_export"

    /// For people.
    package var label: String {
      switch self {
      case .appleExport: "Apple Health export"
      case .healthAutoExport: "Health Auto Export"
      }
    }
  }

  /// What Apple's export tells beyond its days.
  package struct Export: Sendable {
    /// `HealthData`'s locale, such as `en_GB`.
    package var locale: String?
    /// The file in a zip or folder that was read.
    package let entry: String?
    package let xmlBytes: Int64
    package let tally: ExportTally
    /// The first tag that was left out for each reason.
    package let examples: [SkipReason: SkippedExample]
    package let crossCheck: ActivityCrossCheck
    /// Of the date asked about, where one was.
    package let explanation: DayExplanation?
  }

  package let kind: Kind
  /// As whoever asked for it named it.
  package let name: String
  package let zone: ZoneChoice
  /// Those with readings, oldest first.
  package let days: [DayReadings]
  /// From the first to the last date with a sample, of a source that holds all there was; nil for
  /// payloads, which may not tell of a day.
  package var coverage: ClosedRange<CalendarDate>?
  /// When the source says that it was made.
  package var exportedAt: Timestamp?
  /// Files of payloads, or an export's records.
  package let units: Int
  /// Remarks for a person.
  package let notes: [IntakeNote]
  /// Whether workouts or sleep were handed on: then a source without a day is no mistake.
  package var hasRecords = false
  /// Nil for payloads.
  package var export: Export?

  /// The days to publish and those left out (docs/IMPORT.md).
  ///
  /// - Parameter now: dates that have not begun by then are left out; nil: none is.
  /// - Throws: `IntakeError` DATA_NOT_FOUND where there is none to publish.
  package func span(
    from: CalendarDate?, to: CalendarDate?, before now: Timestamp? = nil
  ) throws(IntakeError) -> ImportSpan {
    var source = ImportSpan.Source(zones: zone.zones, coverage: coverage)
    source.now = now
    if let exportedAt { source.exportDate = try zone.date(at: exportedAt) }
    let span = ImportSpan(days, of: source, from: from, to: to)
    guard span.days.isEmpty, !hasRecords else { return span }
    if let day = span.leftOut.first(where: { $0.reason == .exportDay })?.to {
      throw IntakeError(
        .dataNotFound,
        "\(name) holds nothing to publish but \(day), the day of the export, which was not over",
        advice: .includeExportDay(day))
    }
    let held = coverage ?? days.first.map { $0.date...(days.last ?? $0).date }
    guard let held else {
      throw IntakeError(
        .dataNotFound, "\(name) holds none of the metrics that are read",
        remedy: "check what was exported")
    }
    throw IntakeError(
      .dataNotFound,
      "\(name) holds \(held.lowerBound) to \(held.upperBound), and nothing to publish of the dates "
        + "asked for", advice: .askForOtherDates)
  }
}

extension ZoneChoice {
  /// The date in this zone.
  fileprivate func date(at moment: Timestamp) throws(IntakeError) -> CalendarDate {
    do {
      return try zones.date(at: moment)
    } catch {
      throw IntakeError(error)
    }
  }
}
