package import HealthModel

/// What is wanted of payloads beside the eight metrics of health.v0.
package struct PayloadOptions: Hashable, Sendable {
  /// The further metrics that are read (R42).
  package var further = Set(DailyMetric.further)
  /// Whether workouts and periods of sleep are kept.
  package var keepsRecords = false
  /// Rows that are kept in memory, 32 bytes each; further ones go to a temporary file.
  package var rowsInMemory = 250_000

  package init() {}
}
