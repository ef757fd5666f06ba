package import AppleExport
package import HealthModel

/// Why the days of an export can't be made.
package enum ExportFailure: Error, Hashable, Sendable {
  /// The temporary file failed.
  case spool(SpoolFailure)
  /// The time zone's days can't be had.
  case calendar(ReportingDay.Failure)
}
