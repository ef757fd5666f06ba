package import HealthSamples

/// A row of the table of workouts (R56).
package struct WorkoutRecord: Hashable, Sendable {
  /// The workout's UUID, lower case.
  package let id: String
  package let type: String
  package let start: RecordMoment
  package let end: RecordMoment
  package let durationSeconds: Int?
  package let timeZoneName: String?
  /// By the keys of the column `metrics`; those without data are left out.
  package let metrics: [String: Double]

  package init(
    id: String, type: String, start: RecordMoment, end: RecordMoment, durationSeconds: Int?,
    timeZoneName: String?, metrics: [String: Double]
  ) {
    (self.id, self.type, self.start, self.end) = (id, type, start, end)
    (self.durationSeconds, self.timeZoneName) = (durationSeconds, timeZoneName)
    self.metrics = metrics
  }

  /// The row of a workout.
  ///
  /// - Parameter timeZoneName: the zone of the day on which it begins.
  package init(_ workout: Workout, timeZoneName: String) {
    var metrics: [String: Double] = [:]
    for (figure, number) in workout.figures {
      metrics[figure.recordKey] = figure.unit.convert(number, to: figure.recordUnit)
    }
    self.init(
      id: workout.id, type: workout.activity, start: RecordMoment(secondsSince1970: workout.start),
      end: RecordMoment(secondsSince1970: workout.end),
      durationSeconds: workout.duration.flatMap { Int(exactly: $0.rounded()) },
      timeZoneName: timeZoneName, metrics: metrics)
  }
}
