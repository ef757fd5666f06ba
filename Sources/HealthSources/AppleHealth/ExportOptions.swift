package import HealthModel
internal import HealthSamples

/// What is wanted of an export.
package struct ExportOptions: Hashable, Sendable {
  /// The zones whose days are meant; nil to go by the export (`ZoneChoice`).
  package var zones: ReportingZones?
  /// The zone of this machine, where `zones` is nil and the export names none.
  package var systemTimeZoneName: String?
  /// Names of sources, the best first; they come before HealthKit's default order, but after what
  /// was typed in by hand.
  package var sourcePriority: [String] = []
  /// Days wanted; nil for no bound on that side.
  package var firstDate: CalendarDate?
  package var lastDate: CalendarDate?
  /// The day to explain, if any.
  package var explainedDate: CalendarDate?
  /// Makes the further metrics, the workouts and the stretches of sleep too.
  package var wantsWiderTable = false
  /// Samples kept in memory at once, 36 bytes each; further ones go to the spool.
  package var samplesInMemory = 500_000

  package init() {}

  /// The metrics that are made.
  var metrics: [DailyMetric] { wantsWiderTable ? DailyMetric.allCases : DailyMetric.ofV0 }
}
