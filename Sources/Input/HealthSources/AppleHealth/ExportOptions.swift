package import HealthModel

/// What is wanted of an export.
package struct ExportOptions: Hashable, Sendable {
  /// The zones whose days are meant; nil to go by the export (`ZoneChoice`).
  package var zones: ReportingZones?
  /// The zones that the store keeps, where `zones` is nil and the export names none.
  package var keptZones: ReportingZones?
  /// The zone of this machine, where there are none of these.
  package var systemTimeZoneName: String?
  /// Names of sources, the best first; they come before HealthKit's default order, but after what
  /// was typed in by hand.
  package var sourcePriority: [String] = []
  /// Days wanted; nil for no bound on that side.
  package var firstDate: CalendarDate?
  package var lastDate: CalendarDate?
  /// The day to explain, if any.
  package var explainedDate: CalendarDate?
  /// The metrics to make.
  package var metrics = Set(DailyMetric.required)

  /// Makes the workouts and the periods of sleep of each day too.
  package var wantsRecords = false
  /// Samples kept in memory at once, 36 bytes each; further ones go to the spool.
  package var samplesInMemory = 500_000

  package init() {}

  /// The metrics that are made, in the order of the catalogue.
  var counted: [CountedMetric] {
    DailyMetric.allCases.filter(metrics.contains).map(CountedMetric.init)
  }

  /// The kinds of samples that are read.
  var kinds: KindSet {
    var kinds = KindSet(of: metrics)
    // A pressure counts with its other half alone.
    kinds.complete(.bloodPressureSystolic, .bloodPressureDiastolic)
    return kinds
  }
}
