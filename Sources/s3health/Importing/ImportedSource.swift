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

  /// Why the days are those of this zone; the raw value stands in JSON output.
  enum ZoneOrigin: String {
    /// `--timezone`, S3HEALTH_TIMEZONE or the configuration file.
    case given
    /// The zone that most of the export's records name.
    case export
    case machine

    /// For people.
    var label: String {
      switch self {
      case .given: "as given"
      case .export: "named most often in the export"
      case .machine: "this machine's, for want of another; --timezone names one"
      }
    }
  }

  let kind: Kind
  /// As the command line has it.
  let name: String
  let timeZoneName: String
  let timeZoneOrigin: ZoneOrigin
  /// Those with readings, oldest first.
  let days: [DayReadings]
  /// When the source says that it was made.
  var exportedAt: Timestamp?
  /// Payloads, or an export's records.
  let units: Int
  /// Remarks for a person.
  let notes: [String]

  /// The days to publish and those left out (docs/IMPORT.md).
  func span(from: CalendarDate?, to: CalendarDate?) throws(LedgerError) -> ImportSpan {
    var exportDate: CalendarDate?
    if let exportedAt {
      do {
        exportDate = try ReportingDay.date(at: exportedAt, timeZoneName: timeZoneName)
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
