package import HealthModel

/// What one input says about one day.
package struct DayReadings: Hashable, Sendable {
  package let date: CalendarDate
  /// IANA name that the input gives or was read in; nil where it leaves the choice to the caller.
  package let timeZoneName: String?
  /// When the collector read the data, if the input says so.
  package let capturedAt: Timestamp?
  /// When the file with the data was written, if that is known and the input says nothing.
  package let writtenAt: Timestamp?
  /// The input's readings; an optional metric is there only with a number (R42).
  package let readings: [DailyMetric: MetricReading]
  /// Where the data comes from.
  package let source: DataSource
  /// The metrics that the input speaks of (R19). A reading of another one only says why the input has
  /// no number.
  package let speaksOf: Set<DailyMetric>
  /// The moments of the whole input; nil where it has the whole day.
  package let moments: InputMoments?
  /// The metrics whose number HealthKit has made of the whole day.
  package let ofWholeDay: Set<DailyMetric>
  /// Remarks for a person on this day, such as why a metric is `unsupported`.
  package let notes: [String]

  /// - Parameter speaksOf: nil for the metrics that have a number.
  package init(
    date: CalendarDate, from source: DataSource, timeZoneName: String? = nil,
    capturedAt: Timestamp? = nil, writtenAt: Timestamp? = nil,
    readings: [DailyMetric: MetricReading], speaksOf: Set<DailyMetric>? = nil,
    moments: InputMoments? = nil, ofWholeDay: Set<DailyMetric> = [], notes: [String] = []
  ) {
    self.date = date
    self.timeZoneName = timeZoneName
    (self.capturedAt, self.writtenAt) = (capturedAt, writtenAt)
    self.source = source
    self.readings = readings.sayable
    self.speaksOf = speaksOf ?? Set(readings.lazy.filter { $0.value.number != nil }.map(\.key))
    (self.moments, self.ofWholeDay, self.notes) = (moments, ofWholeDay, notes)
  }

  /// Whether the input says anything of the day's metrics, even if only that one is unsupported.
  package var saysAnything: Bool { !readings.isEmpty }
}

/// All days of one input.
package struct SourceResult: Hashable, Sendable {
  /// Sorted by date, no date twice; empty where the input holds none of the metrics wanted.
  package let days: [DayReadings]
  /// Remarks for a person on the input as a whole, such as metrics that were not used.
  package let notes: [String]
  /// Whether rows were written in another zone than that of their days.
  package let misfit: OffsetMisfit?

  package init(days: [DayReadings], notes: [String] = [], misfit: OffsetMisfit? = nil) {
    (self.days, self.notes, self.misfit) = (days, notes, misfit)
  }
}

/// The workouts and the periods of sleep of one day, as a source recorded them.
package struct DayRecords: Hashable, Sendable {
  package let date: CalendarDate
  /// The zone whose day it is.
  package let timeZoneName: String
  /// Those that begin on the day, the oldest first.
  package let workouts: [Workout]
  /// Those of the night that ends on the day, in the order of their starts; one that reaches over
  /// two nights stands in the night in which it begins.
  package let sleep: [SleepSegment]

  package init(
    date: CalendarDate, timeZoneName: String, workouts: [Workout], sleep: [SleepSegment]
  ) {
    (self.date, self.timeZoneName) = (date, timeZoneName)
    (self.workouts, self.sleep) = (workouts, sleep)
  }
}
