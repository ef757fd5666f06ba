package import HealthModel
package import HealthSamples

/// The table of days: a row for each day, a column for each metric.
package struct DaysTable: Sendable {
  /// The metrics, in the order of their columns.
  package let metrics: [DailyMetric]

  package init(_ metrics: [DailyMetric]) { self.metrics = metrics }

  package var columns: [String] {
    ["date", "timezone"]
      + metrics.map(\.columnName)
  }

  /// The row of a day; a metric without a number is null, whatever the reason.
  package func row(
    _ date: CalendarDate, timeZoneName: String, _ reading: (DailyMetric) -> Double?
  ) -> [TableValue?] {
    [.word("\(date)"), .text(timeZoneName)] + metrics.map { reading($0).map(TableValue.number) }
  }
}

/// The table of workouts: a row for each, oldest first.
package enum WorkoutsTable {
  package static let columns: [String] =
    [
      "id", "date", "activity",
      "start", "end", "timezone",
      "duration_seconds", "source",
    ] + WorkoutFigure.allCases.map(\.columnName)

  /// - Parameters:
  ///   - date: the day on which the workout begins.
  ///   - timeZoneName: the zone of that day.
  package static func row(
    _ workout: Workout, on date: CalendarDate, timeZoneName: String
  ) -> [TableValue?] {
    [
      .word(workout.id), .word("\(date)"), .text(workout.activity), moment(workout.start),
      moment(workout.end), .text(timeZoneName), workout.duration.map(TableValue.number),
      .text(workout.source),
    ] + WorkoutFigure.allCases.map { workout.figures[$0].map(TableValue.number) }
  }
}

/// The table of sleep: a row for each period, as the sources recorded it.
package enum SleepTable {
  package static let columns: [String] = [
    "id", "date", "value",
    "start", "end", "timezone",
    "minutes", "source",
  ]

  /// - Parameters:
  ///   - date: the day on which the night ends.
  ///   - timeZoneName: the zone of that day.
  package static func row(
    _ segment: SleepSegment, on date: CalendarDate, timeZoneName: String
  ) -> [TableValue?] {
    [
      .word(segment.id), .word("\(date)"), .word(segment.value.name), moment(segment.start),
      moment(segment.end), .text(timeZoneName),
      .number(Double(segment.end - segment.start) / 60), .text(segment.source),
    ]
  }
}

private func moment(_ seconds: Int64) -> TableValue {
  .word("\(Timestamp(secondsSince1970: Int(seconds)))")
}
