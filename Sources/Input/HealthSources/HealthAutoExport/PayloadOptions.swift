package import HealthModel

/// What is wanted of payloads.
package struct PayloadOptions: Hashable, Sendable {
  /// The metrics that are read.
  package var metrics = Set(DailyMetric.allCases)
  /// Whether workouts and periods of sleep are kept.
  package var keepsRecords = false
  /// Whether a broken file of a folder is passed over.
  package var passesOverBroken = false
  /// Rows that are kept in memory, 32 bytes each; further ones go to a temporary file.
  package var rowsInMemory = 250_000

  package init() {}
}
