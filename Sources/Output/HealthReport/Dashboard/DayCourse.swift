package import HealthModel

/// What the samples of a day say of its course: how the heart beat, how the night before it was, and
/// the workouts.
package struct DayCourse: Sendable {
  package let day: ReportingDay
  /// The heart rate at a moment, or over the source's shortest interval.
  package struct Beat: Sendable {
    let at: Int
    let (least, mean, most): (Double, Double, Double)

    package init(at: Int, least: Double, mean: Double, most: Double) {
      (self.at, self.least, self.mean, self.most) = (at, least, mean, most)
    }

    package init(at: Int, _ rate: Double) { self.init(at: at, least: rate, mean: rate, most: rate) }
  }

  /// In any order; a day of a watch has some thousand.
  package var heart: [Beat] = []
  /// When which stage counts, in seconds since 1970.
  package var sleep: [(value: SleepValue, range: Range<Int>)] = []
  package var workouts: [Workout] = []

  package init(_ day: ReportingDay) { self.day = day }

  /// `07:30` by the clock on the wall of the day's zone.
  func clock(_ seconds: Int) -> String { day.clock(Timestamp(secondsSince1970: seconds)) }

  /// The full hours of the clock between two moments, so many hours apart.
  func hours(in range: Range<Int>, every step: Int) -> [Int] {
    stride(from: (range.lowerBound + 899) / 900 * 900, to: range.upperBound, by: 900).filter {
      let clock = clock($0)
      return clock.hasSuffix(":00") && (Int(clock.prefix(2)) ?? 1) % step == 0
    }
  }

  /// Seconds of a piece of the course of the heart.
  static let pieceSeconds = 600

  /// The heart rate's lowest, mean and highest of each piece of the day; nil without a sample.
  var pieces: [(least: Double, mean: Double, most: Double)?] {
    let (start, end) = (day.start.timestamp.secondsSince1970, day.end.timestamp.secondsSince1970)
    let count = max(1, (end - start + Self.pieceSeconds - 1) / Self.pieceSeconds)
    var found: [[Beat]] = Array(repeating: [], count: count)
    for beat in heart where beat.at >= start && beat.at < end {
      found[(beat.at - start) / Self.pieceSeconds].append(beat)
    }
    return found.map { beats in
      guard let least = beats.map(\.least).min(), let most = beats.map(\.most).max(),
        let mean = DayStatistics.mean(beats.map(\.mean))
      else { return nil }
      return (least, mean, most)
    }
  }
}
