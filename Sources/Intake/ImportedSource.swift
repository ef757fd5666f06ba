import AppleExport
import HealthLedger
import HealthModel
import HealthSources

/// What an import found in its source, before anything is published.
struct ImportedSource {
  /// What the source is; the raw value stands in JSON output.
  enum Kind: String {
    case appleExport = "apple_health_export"
    case healthAutoExport = "health_auto_export"

    /// For people.
    var label: String {
      switch self {
      case .appleExport: "Apple Health export"
      case .healthAutoExport: "Health Auto Export"
      }
    }
  }

  /// What Apple's export tells beyond its days.
  struct Export {
    /// `HealthData`'s locale, such as `en_GB`.
    var locale: String?
    /// The file in a zip or folder that was read.
    let entry: String?
    let xmlBytes: Int64
    let tally: ExportTally
    /// The first tag that was left out for each reason.
    let examples: [SkipReason: SkippedExample]
    let crossCheck: ActivityCrossCheck
    /// Of the date asked about, where one was.
    let explanation: DayExplanation?
  }

  let kind: Kind
  /// As the command line has it.
  let name: String
  let zone: ZoneChoice
  /// Those with readings, oldest first.
  let days: [DayReadings]
  /// From the first to the last date with a sample, of a source that holds all there was; nil for
  /// payloads, which may not tell of a day.
  var coverage: ClosedRange<CalendarDate>?
  /// When the source says that it was made.
  var exportedAt: Timestamp?
  /// Files of payloads, or an export's records.
  let units: Int
  /// Remarks for a person.
  let notes: [String]
  /// Nil for payloads.
  var export: Export?

  /// The days to publish and those left out (docs/IMPORT.md).
  ///
  /// - Parameter now: dates that have not begun by then are left out; nil: none is.
  /// - Throws: `LedgerError` DATA_NOT_FOUND where there is none to publish.
  func span(
    from: CalendarDate?, to: CalendarDate?, before now: Timestamp? = nil
  ) throws(LedgerError) -> ImportSpan {
    var source = ImportSpan.Source(zones: zone.zones, coverage: coverage)
    source.now = now
    if let exportedAt { source.exportDate = try zone.date(at: exportedAt) }
    let span = ImportSpan(days, of: source, from: from, to: to)
    guard span.days.isEmpty else { return span }
    if let day = span.leftOut.first(where: { $0.reason == .exportDay })?.to {
      throw LedgerError(
        .dataNotFound,
        "\(name) holds nothing to publish but \(day), the day of the export, which was not over",
        remedy: "publish it all the same by --to \(day), or export again tomorrow")
    }
    let held = coverage ?? days.first.map { $0.date...(days.last ?? $0).date }
    throw LedgerError(
      .dataNotFound,
      held.map {
        "\(name) holds \($0.lowerBound) to \($0.upperBound), and nothing to publish of the dates "
          + "asked for"
      } ?? "\(name) holds none of the eight metrics",
      remedy: held == nil ? "check what was exported" : "ask for others by --from and --to")
  }
}

extension ZoneChoice {
  /// The date in this zone.
  func date(at moment: Timestamp) throws(LedgerError) -> CalendarDate {
    do {
      return try zones.date(at: moment)
    } catch {
      throw error.ledgerError
    }
  }
}
