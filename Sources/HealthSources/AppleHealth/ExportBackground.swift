internal import AppleExport

/// What an export tells beside its samples.
struct ExportBackground {
  /// When it was made; seconds since 1970.
  let exportDate: Int?
  let activity: ActivityRecords
  let workouts: [ExportWorkout]
  /// Samples that were left out when they were read; only where a day is to be explained.
  let refused: [RefusedSample]
}
