import HealthModel

/// What has been found of each day so far.
struct DayFindings {
  private var readings: [CalendarDate: [DailyMetric: MetricReading]] = [:]
  private var further: [CalendarDate: [DailyMetric: Double]] = [:]
  private var notes: [CalendarDate: [String]] = [:]

  /// A number beats an earlier `unsupported`.
  mutating func set(_ metric: DailyMetric, _ number: Double, on date: CalendarDate) {
    if metric.v0Key == nil {
      further[date, default: [:]][metric] = metric.rounded(number)
    } else {
      readings[date, default: [:]][metric] = .value(metric.rounded(number))
    }
  }

  /// Marks days as unsupported unless they have a number; a further metric is just not there.
  mutating func unsupported(
    _ metric: ExportedMetric, _ dates: Set<CalendarDate>, because reason: String
  ) {
    for date in dates {
      note(date, reason)
      for own in metric.ofV0 where readings[date]?[own] == nil {
        readings[date, default: [:]][own] = .unsupported
      }
    }
  }

  mutating func note(_ date: CalendarDate, _ text: String) {
    if notes[date]?.contains(text) != true { notes[date, default: []].append(text) }
  }

  /// The days, oldest first.
  func days(in zones: ReportingZones) -> [DayReadings] {
    Set(readings.keys).union(further.keys).sorted().map { date in
      DayReadings(
        date: date, timeZoneName: zones.name(on: date), readings: (readings[date] ?? [:]).ofV0,
        further: further[date] ?? [:], notes: notes[date] ?? [])
    }
  }
}
