import HealthModel

/// What has been found of each day so far.
struct DayFindings {
  private var readings: [CalendarDate: [DailyMetric: MetricReading]] = [:]
  private var notes: [CalendarDate: [String]] = [:]
  private var ofWholeDay: [CalendarDate: Set<DailyMetric>] = [:]

  /// A number beats an earlier `unsupported`.
  ///
  /// - Parameter isOfWholeDay: whether HealthKit has made it of the whole day.
  mutating func set(
    _ metric: DailyMetric, _ number: Double, on date: CalendarDate, isOfWholeDay: Bool
  ) {
    readings[date, default: [:]][metric] = .value(metric.rounded(number))
    if isOfWholeDay { ofWholeDay[date, default: []].insert(metric) }
  }

  /// Marks days as unsupported unless they have a number; an optional metric is just not there.
  mutating func unsupported(
    _ metric: ExportedMetric, _ dates: Set<CalendarDate>, because reason: String
  ) {
    for date in dates {
      note(date, reason)
      for own in metric.required where readings[date]?[own] == nil {
        readings[date, default: [:]][own] = .unsupported
      }
    }
  }

  /// Takes what was found of a date in later rows.
  mutating func take(_ later: DayFindings, on date: CalendarDate) {
    for text in later.notes[date] ?? [] { note(date, text) }
    for (metric, reading) in later.readings[date] ?? [:] where readings[date]?[metric] == nil {
      readings[date, default: [:]][metric] = reading
      if later.ofWholeDay[date]?.contains(metric) == true {
        ofWholeDay[date, default: []].insert(metric)
      }
    }
  }

  mutating func note(_ date: CalendarDate, _ text: String) {
    if notes[date]?.contains(text) != true { notes[date, default: []].append(text) }
  }

  /// What is said of days, each once.
  var allNotes: [String] { Set(notes.values.joined()).sorted() }

  /// The days, oldest first.
  ///
  /// - Parameter moments: those of the whole input.
  func days(
    in zones: ReportingZones, written: WriteTimes = WriteTimes(), moments: Range<Int>? = nil
  ) -> [DayReadings] {
    readings.sorted { $0.key < $1.key }.map { date, readings in
      DayReadings(
        date: date, from: .healthAutoExport, timeZoneName: zones.name(on: date),
        writtenAt: written.moment(of: date), readings: readings, moments: moments,
        ofWholeDay: ofWholeDay[date] ?? [], notes: notes[date] ?? [])
    }
  }
}
