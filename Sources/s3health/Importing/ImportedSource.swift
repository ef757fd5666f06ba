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
    let crossCheck: ActivityCrossCheck
  }

  let kind: Kind
  /// As the command line has it.
  let name: String
  let zone: ZoneChoice
  /// Those with readings, oldest first.
  let days: [DayReadings]
  /// When the source says that it was made.
  var exportedAt: Timestamp?
  /// Files of payloads, or an export's records.
  let units: Int
  /// Remarks for a person.
  let notes: [String]
  /// Nil for payloads.
  var export: Export?

  /// The days to publish and those left out (docs/IMPORT.md).
  func span(from: CalendarDate?, to: CalendarDate?) throws(LedgerError) -> ImportSpan {
    var exportDate: CalendarDate?
    if let exportedAt {
      do {
        exportDate = try ReportingDay.date(at: exportedAt, timeZoneName: zone.name)
      } catch {
        throw error.ledgerError
      }
    }
    guard !days.isEmpty else {
      throw LedgerError(
        .dataNotFound, "\(name) holds none of the eight metrics",
        remedy: "check what was exported")
    }
    return ImportSpan(
      days, fillsGaps: kind == .appleExport, exportDate: exportDate, from: from, to: to)
  }
}
