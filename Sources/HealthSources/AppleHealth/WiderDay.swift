package import AppleExport
package import HealthModel
package import HealthSamples

/// All that an export tells of one day beyond the eight metrics.
package struct WiderDay: Hashable, Sendable {
  package let date: CalendarDate
  /// Metrics left out have no data.
  package let numbers: [DailyMetric: Double]
  /// Metrics without a number for which there are samples that can't be counted.
  package let unsupported: Set<DailyMetric>
  /// Those that begin on the day, the oldest first.
  package let workouts: [DayWorkout]
  /// The samples of the night that ends on the day, as they are, in the order of their starts.
  package let sleep: [SleepStretch]

  var isEmpty: Bool {
    numbers.isEmpty && unsupported.isEmpty && workouts.isEmpty && sleep.isEmpty
  }
}

/// One workout with its source.
package struct DayWorkout: Hashable, Sendable {
  package let workout: ExportWorkout
  package let source: ExportSource

  package init(workout: ExportWorkout, source: ExportSource) {
    (self.workout, self.source) = (workout, source)
  }
}

/// One sleep sample with its source.
package struct SleepStretch: Hashable, Sendable {
  package let value: SleepValue
  package let start: Timestamp
  package let end: Timestamp
  package let source: ExportSource
}
