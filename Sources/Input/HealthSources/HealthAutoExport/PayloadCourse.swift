package import HealthModel

/// What a payload says about the course of days beyond their numbers: workouts, stages of sleep, and the
/// heart rate over time (R59). What can't be read is left out, as with the numbers.
package struct PayloadCourse: Sendable {
  /// The heart rate at a moment, or over the app's shortest interval.
  package struct Beat: Hashable, Sendable {
    /// Seconds since 1970.
    package let at: Int
    package let mean: Double
    package let least: Double
    package let greatest: Double
  }

  package private(set) var workouts: [Workout] = []
  package private(set) var sleep: [SleepSegment] = []
  package private(set) var heart: [Beat] = []

  /// - Parameter hasMoments: false if the app says that rows cover a week or more.
  package init(of payload: JSONValue, hasMoments: Bool = true) {
    // Only moments are read, and they are the same in every zone.
    guard let calendar = try? ZoneCalendar(ReportingZones("Etc/UTC")) else { return }
    var reader = RowReader(calendar: calendar, problems: ProblemList())
    var found = WorkoutReader()
    for row in Self.workouts(in: payload) { found.add(row, at: "", reader: &reader) }
    workouts = found.inOrder
    guard hasMoments else { return }
    for (index, element) in (payload["data"]?["metrics"]?.arrayValue ?? []).enumerated() {
      guard let name = element["name"]?.stringValue, let metric = ExportedMetric.named(name),
        let rows = element["data"]?.arrayValue
      else { continue }
      let units = element["units"]?.stringValue
      if metric.kind == .sleepAnalysis {
        add(sleep: rows, RowPlace(series: index, row: 0), &reader)
      } else if metric.kind == .heartRate {
        add(heart: rows, RowScale(metric.kind, units), RowPlace(series: index, row: 0), &reader)
      }
    }
  }

  /// About how many bytes of memory it takes.
  package var cost: Int { 64 + 512 * workouts.count + 256 * sleep.count + 32 * heart.count }

  /// The rows of workouts, wherever a version of the app puts them.
  static func workouts(in payload: JSONValue) -> [JSONValue] {
    (payload["data"]?["workouts"]?.arrayValue ?? []) + (payload["workouts"]?.arrayValue ?? [])
  }

  private mutating func add(
    sleep rows: [JSONValue], _ place: RowPlace, _ reader: inout RowReader
  ) {
    var (nights, none) = (SleepRows(keepsSegments: true), KeptRows(capacity: .max, moments: 0..<0))
    for row in rows where row["value"] != nil {
      try? nights.add(row, at: place, factor: nil, reader: &reader, kept: &none)
    }
    sleep += nights.inOrder
  }

  private mutating func add(
    heart rows: [JSONValue], _ scale: RowScale, _ place: RowPlace, _ reader: inout RowReader
  ) {
    var (beats, areDays) = ([Beat](), true)
    for row in rows {
      let scale = scale.own(of: row)
      guard scale.unit != nil else { continue }
      let read = reader.parts(RowPart.extremes, of: row, at: place, scale: scale)
      guard let first = read.first?.row else { continue }
      areDays = areDays && first.isMidnight
      func part(_ part: RowPart) -> Double? { read.first { $0.part == part }?.row.quantity }
      guard let mean = part(.whole) ?? part(.mean) else { continue }
      beats.append(
        Beat(
          at: first.start, mean: mean, least: min(part(.least) ?? mean, mean),
          greatest: max(part(.greatest) ?? mean, mean)))
    }
    // A row of a whole day says nothing about the heart rate at midnight.
    if !areDays { heart += beats }
  }
}

/// Which moments a payload of Health Auto Export touches, whatever the zone (R55).
package enum PayloadMoments {
  private static let names = [
    "date", "startDate", "endDate", "start", "end", "sleepStart", "sleepEnd", "inBedStart",
    "inBedEnd",
  ]

  /// A span for each row of a metric that has a date, and for each workout, and one more for rows of
  /// whole days.
  ///
  /// A row of a whole day belongs to the date as it is written. At 09:00 UTC it is that date in the
  /// zones from -9 to +14 hours; west of them the date follows within the eight hours that are looked
  /// at after each moment (`TouchedDates`).
  package static func spans(of payload: JSONValue) -> [ClosedRange<Timestamp>] {
    var spans: Set<ClosedRange<Timestamp>> = []
    let metrics = payload["data"]?["metrics"]?.arrayValue ?? []
    for rows in metrics.map({ $0["data"]?.arrayValue ?? [] })
      + [PayloadCourse.workouts(in: payload)]
    {
      for row in rows {
        let dates = names.compactMap { row[$0]?.stringValue.flatMap { ExportedDate($0) } }
        let moments = dates.compactMap(\.moment)
        if let first = moments.min(), let last = moments.max() {
          spans.insert(Timestamp(secondsSince1970: first)...Timestamp(secondsSince1970: last))
        }
        for date in dates where date.secondsOfDay == 0 {
          let anchor = Timestamp(secondsSince1970: date.date.daysSince1970 * 86_400 + 9 * 3600)
          spans.insert(anchor...anchor)
        }
      }
    }
    return Array(spans)
  }
}
