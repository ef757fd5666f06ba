internal import HealthModel

/// The distinct hours of a day, by the clock on the wall, in which somebody stood.
enum StandHours {
  /// Samples of 1 are one stood hour, samples of 0 an idle one; a larger number is a sum of hours.
  ///
  /// Nil where there is no sample.
  static func found(
    _ samples: [QuantitySample], in timeZoneName: String
  ) throws(ReportingDay.Failure) -> Double? {
    guard !samples.isEmpty else { return nil }
    var stood: Set<ZoneCalendar.LocalHour> = []
    var sums = 0.0
    for sample in samples {
      if sample.quantity > 1 {
        sums += sample.quantity
      } else if sample.quantity > 0 {
        stood.insert(
          try ZoneCalendar.LocalHour(at: sample.start, timeZoneName: timeZoneName))
      }
    }
    return Double(stood.count) + sums
  }

  /// No day has more than its hours: 24, or 25 in autumn.
  static func most(of day: Range<Int>) -> Double { Double((day.count + 3599) / 3600) }
}
