internal import HealthModel

/// One day of an export.
package struct ExportDay: Hashable, Sendable {
  /// Empty of readings only where the day was asked for by `explainedDate` or the wider table.
  package let readings: DayReadings
}
