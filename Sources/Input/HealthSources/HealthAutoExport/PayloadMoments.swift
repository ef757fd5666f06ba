package import HealthModel

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
