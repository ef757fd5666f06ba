/// The distinct hours of a day, by the clock on the wall, in which somebody stood.
package enum StandHours {
  /// Samples of 1 are one stood hour, samples of 0 an idle one; a larger number is a sum of hours.
  ///
  /// Nil where there is no sample.
  package static func found(
    _ samples: [QuantitySample], in timeZoneName: String
  ) throws(ReportingDay.Failure) -> Double? {
    guard !samples.isEmpty else { return nil }
    var stood: Set<LocalHour> = []
    var sums = 0.0
    for sample in samples {
      if sample.quantity > 1 {
        sums += sample.quantity
      } else if sample.quantity > 0 {
        stood.insert(
          try LocalHour(at: sample.start, timeZoneName: timeZoneName))
      }
    }
    return Double(stood.count) + sums
  }

  /// No day has more than its hours: 24, or 25 in autumn.
  package static func most(of day: Range<Int>) -> Double { Double((day.count + 3599) / 3600) }
}

/// An hour as clocks show it; the hour that comes twice in autumn is two.
package struct LocalHour: Hashable {
  private let hour: Int
  private let offset: Int

  /// The hour that holds a moment.
  package init(at seconds: Int, timeZoneName: String) throws(ReportingDay.Failure) {
    let moment = Timestamp(secondsSince1970: seconds)
    offset = try ReportingDay.offsetSeconds(at: moment, timeZoneName: timeZoneName)
    hour = (seconds + offset).dividedDown(by: 3600)
  }

  /// What the clock on the wall shows: 0 to 23.
  package var ofDay: Int { hour - hour.dividedDown(by: 24) * 24 }
}

extension Int {
  /// The quotient rounded towards minus infinity.
  package func dividedDown(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}
