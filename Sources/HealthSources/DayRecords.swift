package import HealthModel
package import HealthSamples

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
