package import HealthSamples

/// What is wanted of payloads beside the eight metrics of health.v0.
package struct PayloadOptions: Hashable, Sendable {
  /// The further metrics that are read (R42).
  package var further = Set(DailyMetric.further)
  /// Whether workouts and periods of sleep are kept.
  package var keepsRecords = false
  /// Whether days that have none of the eight metrics are kept.
  ///
  /// A payload holds what its automation exports: a document of such a day would replace the
  /// eight of a fuller one by `no_data` (R19).
  package var keepsBareDays = false

  package init() {}
}
