internal import HealthModel
internal import HealthSamples

extension HealthAutoExport {
  /// The workouts and periods of sleep of each day that has any, the oldest day first.
  mutating func records() throws(ReportingDay.Failure) -> [DayRecords] {
    var found: [CalendarDate: (workouts: [Workout], sleep: [SleepSegment])] = [:]
    for workout in workouts.inOrder {
      let date = try reader.calendar.day(at: Int(workout.start)).date
      found[date, default: ([], [])].workouts.append(workout)
    }
    for segment in sleep.inOrder {
      let date = try reader.calendar.night(at: Int(segment.start)).date
      found[date, default: ([], [])].sleep.append(segment)
    }
    return found.sorted { $0.key < $1.key }.map { date, records in
      DayRecords(
        date: date, timeZoneName: reader.calendar.zones.name(on: date),
        workouts: records.workouts, sleep: records.sleep)
    }
  }
}
