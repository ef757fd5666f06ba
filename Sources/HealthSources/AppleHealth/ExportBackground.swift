internal import AppleExport

/// What an export tells beside its samples and workouts.
struct ExportBackground {
  /// When it was made; seconds since 1970.
  let exportDate: Int?
  let activity: ActivityRecords
  /// Samples that were left out when they were read.
  let refused: RefusedSamples
}
