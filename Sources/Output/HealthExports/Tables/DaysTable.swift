package import HealthModel

/// The table of days: a row for each day, a column for each metric.
package struct DaysTable: Sendable {
  /// The metrics, in the order of their columns.
  package let metrics: [DailyMetric]

  package init(_ metrics: [DailyMetric]) { self.metrics = metrics }

  package var columns: [String] {
    ["date", "timezone"]
      + metrics.map(\.columnName) + ["day_over", "partial"]
  }

  /// The row of a day; a metric without a number is null, whatever the reason.
  ///
  /// - Parameters:
  ///   - isOver: false while the day still runs.
  ///   - partial: the metrics whose numbers are of a part of the day (R33).
  package func row(
    _ date: CalendarDate, timeZoneName: String, isOver: Bool, partial: Set<DailyMetric>,
    _ reading: (DailyMetric) -> Double?
  ) -> [TableValue?] {
    let parts = metrics.filter { partial.contains($0) && reading($0) != nil }.map(\.columnName)
    return [.word("\(date)"), .text(timeZoneName)]
      + metrics.map { reading($0).map(TableValue.number) }
      + [.flag(isOver), parts.isEmpty ? nil : .word(parts.joined(separator: " "))]
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
      .word(workout.id), .word("\(date)"), text(workout.activity), moment(workout.start),
      moment(workout.end), .text(timeZoneName), duration(of: workout).map(number),
      text(workout.source),
    ] + WorkoutFigure.allCases.map { workout.figures[$0].map(number) }
  }

  /// What the source says, else the time from its start to its end.
  private static func duration(of workout: Workout) -> Double? {
    workout.duration ?? (workout.end > workout.start ? Double(workout.end - workout.start) : nil)
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
      number(Double(segment.end - segment.start) / 60), text(segment.source),
    ]
  }
}

private func moment(_ seconds: Int64) -> TableValue {
  .word("\(Timestamp(secondsSince1970: Int(seconds)))")
}

/// Without the noise of conversions: 9 miles are 14484.096 m.
private func number(_ number: Double) -> TableValue { .number(number.roundedToMillionths) }

/// What a source wrote; nothing where it wrote nothing.
private func text(_ text: String) -> TableValue? { text.isEmpty ? nil : .text(text) }
